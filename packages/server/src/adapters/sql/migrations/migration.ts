import type { Dialect } from '../database.ts';

export interface Migration {
  /** Ascending from 1; never changed once released. */
  readonly number: number;
  readonly name: string;
  /**
   * The minimum migration that code must know once this one has run: nodes that know it continue to serve, older ones
   * notice and stop. Default: this migration itself. A migration that only adds what older code can ignore names its
   * predecessor; one that removes what code has not used since some migration names that one
   * (docs/guide/operations.md).
   */
  readonly worksWith?: number;
  statements(dialect: Dialect): string[];
}
