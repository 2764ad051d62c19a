import type { Dialect } from '../database.ts';

export interface Migration {
  /** Ascending from 1; never changed once released. */
  readonly number: number;
  readonly name: string;
  statements(dialect: Dialect): string[];
}
