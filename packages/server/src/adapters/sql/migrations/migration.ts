import type { Dialect } from '../database.ts';

export interface Migration {
  /** Position of the migration, ascending from 1. It must not change once released. */
  readonly number: number;
  readonly name: string;
  /**
   * Lowest migration number that a server must know once this migration has run; servers that do not know it stop. The
   * default is this migration itself. A migration that only adds what older code can ignore names its predecessor. A
   * migration that removes something names the last migration whose code used it (docs/guide/operations.md).
   */
  readonly worksWith?: number;
  statements(dialect: Dialect): string[];
}
