import type { QuantizedVectors } from '@sheaf/search/index/quantized-vectors';

/** A row of `search_vector`; without bytes it is a tombstone. */
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

/** Tasks of the thread that holds the vectors. */
export type VectorTask =
  /** Returns the last change loaded for each owner, or -1 if none: `number[]`. */
  | { kind: 'known'; space: string; owners: readonly string[] }
  /** Stores the owners' vectors up to this change. */
  | { kind: 'load'; space: string; owners: readonly string[]; rows: readonly VectorRow[]; seq: number | undefined }
  /**
   * Returns the owners' entries nearest to the query, nearest first: up to `limit`, with a score of at least `atLeast`
   * if given, only those with these `ids` if given: `NearestEntry[]`.
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
