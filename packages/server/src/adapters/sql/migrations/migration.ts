import type { Dialect } from '../database.ts';

export interface Migration {
  /** Ascends from 1 and never changes once released. */
  readonly number: number;
  readonly name: string;
  /**
   * Lowest migration that a server must know once this one has run: servers that know it continue, older ones notice
   * and stop. Default: this migration itself. A migration that only adds what older code can ignore names its
   * predecessor. A migration that removes something names the last migration whose code used it
   * (docs/guide/operations.md).
   */
  readonly worksWith?: number;
  statements(dialect: Dialect): string[];
}
