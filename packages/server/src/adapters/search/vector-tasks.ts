import type { PackedVectors } from '@sheaf/search/index/vectors';

/** A row of `search_vector`. One without bytes is gone. */
export interface VectorRow {
  id: string;
  owner: string;
  seq: number;
  dimensions: number;
  data: Uint8Array;
}

export interface NearThing {
  id: string;
  owner: string;
  score: number;
  /** Which of its passages. */
  place: number;
}

/** What the thread that holds vectors is asked, and its answers. */
export type VectorTask =
  /** Up to which change it knows each owner's vectors; -1 where it knows none: `number[]`. */
  | { kind: 'known'; space: string; owners: readonly string[] }
  /** From here on it knows the owners' vectors up to this change. */
  | { kind: 'load'; space: string; owners: readonly string[]; rows: readonly VectorRow[]; seq: number | undefined }
  /** The nearest things of the owners, the nearest first: so many, or all that are so near: `NearThing[]`. */
  | {
      kind: 'nearest';
      space: string;
      owners: readonly string[];
      query: PackedVectors;
      limit: number;
      atLeast: number | undefined;
    };
