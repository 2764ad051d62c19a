import type pg from 'pg';
import type { Param, SharedStep, Sql, Tally } from '../database.ts';
import type { ManyRows } from '../many-rows.ts';
import type { SharedSteps } from './shared-steps.ts';

/** How one statement is sent. */
export type Send = (sql: string, params: readonly Param[]) => Promise<pg.QueryResult>;

/** Statements that may be under way without anybody having waited for one, and the characters and bytes in them. */
const maxUnderWay = 64;
const maxBytesUnderWay = 256 * 1024;
const readsOnly = /^\s*SELECT\b/i;

/**
 * The statements of one transaction, sent without waiting for each other (the driver's pipelining): who needs no answer
 * waits for none, so that a transaction takes as many turns with the server as it has reads to decide by, and one for the
 * rest. A statement that fails makes the server refuse the others; its error is what the transaction fails with.
 */
export class Pipeline {
  readonly #send: Send;
  readonly #underWay = new Set<Promise<void>>();
  #bytes = 0;
  #failure: { reason: unknown } | undefined;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Whether a statement failed, as far as is known: the server then refuses the rest. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Answers come in order: the first failure is why all later ones were refused. Says whether this is it. */
  fail(error: unknown): boolean {
    const isFirst = this.#failure === undefined;
    this.#failure ??= { reason: error };
    return isFirst;
  }

  get failure(): unknown {
    return this.#failure?.reason;
  }

  send(sql: string, params: readonly Param[]): Promise<pg.QueryResult> {
    return this.#send(sql, params);
  }

  /** A statement that nobody waits for until the end. */
  defer(statement: Promise<unknown>, bytes = 0, onError?: (error: unknown) => void): void {
    this.#bytes += bytes;
    const settled: Promise<void> = statement.then(
      () => this.#left(settled, bytes),
      (error: unknown) => {
        if (onError) onError(error);
        else this.fail(error);
        this.#left(settled, bytes);
      },
    );
    this.#underWay.add(settled);
  }

  /** Bounded, so that a body with many rows holds them in the server and not in memory here. */
  async room(): Promise<void> {
    if (this.#underWay.size >= maxUnderWay || this.#bytes >= maxBytesUnderWay) await Promise.all(this.#underWay);
  }

  #left(settled: Promise<void>, bytes: number): void {
    this.#underWay.delete(settled);
    this.#bytes -= bytes;
  }

  async drained(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** When all has been answered; throws what the first failing statement failed with. */
  async settle(): Promise<void> {
    await this.drained();
    if (this.#failure) throw this.#failure.reason;
  }
}

/** What one body of a transaction sees of its pipeline. */
export class PipelinedSql implements Sql {
  readonly userId = null;
  readonly #pipeline: Pipeline;
  /** Where the body goes together with others. */
  readonly #steps: SharedSteps | undefined;
  /** What was added to rows that many add to: under way, or still to be added up with that of others. */
  readonly #under: Promise<void>[] = [];
  readonly tallies: Tally[] = [];
  /** Rows that are added with those of others. */
  readonly added = new Map<ManyRows, (readonly Param[])[]>();
  /** The steps that it took with others. */
  readonly #taken: PipelinedSql[] = [];
  #hasChanged = false;
  #isCulprit = false;

  constructor(pipeline: Pipeline, steps?: SharedSteps) {
    this.#pipeline = pipeline;
    this.#steps = steps;
  }

  /** Whether a row was changed, as far as is known: what only read can be left out of a transaction without a trace. */
  get hasChanged(): boolean {
    return this.#hasChanged || this.#taken.some((step) => step.hasChanged);
  }

  /** Whether the first statement of the transaction that failed was one of this body's. */
  get isCulprit(): boolean {
    return this.#isCulprit || this.#taken.some((step) => step.isCulprit);
  }

  async all<Row>(sql: string, ...params: Param[]): Promise<Row[]> {
    return (await this.#ask(sql, params)).rows as Row[];
  }

  async get<Row>(sql: string, ...params: Param[]): Promise<Row | undefined> {
    return (await this.#ask(sql, params)).rows[0] as Row | undefined;
  }

  async run(sql: string, ...params: Param[]): Promise<number> {
    return (await this.#ask(sql, params)).rowCount ?? 0;
  }

  async execute(sql: string, ...params: Param[]): Promise<void> {
    this.#hasChanged = true;
    this.#pipeline.defer(this.#pipeline.send(sql, params), sizeOf(params), (error) => this.#failed(error));
    await this.#pipeline.room();
  }

  async add(table: ManyRows, rows: readonly (readonly Param[])[]): Promise<void> {
    if (!this.#steps) {
      for (const [text, params] of table.statements(rows)) await this.execute(text, ...params);
      return;
    }
    this.#hasChanged = true;
    const before = this.added.get(table);
    if (before) before.push(...rows);
    else this.added.set(table, [...rows]);
  }

  /** Alone it is sent at once and answered with whatever the body asks next; together with others it waits for theirs. */
  async tally(tally: Tally): Promise<void> {
    if (this.#steps) {
      this.tallies.push(tally);
      return;
    }
    const applied = tally.apply(this, tally.by);
    // Whoever ends the body hears of it; until then nobody does.
    applied.catch(() => undefined);
    this.#under.push(applied);
  }

  async share<Input, Output>(step: SharedStep<Input, Output>, input: Input): Promise<Output> {
    if (!this.#steps) return (await step.take(this, [input]))[0]!;
    return this.#steps.take(step, input, (taken) => this.#taken.push(taken));
  }

  /** When every tally has been answered; throws what one was refused for. */
  async tallied(): Promise<void> {
    await Promise.all(this.#under);
  }

  #failed(error: unknown): void {
    if (this.#pipeline.fail(error)) this.#isCulprit = true;
  }

  async #ask(sql: string, params: readonly Param[]): Promise<pg.QueryResult> {
    try {
      const result = await this.#pipeline.send(sql, params);
      if (result.rowCount !== 0 && !readsOnly.test(sql)) this.#hasChanged = true;
      return result;
    } catch (error) {
      this.#failed(error);
      throw this.#pipeline.failure;
    }
  }
}

function sizeOf(params: readonly Param[]): number {
  let size = 0;
  for (const param of params) size += typeof param === 'string' || param instanceof Uint8Array ? param.length : 8;
  return size;
}
