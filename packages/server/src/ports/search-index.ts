import type { CursorPart } from '../lib/cursor.ts';

/**
 * Full text by our own tokens and our own ranking (packages/search). The index is derived data: it can be dropped and
 * rebuilt from the stores at any time. An entry is found as soon as `put` has resolved, and stays found after a crash.
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
 * Ties are broken by id. `rank`: what has every word before what has some of them; in each by relevance, then the latest
 * first. The other orders show what has every word, and only where nothing has, the rest by relevance.
 */
export type SearchOrder = 'rank' | 'modified' | 'created' | 'title' | 'size';

export type SearchMode = 'keyword' | 'meaning' | 'both';

export interface SearchQuery {
  space: string;
  owners: readonly string[];
  /** What is looked for in the title, in headings or body, anywhere. Of several the first given ranks: anywhere, body, title. */
  title?: string | undefined;
  body?: string | undefined;
  anywhere?: string | undefined;
  /** The last word may be the beginning of one. */
  prefix?: boolean | undefined;
  /** By words (default), by meaning, or by both ranked together; by meaning only in the order `rank`. */
  mode?: SearchMode | undefined;
  /** Only what was changed from this time on, and before that one, in Unix milliseconds. */
  changedFrom?: number | undefined;
  changedBefore?: number | undefined;
  /** Ids of which is to be told whether they are among all matches. */
  among?: readonly string[] | undefined;
  order: SearchOrder;
  /** Goes on after this hit, by relevance and with the statistics it was found with; the offset counts from there. */
  after?: readonly CursorPart[] | undefined;
  offset: number;
  limit: number;
}

export interface SearchHit {
  id: string;
  /** Whether every word of the question is there, only some of them, or none and it was found by meaning. */
  match: 'all' | 'some' | 'meaning';
  /** How well it matches, comparable between spaces that were asked the same question in the same mode. */
  score: number;
  /** The passage that is nearest in meaning, by its place in the text, where it was found so. */
  near?: { from: number; to: number; score: number } | undefined;
  /** For `after`; good for the same question only. */
  place: readonly CursorPart[];
}

export interface SearchResult {
  hits: SearchHit[];
  /** All matches, not only this page's. */
  total: number;
  /** Which of the ids asked about are among them. */
  among?: readonly string[];
  /** Only words were looked at, although meaning was asked for: the endpoint does not answer. */
  isKeywordOnly?: boolean;
}

/** A newer version of sheaf has taken the index over: this node writes no more of it, others do. */
export class IndexTakenOver extends Error {
  constructor(format: string, own: string) {
    super(`the search index is of format ${format}, written by a newer version of sheaf; this one writes ${own}`);
    this.name = 'IndexTakenOver';
  }
}

export interface SearchIndex {
  /** Adds or replaces; all of the entries or none. All that write reject with IndexTakenOver where another version does. */
  put(entries: readonly SearchEntry[]): Promise<void>;
  remove(space: string, ids: readonly string[]): Promise<void>;
  search(query: SearchQuery): Promise<SearchResult>;
  /** Drops everything of a space (before a rebuild). */
  clear(space: string): Promise<void>;
  /** New, damaged or of an older format: what it holds is not all there is until `rebuilt` was called. */
  readonly needsRebuild: boolean;
  /**
   * Asked before rebuilding and every now and then meanwhile: `mine`, this node is to do it; `elsewhere`, another node is
   * at it; `done`, nothing is left to do.
   */
  takeRebuild(): Promise<'mine' | 'elsewhere' | 'done'>;
  rebuilt(): Promise<void>;
  close(): Promise<void>;
}
