import type { Dialect } from '../database.ts';

export interface Migration {
  /** Numbered from 1 without gaps; never changed once released. */
  readonly number: number;
  readonly name: string;
  statements(dialect: Dialect): string[];
}
