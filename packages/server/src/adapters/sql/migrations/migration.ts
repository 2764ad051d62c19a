import type { Dialect } from '../database.ts';

export interface Migration {
  /** Number of the migration, ascending from 1. It must not change once released. */
  readonly number: number;
  readonly name: string;
  /**
   * Number of the newest migration that a server must know to use the database once this migration has run; older
   * servers stop. Default: the number of this migration.
   *
   * A migration that only adds what older code can ignore sets a lower number, for example that of its predecessor. A
   * migration that removes something sets the number of the last migration whose code still used it
   * (docs/guide/operations.md).
   */
  readonly worksWith?: number;
  statements(dialect: Dialect): string[];
}
