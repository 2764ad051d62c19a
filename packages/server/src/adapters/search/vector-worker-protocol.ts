import type { QuantizedVectors } from '@sheaf/search/index/quantized-vectors';

/**
 * A row of the table `search_vector`, which holds the embedding vectors of one entry. If `data` is empty, the row marks
 * a deleted entry.
 */
export interface VectorRow {
  id: string;
  owner: string;
  seq: number;
  dimensions: number;
  data: Uint8Array;
}

export interface NearestEntry {
  id: string;
  owner: string;
  score: number;
  /** Index of the passage within the entry. */
  place: number;
}

/** Tasks of the worker thread that holds the embedding vectors. */
export type VectorTask =
  /**
   * Returns for each owner the number of the last change whose vectors are loaded, or -1 if none are loaded
   * (`number[]`).
   */
  | { kind: 'known'; space: string; owners: readonly string[] }
  /**
   * Stores vectors of the owners in the thread's memory. Many vectors are split over several tasks. `seq` is set only
   * in the last task: all changes up to this number are then loaded.
   */
  | { kind: 'load'; space: string; owners: readonly string[]; rows: readonly VectorRow[]; seq: number | undefined }
  /**
   * Returns the owners' entries nearest to the query, nearest first (`NearestEntry[]`). `limit` is the maximum number
   * of entries, `atLeast` the minimum score; `ids`, if given, are the only entries to compare.
   */
  | {
      kind: 'nearest';
      space: string;
      owners: readonly string[];
      query: QuantizedVectors;
      limit: number;
      atLeast: number | undefined;
      ids?: readonly string[];
    };
