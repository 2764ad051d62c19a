import { nextTurn } from '../../../lib/in-turns.ts';
import type { Param, SharedStep, Tally } from '../database.ts';
import type { ManyRows } from '../many-rows.ts';
import type { Connection } from './connection.ts';
import type { EndingSql } from '../stamping.ts';

const done = Promise.resolve();
const longText = 2 ** 20;

/**
 * Statements of one write's body on the writer's connection. As on PostgreSQL, nothing runs after a failed statement,
 * so that a body that ignores an error cannot commit. SQLite is synchronous; the body yields to the event loop only
 * after a slow statement.
 */
export class Transaction implements EndingSql {
  readonly #connection: Connection;
  readonly userId: string;
  #failure: { reason: unknown } | undefined;
  #ended = false;
  readonly #tallies: Tally[] = [];
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
      this.#refuse();
      const changes = this.#connection.run(sql, params);
      if (changes > 0) this.isChanged = true;
      return Promise.resolve(changes);
    } catch (error) {
      return this.#fail(error);
    }
  }

  execute(sql: string, ...params: Param[]): Promise<void> {
    try {
      this.#refuse();
      this.#connection.execute(sql, params);
      this.isChanged = true;
      // The commit will take as long again, so yield to the event loop in between.
      return params.some((param) => typeof param === 'string' && param.length > longText) ? nextTurn() : done;
    } catch (error) {
      return this.#fail(error);
    }
  }

  async add(table: ManyRows, rows: readonly (readonly Param[])[]): Promise<void> {
    for (const [text, params] of table.statements(rows)) await this.execute(text, ...params);
  }

  /** Applied at the end, as on PostgreSQL, so that other errors of the body take precedence. */
  tally(tally: Tally): Promise<void> {
    this.#tallies.push(tally);
    return done;
  }

  /** Runs the step at once for this write: without a server, there is no round trip to share. */
  async share<Input, Output>(step: SharedStep<Input, Output>, input: Input): Promise<Output> {
    return (await step.take(this, [input]))[0]!;
  }

  async finish(): Promise<void> {
    for (const tally of this.#tallies) await tally.apply(this, tally.by);
  }

  end(): void {
    this.#ended = true;
    if (this.#failure) throw this.#failure.reason;
  }

  #begin(sql: string): void {
    this.#refuse();
    if (!sql.startsWith('SELECT')) this.isChanged = true;
  }

  #refuse(): void {
    if (this.#ended) throw new Error('the transaction has ended');
    if (this.#failure) throw this.#failure.reason;
  }

  #fail(error: unknown): Promise<never> {
    this.#failure ??= { reason: error };
    return Promise.reject(error as Error);
  }
}
