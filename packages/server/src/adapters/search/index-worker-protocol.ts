import type { SearchEntry } from '../../ports/search-index.ts';

/** Tasks of the search worker thread. */
export type IndexTask =
  | { kind: 'open' }
  | { kind: 'put'; entries: readonly SearchEntry[] }
  | { kind: 'remove'; space: string; ids: readonly string[] }
  | { kind: 'clear'; space: string }
  | { kind: 'rebuilt' }
  /** Deletes the index file and creates an empty one. */
  | { kind: 'reset' }
  /**
   * Builds the parts of one segment and returns them, for a store that does not write in the worker. The entries must
   * be sorted by owner.
   */
  | { kind: 'build'; entries: readonly SearchEntry[]; first: number }
  | { kind: 'merge'; inputs: readonly { parts: ReadonlyMap<number, Uint8Array>; deleted: ReadonlySet<number> }[] }
  /**
   * Counts the deleted documents of each segment. `columns` contains each segment's list of documents by the segment's
   * number.
   */
  | { kind: 'wear'; columns: ReadonlyMap<number, Uint8Array>; deleted: ReadonlySet<number> };

export interface OpenResult {
  needsRebuild: boolean;
  /** Reason why an existing index file could not be used. Empty if it could be used or did not exist. */
  reason: string;
}

export interface WorkerSettings {
  /** Path of the SQLite index file. If it is undefined, the worker only builds segments. */
  path?: string;
}
