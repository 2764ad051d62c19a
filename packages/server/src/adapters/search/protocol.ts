import type { SearchEntry } from '../../ports/search-index.ts';

/** What the worker thread is asked, and its answers. */
export type Task =
  | { kind: 'open' }
  | { kind: 'put'; entries: readonly SearchEntry[] }
  | { kind: 'remove'; space: string; ids: readonly string[] }
  | { kind: 'clear'; space: string }
  | { kind: 'rebuilt' }
  /** Deletes the file and starts an empty one. */
  | { kind: 'reset' }
  /** For a store that keeps the segments itself: the parts of one, of entries in the order of their owners. */
  | { kind: 'build'; entries: readonly SearchEntry[]; first: number }
  | { kind: 'merge'; inputs: readonly { parts: ReadonlyMap<number, Uint8Array>; gone: ReadonlySet<number> }[] }
  /** How many documents of each segment, by its columns, are gone. */
  | { kind: 'wear'; columns: ReadonlyMap<number, Uint8Array>; gone: ReadonlySet<number> };

export interface OpenAnswer {
  needsRebuild: boolean;
  /** Why the file was not used as it was; empty when it was, or when there was none. */
  reason: string;
}

export interface WorkerSettings {
  /** The file of the SQLite index; without one the worker only makes segments. */
  path?: string;
}

/** SQLite's primary result codes for a file that is not, or is no longer, a database. */
const damaged = new Set([11, 26]);

export function isDamage(code: number): boolean {
  return damaged.has(code & 0xff);
}

export function sqliteCode(error: unknown): number {
  const code = (error as { errcode?: unknown } | undefined)?.errcode;
  return typeof code === 'number' ? code : 0;
}
