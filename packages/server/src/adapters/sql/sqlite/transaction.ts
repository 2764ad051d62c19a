import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import type { Param, BatchStep, CounterIncrement } from '../database.ts';
import type { BulkInsert } from '../bulk-insert.ts';
import { StrictTransaction, type TransactionSql } from '../audit-recording.ts';
import { toStatement, type Statement } from '../statement.ts';
import type { Connection } from './connection.ts';

const longText = 2 ** 20;

/**
 * Runs the statements of one write on the writer's connection. SQLite is synchronous, so the event loop is blocked
 * while a statement runs. Other work gets a turn only after a statement that writes a long text.
 */
export class Transaction extends StrictTransaction implements TransactionSql {
  readonly #connection: Connection;
  readonly #increments: CounterIncrement[] = [];
  /**
   * Whether a statement may have changed rows. A statement with RETURNING always counts as a change, even if it changed
   * no row.
   */
  isChanged = false;

  constructor(connection: Connection, userId: string) {
    super(userId);
    this.#connection = connection;
  }

  all<Row>(statement: Statement | string, ...params: Param[]): Promise<Row[]> {
    return this.guard(() => this.#connection.all(this.#begin(statement, params)) as Row[]);
  }

  get<Row>(statement: Statement | string, ...params: Param[]): Promise<Row | undefined> {
    return this.guard(() => this.#connection.get(this.#begin(statement, params)) as Row | undefined);
  }

  run(statement: Statement | string, ...params: Param[]): Promise<number> {
    return this.guard(() => {
      const changes = this.#connection.run(toStatement(statement, params));
      if (changes > 0) this.isChanged = true;
      return changes;
    });
  }

  execute(statement: Statement | string, ...params: Param[]): Promise<void> {
    return this.guard(() => {
      const sent = toStatement(statement, params);
      this.#connection.get(sent);
      this.isChanged = true;
      // Yield to the event loop after writing a long text. The commit will block the event loop again, for about the
      // same time.
      if (sent.params.some((param) => typeof param === 'string' && param.length > longText)) return yieldToEventLoop();
    });
  }

  async add(table: BulkInsert, rows: readonly (readonly Param[])[]): Promise<void> {
    for (const statement of table.statements(rows)) await this.execute(statement);
  }

  /**
   * Remembers an increment of a counter, such as a user's stored bytes, and applies it at the end of the write. An
   * increment beyond a quota thus throws only after all other errors of the write, as on PostgreSQL.
   */
  async increment(increment: CounterIncrement): Promise<void> {
    this.#increments.push(increment);
  }

  /**
   * Runs the step immediately and for this write alone. On PostgreSQL, several writes share one run of a step to save
   * network round trips. SQLite has none.
   */
  async batched<Input, Output>(step: BatchStep<Input, Output>, input: Input): Promise<Output> {
    return (await step(this, [input]))[0]!;
  }

  async finish(): Promise<void> {
    for (const increment of this.#increments) await increment.apply(this, increment.by);
  }

  #begin(statement: Statement | string, params: readonly Param[]): Statement {
    const sent = toStatement(statement, params);
    if (!sent.text.startsWith('SELECT')) this.isChanged = true;
    return sent;
  }
}
