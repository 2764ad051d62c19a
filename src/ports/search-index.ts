/**
 * Full text by our own tokens (src/lib/tokens.ts). The index is derived data: it can be dropped and rebuilt from the
 * stores at any time. An entry is found as soon as `put` has resolved, and stays found after a crash.
 */
export interface SearchEntry {
  /** `note`, `wiki`, `sheet`: what kind of thing the id names. */
  space: string;
  id: string;
  /** Who may find it: the user id of a note, the base id of an item, the file id of a spreadsheet. */
  owner: string;
  title: string;
  headings: string;
  body: string;
  created: number;
  modified: number;
  /** The stored key by which titles sort. */
  titleKey: string;
  size: number;
}

/**
 * Ties are broken by id. `rank`: found in the title before found in the headings before found elsewhere; within each,
 * the whole query side by side before its words apart; then the latest first.
 */
export type SearchOrder = 'rank' | 'modified' | 'created' | 'title' | 'size';

export interface SearchQuery {
  space: string;
  owners: readonly string[];
  /** Each given part must match: in the title, in headings or body, anywhere. Empty parts match all. */
  title?: string;
  body?: string;
  anywhere?: string;
  order: SearchOrder;
  offset: number;
  limit: number;
}

export interface SearchResult {
  ids: string[];
  /** All matches, not only this page's. */
  total: number;
}

export interface SearchIndex {
  /** Adds or replaces; all of the entries or none. */
  put(entries: readonly SearchEntry[]): Promise<void>;
  remove(space: string, ids: readonly string[]): Promise<void>;
  search(query: SearchQuery): Promise<SearchResult>;
  /** Drops everything of a space (before a rebuild). */
  clear(space: string): Promise<void>;
  /** New, damaged or of an older format: what it holds is not all there is until `rebuilt` was called. */
  readonly needsRebuild: boolean;
  rebuilt(): Promise<void>;
  close(): Promise<void>;
}
