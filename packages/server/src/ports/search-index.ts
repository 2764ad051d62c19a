import type { CursorPart } from '../lib/cursor.ts';

/**
 * One entry of the full-text index (tokens and ranking: packages/search). The index is derived data: it can be dropped
 * and rebuilt from the stores at any time. An entry can be found as soon as `put` has resolved, also after a crash.
 */
export interface SearchEntry {
  /** Kind of the entry that the id names: `note`, `wiki` or `sheet`. */
  space: string;
  id: string;
  /** Access scope: the user id for a note, the base id for an item, the file id for a spreadsheet. */
  owner: string;
  title: string;
  headings: string;
  body: string;
  created: number;
  modified: number;
  /** Sort key of the title, as stored. */
  titleKey: string;
  size: number;
}

/**
 * `rank` lists entries that match every word before entries that match some, each by relevance, then newest first. The
 * other orders list entries that match every word; only if there are none, the rest follows by relevance. Ties are
 * broken by id.
 */
export type SearchOrder = 'rank' | 'modified' | 'created' | 'title' | 'size';

export type SearchMode = 'keyword' | 'meaning' | 'both';

export interface SearchQuery {
  space: string;
  owners: readonly string[];
  /**
   * Words to find in the title, in headings or body, or anywhere. If several are given, the first of anywhere, body,
   * title ranks.
   */
  title?: string | undefined;
  body?: string | undefined;
  anywhere?: string | undefined;
  /** Whether the last word also matches as a prefix. */
  prefix?: boolean | undefined;
  /** By words (default), by meaning (embeddings), or both ranked together. Meaning works only in the order `rank`. */
  mode?: SearchMode | undefined;
  /** Modification time range in Unix milliseconds: from inclusive, before exclusive. */
  changedFrom?: number | undefined;
  changedBefore?: number | undefined;
  /** Ids to check against all matches; `SearchResult.among` lists those that match. */
  among?: readonly string[] | undefined;
  order: SearchOrder;
  /** Continues after this hit, with the term statistics it was found with; `offset` counts from there. */
  after?: readonly CursorPart[] | undefined;
  offset: number;
  limit: number;
}

export interface SearchHit {
  id: string;
  /** Whether the entry has every word of the query, only some, or none and was found by meaning. */
  match: 'all' | 'some' | 'meaning';
  /** Relevance; comparable between spaces for the same query in the same mode. */
  score: number;
  /** Text range of the passage nearest in meaning, for hits found by meaning. */
  near?: { from: number; to: number; score: number } | undefined;
  /** Position to pass as `after`; valid for the same query only. */
  place: readonly CursorPart[];
}

export interface SearchResult {
  hits: SearchHit[];
  /** Number of all matches, not only of this page. */
  total: number;
  /** The ids of `SearchQuery.among` that match. */
  among?: readonly string[];
  /** True if a search by meaning fell back to words because the embedding endpoint does not answer. */
  isKeywordOnly?: boolean;
}

/** Thrown by writes when a newer version of sheaf owns the index; nodes of that version write it now. */
export class IndexTakenOver extends Error {
  constructor(format: string, own: string) {
    super(`the search index is of format ${format}, written by a newer version of sheaf; this one writes ${own}`);
    this.name = 'IndexTakenOver';
  }
}

export interface SearchIndex {
  /**
   * Adds or replaces the entries, all or none. Every write rejects with IndexTakenOver if a newer version owns the
   * index.
   */
  put(entries: readonly SearchEntry[]): Promise<void>;
  remove(space: string, ids: readonly string[]): Promise<void>;
  search(query: SearchQuery): Promise<SearchResult>;
  /** Removes all entries of a space (before a rebuild). */
  clear(space: string): Promise<void>;
  /** True if the index is new, damaged or of an older format: it is incomplete until `rebuilt` is called. */
  readonly needsRebuild: boolean;
  /**
   * Called before and periodically during a rebuild. `mine`: this node must rebuild; `elsewhere`: another node is
   * rebuilding; `done`: nothing is left to do.
   */
  takeRebuild(): Promise<'mine' | 'elsewhere' | 'done'>;
  rebuilt(): Promise<void>;
  close(): Promise<void>;
}
