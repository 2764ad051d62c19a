import type pg from 'pg';
import { unchanged, type Param, type BatchStep, type Sql, type CounterIncrement } from '../database.ts';
import type { BulkInsert } from '../bulk-insert.ts';
import { toStatement, type Statement } from '../statement.ts';
import type { BatchSteps } from './batch-steps.ts';

export type SendStatement = (statement: Statement) => Promise<pg.QueryResult>;

/**
 * Maximum number of statements that were sent without waiting for their results and are not yet answered.
 * `maxBytesInFlight` is the maximum of their total size in bytes. At either limit, the sender waits for all of them.
 */
const maxInFlight = 64;
const maxBytesInFlight = 256 * 1024;
const readsOnly = /^\s*SELECT\b/i;

/**
 * Pipelines the statements of one transaction. A statement whose result is not needed is not awaited, so a transaction
 * takes one round trip per read that it depends on, and one for all other statements. After a failed statement the
 * server rejects the later ones, and the transaction fails with the first error.
 */
export class Pipeline {
  readonly #send: SendStatement;
  readonly #inFlight = new Set<Promise<void>>();
  #bytes = 0;
  #failure: { reason: unknown } | undefined;

  constructor(send: SendStatement) {
    this.#send = send;
  }

  /** Whether a statement is known to have failed. The server then rejects all later statements. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /**
   * Records a failure. Returns whether it is the first one. Answers arrive in order, so the first failure caused the
   * others.
   */
  fail(error: unknown): boolean {
    const isFirst = this.#failure === undefined;
    this.#failure ??= { reason: error };
    return isFirst;
  }

  get failure(): unknown {
    return this.#failure?.reason;
  }

  send(statement: Statement): Promise<pg.QueryResult> {
    return this.#send(statement);
  }

  /**
   * Adds a statement that was sent without waiting for its result. The result is awaited before the commit. `bytes` is
   * the size of the statement.
   */
  defer(statement: Promise<unknown>, bytes = 0, onError?: (error: unknown) => void): void {
    this.#bytes += bytes;
    const settled: Promise<void> = statement.then(
      () => this.#settled(settled, bytes),
      (error: unknown) => {
        if (onError) onError(error);
        else this.fail(error);
        this.#settled(settled, bytes);
      },
    );
    this.#inFlight.add(settled);
  }

  /**
   * Waits while too many statements are unanswered, so that a write with many rows does not keep all of them in memory.
   */
  async waitForRoom(): Promise<void> {
    if (this.#inFlight.size >= maxInFlight || this.#bytes >= maxBytesInFlight) await Promise.all(this.#inFlight);
  }

  #settled(settled: Promise<void>, bytes: number): void {
    this.#inFlight.delete(settled);
    this.#bytes -= bytes;
  }

  async drained(): Promise<void> {
    await Promise.all(this.#inFlight);
  }

  /** Waits until all statements are answered. Throws the first error. */
  async settle(): Promise<void> {
    await this.drained();
    if (this.#failure) throw this.#failure.reason;
  }
}

/** Sends the statements of one write without waiting for the results of earlier ones (pipelining). */
export class PipelinedSql implements Sql {
  readonly userId = null;
  readonly #pipeline: Pipeline;
  /**
   * Runs the steps (parts of writes) that several writes of a shared transaction take together. Undefined if this write
   * has a transaction of its own.
   */
  readonly #steps: BatchSteps | undefined;
  /**
   * Counter increments that were already sent. If several writes share the transaction, the increments are instead
   * collected in `increments` and summed with those of the other writes.
   */
  readonly #applying: Promise<void>[] = [];
  readonly increments: CounterIncrement[] = [];
  /**
   * Rows to insert, by table. Used only if several writes share the transaction, because their rows are inserted
   * together at its end.
   */
  readonly inserted = new Map<BulkInsert, (readonly Param[])[]>();
  /**
   * Steps that this write shares with other writes. If such a step changes rows or fails, this write counts as having
   * done so itself.
   */
  readonly #sharedSteps: PipelinedSql[] = [];
  #hasChanged = false;
  #isCulprit = false;

  constructor(pipeline: Pipeline, steps?: BatchSteps) {
    this.#pipeline = pipeline;
    this.#steps = steps;
  }

  /**
   * Whether a statement of this write may have changed a row. A failed write that only read data can be left out of
   * the shared transaction.
   */
  get hasChanged(): boolean {
    return this.#hasChanged || this.#sharedSteps.some((step) => step.hasChanged);
  }

  /** Whether this write sent the transaction's first failed statement. */
  get isCulprit(): boolean {
    return this.#isCulprit || this.#sharedSteps.some((step) => step.isCulprit);
  }

  async all<Row>(statement: Statement | string, ...params: Param[]): Promise<Row[]> {
    return (await this.#query(statement, params)).rows as Row[];
  }

  async get<Row>(statement: Statement | string, ...params: Param[]): Promise<Row | undefined> {
    return (await this.#query(statement, params)).rows[0] as Row | undefined;
  }

  async run(statement: Statement | string, ...params: Param[]): Promise<number> {
    return (await this.#query(statement, params)).rowCount ?? 0;
  }

  async execute(statement: Statement | string, ...params: Param[]): Promise<void> {
    this.#hasChanged = true;
    const sent = toStatement(statement, params);
    this.#pipeline.defer(this.#pipeline.send(sent), sizeOf(sent.params), (error) => this.#failed(error));
    await this.#pipeline.waitForRoom();
  }

  async add(table: BulkInsert, rows: readonly (readonly Param[])[]): Promise<void> {
    if (!this.#steps) {
      for (const statement of table.statements(rows)) await this.execute(statement);
      return;
    }
    this.#hasChanged = true;
    const before = this.inserted.get(table);
    if (before) before.push(...rows);
    else this.inserted.set(table, [...rows]);
  }

  /**
   * Adds to a counter row. If several writes share the transaction, the increment is collected and summed with those of
   * the other writes. Otherwise it is sent immediately, without awaiting it.
   */
  async increment(increment: CounterIncrement): Promise<void> {
    if (this.#steps) {
      this.increments.push(increment);
      return;
    }
    const applied = increment.apply(this, increment.by);
    // Mark a rejection as handled here. The transaction awaits the promise later and then reports the error.
    applied.catch(() => undefined);
    this.#applying.push(applied);
  }

  async batched<Input, Output>(step: BatchStep<Input, Output>, input: Input): Promise<Output> {
    if (!this.#steps) return (await step(this, [input]))[0]!;
    let shared: PipelinedSql | undefined;
    const output = await this.#steps.run(step, input, (taken) => {
      shared = taken;
      this.#sharedSteps.push(taken);
    });
    if (output === unchanged && shared && !shared.isCulprit)
      this.#sharedSteps.splice(this.#sharedSteps.lastIndexOf(shared), 1);
    return output;
  }

  /** Waits until the database has answered all counter increments that were sent. Throws if it refused one. */
  async incrementsApplied(): Promise<void> {
    await Promise.all(this.#applying);
  }

  #failed(error: unknown): void {
    if (this.#pipeline.fail(error)) this.#isCulprit = true;
  }

  async #query(statement: Statement | string, params: readonly Param[]): Promise<pg.QueryResult> {
    const sent = toStatement(statement, params);
    try {
      const result = await this.#pipeline.send(sent);
      if (result.rowCount !== 0 && !readsOnly.test(sent.text)) this.#hasChanged = true;
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
