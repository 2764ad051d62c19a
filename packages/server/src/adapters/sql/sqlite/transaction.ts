import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import type { Param, SharedStep, CounterIncrement } from '../database.ts';
import type { BulkInsert } from '../bulk-insert.ts';
import type { Connection } from './connection.ts';
import type { TransactionSql } from '../audit-recording.ts';

const done = Promise.resolve();
const longText = 2 ** 20;

/**
 * Statements of one write's body on the writer's connection. As on PostgreSQL, nothing runs after a failed statement,
 * so that a body that ignores an error cannot commit. SQLite is synchronous; the body yields to the event loop only
 * after a slow statement.
 */
export class Transaction implements TransactionSql {
  readonly #connection: Connection;
  readonly userId: string;
  #failure: { reason: unknown } | undefined;
  #ended = false;
  readonly #increments: CounterIncrement[] = [];
  /** Whether a statement may have changed rows, including statements with RETURNING. */
  isChanged = false;

  constructor(connection: Connection, userId: string) {
    this.#connection = connection;
    this.userId = userId;
  }

  all<Row>(sql: string, ...params: Param[]): Promise<Row[]> {
    try {
      this.#begin(sql);
      return Promise.resolve(this.#connection.all(sql, params) as Row[]);
    } catch (error) {
      return this.#fail(error);
    }
  }

  get<Row>(sql: string, ...params: Param[]): Promise<Row | undefined> {
    try {
      this.#begin(sql);
      return Promise.resolve(this.#connection.get(sql, params) as Row | undefined);
    } catch (error) {
      return this.#fail(error);
    }
  }

  run(sql: string, ...params: Param[]): Promise<number> {
    try {
      this.#requireActive();
      const changes = this.#connection.run(sql, params);
      if (changes > 0) this.isChanged = true;
      return Promise.resolve(changes);
    } catch (error) {
      return this.#fail(error);
    }
  }

  execute(sql: string, ...params: Param[]): Promise<void> {
    try {
      this.#requireActive();
      this.#connection.execute(sql, params);
      this.isChanged = true;
      // The commit will take as long again, so yield to the event loop in between.
      return params.some((param) => typeof param === 'string' && param.length > longText) ? yieldToEventLoop() : done;
    } catch (error) {
      return this.#fail(error);
    }
  }

  async add(table: BulkInsert, rows: readonly (readonly Param[])[]): Promise<void> {
    for (const [text, params] of table.statements(rows)) await this.execute(text, ...params);
  }

  /** Applied at the end, as on PostgreSQL, so that other errors of the body take precedence. */
  increment(tally: CounterIncrement): Promise<void> {
    this.#increments.push(tally);
    return done;
  }

  /** Runs the step at once for this write: without a server, there is no round trip to share. */
  async runShared<Input, Output>(step: SharedStep<Input, Output>, input: Input): Promise<Output> {
    return (await step.run(this, [input]))[0]!;
  }

  async finish(): Promise<void> {
    for (const tally of this.#increments) await tally.apply(this, tally.by);
  }

  end(): void {
    this.#ended = true;
    if (this.#failure) throw this.#failure.reason;
  }

  #begin(sql: string): void {
    this.#requireActive();
    if (!sql.startsWith('SELECT')) this.isChanged = true;
  }

  #requireActive(): void {
    if (this.#ended) throw new Error('the transaction has ended');
    if (this.#failure) throw this.#failure.reason;
  }

  #fail(error: unknown): Promise<never> {
    this.#failure ??= { reason: error };
    return Promise.reject(error as Error);
  }
}
