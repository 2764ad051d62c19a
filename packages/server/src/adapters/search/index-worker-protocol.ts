import type { SearchEntry } from '../../ports/search-index.ts';

/** Tasks that the main thread sends to the worker thread of the search index. */
export type IndexTask =
  | { kind: 'open' }
  | { kind: 'put'; entries: readonly SearchEntry[] }
  | { kind: 'remove'; space: string; ids: readonly string[] }
  | { kind: 'clear'; space: string }
  | { kind: 'rebuilt' }
  /** Deletes the index file and creates an empty one. */
  | { kind: 'reset' }
  /**
   * Builds a segment (an immutable part of the index) from the entries and returns it. Used on PostgreSQL, where the
   * main thread writes the segments. The entries must be sorted by owner; `first` is the document number of the first
   * entry.
   */
  | { kind: 'build'; entries: readonly SearchEntry[]; first: number }
  | { kind: 'merge'; inputs: readonly { parts: ReadonlyMap<number, Uint8Array>; deleted: ReadonlySet<number> }[] }
  /**
   * Counts the deleted documents of each segment. `columns` maps each segment's number to the part of the segment that
   * lists its documents; `deleted` contains the numbers of deleted documents.
   */
  | { kind: 'wear'; columns: ReadonlyMap<number, Uint8Array>; deleted: ReadonlySet<number> };

export interface OpenResult {
  needsRebuild: boolean;
  /** Reason why an existing index file could not be used. Empty if it could be used or did not exist. */
  reason: string;
}

export interface WorkerSettings {
  /**
   * Path of the SQLite index file. Undefined on PostgreSQL, where the worker only builds and merges segments and the
   * main thread stores them.
   */
  path?: string;
}
