import type pg from 'pg';
import type { Param, Sql } from '../database.ts';

/** How one statement is sent. */
export type Send = (sql: string, params: readonly Param[]) => Promise<pg.QueryResult>;

/** Statements that may be under way without anybody having waited for one, and the characters and bytes in them. */
const mostUnderWay = 64;
const mostBytesUnderWay = 256 * 1024;
const readsOnly = /^\s*SELECT\b/i;

/**
 * The statements of one transaction, sent without waiting for each other (the driver's pipelining): who needs no answer
 * waits for none, so that a transaction takes as many turns with the server as it has reads to decide by, and one for the
 * rest. A statement that fails makes the server refuse the others; its error is what the transaction fails with.
 */
export class PipelinedSql implements Sql {
  readonly #send: Send;
  readonly #underWay = new Set<Promise<void>>();
  #bytes = 0;
  #failure: { reason: unknown } | undefined;
  #hasChanged = false;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Whether a row was changed, as far as is known: what only read can be left out of a transaction without a trace. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  /** Whether a statement failed, as far as is known: the server then refuses the rest. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  forgetChanges(): void {
    this.#hasChanged = false;
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
    const bytes = sizeOf(params);
    this.#bytes += bytes;
    this.defer(this.#send(sql, params), bytes);
    // Bounded, so that a body with many rows holds them in the server and not in memory here.
    if (this.#underWay.size >= mostUnderWay || this.#bytes >= mostBytesUnderWay) await Promise.all(this.#underWay);
  }

  /** A statement of the transaction that nobody waits for until the end. */
  defer(statement: Promise<unknown>, bytes = 0): void {
    const settled: Promise<void> = statement.then(
      () => this.#left(settled, bytes),
      (error: unknown) => {
        this.#failure ??= { reason: error };
        this.#left(settled, bytes);
      },
    );
    this.#underWay.add(settled);
  }

  #left(settled: Promise<void>, bytes: number): void {
    this.#underWay.delete(settled);
    this.#bytes -= bytes;
  }

  /** When all has been answered; throws what the first failing statement failed with. */
  async settle(): Promise<void> {
    await Promise.all(this.#underWay);
    if (this.#failure) throw this.#failure.reason;
  }

  async #ask(sql: string, params: readonly Param[]): Promise<pg.QueryResult> {
    try {
      const result = await this.#send(sql, params);
      if (result.rowCount !== 0 && !readsOnly.test(sql)) this.#hasChanged = true;
      return result;
    } catch (error) {
      // Answers come in order: what failed before this one is known, and is why this one was refused.
      this.#failure ??= { reason: error };
      throw this.#failure.reason;
    }
  }
}

function sizeOf(params: readonly Param[]): number {
  let size = 0;
  for (const param of params) size += typeof param === 'string' || param instanceof Uint8Array ? param.length : 8;
  return size;
}
