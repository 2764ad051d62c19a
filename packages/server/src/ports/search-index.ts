import type { CursorPart } from '../lib/cursor.ts';

/**
 * An entry of the full-text index. The index can be dropped and rebuilt from the databases of notes, knowledge bases
 * and spreadsheets at any time. Once `SearchIndex.put` has resolved, the entry can be found, even after a crash.
 */
export interface SearchEntry {
  /**
   * Kind of entry: `note`, `shared_note` (second entry of a note that its author shares), `wiki` (item or folder of a
   * knowledge base) or `sheet`.
   */
  space: string;
  id: string;
  /**
   * Id by which searches are restricted to what the user may see: the author's user id for a note, the note's own id
   * for a shared note, the knowledge base id for an item or folder, the spreadsheet's own id for a spreadsheet.
   */
  owner: string;
  title: string;
  headings: string;
  body: string;
  created: number;
  modified: number;
  /** Sort key: normalized form of the title by which hits are ordered. */
  titleKey: string;
  size: number;
}

/**
 * Order of hits. `rank` lists entries that match every word before entries that match some words, each group by
 * relevance. The other orders list only entries that match every word. If no entry matches every word, these orders
 * list the entries that match some words, by relevance.
 */
export type SearchOrder = 'rank' | 'modified' | 'created' | 'title' | 'size';

export type SearchMode = 'keyword' | 'meaning' | 'both';

export interface SearchQuery {
  space: string;
  owners: readonly string[];
  /**
   * Words to find: `title` in the title, `body` in headings or body, `anywhere` in all fields. Of `anywhere`, `body`
   * and `title`, the first one that is given determines the ranking. An entry must contain every word of the others.
   */
  title?: string | undefined;
  body?: string | undefined;
  anywhere?: string | undefined;
  /** Whether the last word of the query also matches as a prefix of longer words. */
  prefix?: boolean | undefined;
  /**
   * Whether to search by words (default), by meaning (embeddings), or by both with a common ranking. Meaning is used
   * only if the order is `rank`, `anywhere` is given and `offset` is 0; otherwise only words are searched.
   */
  mode?: SearchMode | undefined;
  /** Start of the modification time range in Unix milliseconds, inclusive. `changedBefore` is its end, exclusive. */
  changedFrom?: number | undefined;
  changedBefore?: number | undefined;
  /**
   * Ids of entries to look for among all matches, not only those on this page. `SearchResult.among` lists the ids that
   * match.
   */
  among?: readonly string[] | undefined;
  order: SearchOrder;
  /**
   * Cursor of a hit. Results continue after that hit; `offset` counts from there. They are ranked with the term
   * statistics of the search that found the hit, so that the pages fit together although entries may have changed.
   */
  after?: readonly CursorPart[] | undefined;
  offset: number;
  limit: number;
}

export interface SearchHit {
  id: string;
  /** Whether the entry contains all words of the query, some of them, or none because it was found by meaning. */
  match: 'all' | 'some' | 'meaning';
  /**
   * Relevance. Scores can be compared between notes, knowledge bases and spreadsheets for the same query in the same
   * mode.
   */
  score: number;
  /**
   * For hits found by meaning: start and end offset of the most similar passage, and its `score`, which is the
   * passage's similarity to the query, multiplied by the weight of similarity in the ranking.
   */
  near?: { from: number; to: number; score: number } | undefined;
  /** Cursor of the hit, to pass as `SearchQuery.after`. Valid for the same query only. */
  place: readonly CursorPart[];
}

export interface SearchResult {
  hits: SearchHit[];
  /** Number of all matches of the query, not only of those on this page. */
  total: number;
  /** Those ids of `SearchQuery.among` whose entries match the query. */
  among?: readonly string[];
  /** Whether a search by meaning fell back to words because the embedding endpoint does not answer. */
  isKeywordOnly?: boolean;
  /**
   * Maps words of the query to the words that were searched for them: the most similar word of the index for a word
   * that no entry contains, or translations of a word.
   */
  corrected?: ReadonlyMap<string, string>;
}

/**
 * Thrown by writes when a newer version of sheaf has claimed the index. From then on only nodes of that version may
 * write it.
 */
export class IndexTakenOver extends Error {
  constructor(format: string, own: string) {
    super(`the search index is of format ${format}, written by a newer version of sheaf; this one writes ${own}`);
    this.name = 'IndexTakenOver';
  }
}

export interface SearchIndex {
  /**
   * Adds or replaces all of the entries in one write. Like every write, rejects with IndexTakenOver if a newer version
   * has claimed the index.
   */
  put(entries: readonly SearchEntry[]): Promise<void>;
  remove(space: string, ids: readonly string[]): Promise<void>;
  search(query: SearchQuery): Promise<SearchResult>;
  clear(space: string): Promise<void>;
  /** Whether the index is new, damaged or of an older format. It is then incomplete until `rebuilt` is called. */
  readonly needsRebuild: boolean;
  /**
   * Claims the rebuild of the index; must be called before and periodically during a rebuild. Returns `mine` if this
   * node must rebuild, `elsewhere` if another node is rebuilding, `done` if the index is complete.
   */
  takeRebuild(): Promise<'mine' | 'elsewhere' | 'done'>;
  rebuilt(): Promise<void>;
  close(): Promise<void>;
}
