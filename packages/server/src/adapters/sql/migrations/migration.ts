import type { Dialect } from '../database.ts';

export interface Migration {
  /** Number of the migration, ascending from 1. It must not change once released. */
  readonly number: number;
  readonly name: string;
  /**
   * Lowest migration number that a server must know once this migration has run; older servers stop. Default: the
   * number of this migration.
   *
   * A migration whose additions older code can ignore names its predecessor. A migration that removes something names
   * the last migration whose code used it (docs/guide/operations.md).
   */
  readonly worksWith?: number;
  statements(dialect: Dialect): string[];
}
