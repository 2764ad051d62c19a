import type { Outline } from '@sheaf/search/passages/split-passages';
import type { SearchHit, SearchMode, SearchResult } from './search-index.ts';

/** Text of an entry with the positions of its headings, pages and tables. */
export interface SourceText {
  body: string;
  /** Headings, one per line. */
  headings: string;
  outline?: Outline | undefined;
}

export interface SourceHit {
  /** Kind of the entry: `knowledge` (item of a knowledge base), `folder` (of a knowledge base), `note` or `sheet`. */
  kind: string;
  id: string;
  title: string;
  /**
   * Passage of the text that matches, with `<em>` around the matching words. Undefined if only the title matched or the
   * query asked for no passages.
   */
  passage?: string;
  modifiedAt: number;
  match: SearchHit['match'];
  score: SearchHit['score'];
  near?: SearchHit['near'];
  /** Position of this hit within its source. As `SourceQuery.after`, it continues the search after this hit. */
  place: SearchHit['place'];
  /** Reads the whole text of the entry; undefined if the entry has none. */
  readText(): Promise<SourceText | undefined>;
  /** Id of the user who wrote or added the entry; '' for a folder. */
  authorId: string;
  /** Knowledge base or notebook that contains the entry, if any. */
  containerId?: string;
  containerName?: string;
}

/** Restrictions in addition to the words of the query. An undefined field does not restrict. */
export interface SourceFilter {
  kinds?: readonly string[] | undefined;
  /** Id of the knowledge base that must contain the entry. */
  containerId?: string | undefined;
  /** Ids of folders. One of them must contain the entry directly. */
  folderIds?: ReadonlySet<string> | undefined;
  /**
   * Media types of knowledge base items, as the numbers that the API uses (1 is PDF). The entry must be an item with
   * one of them.
   */
  mediaTypes?: readonly number[] | undefined;
  authorId?: string | undefined;
  changedFrom?: number | undefined;
  changedBefore?: number | undefined;
  /** Tags that the entry must have (all of them), and the ids of the entries that have these tags. */
  tags?: readonly string[] | undefined;
  taggedIds?: ReadonlySet<string> | undefined;
}

export interface SourceQuery {
  filter: SourceFilter;
  after: SearchHit['place'] | undefined;
  limit: number;
  prefix?: boolean | undefined;
  mode?: SearchMode | undefined;
  /** Set to false to omit `SourceHit.passage`, which requires reading the texts of all hits. */
  hasHighlights?: boolean | undefined;
}

export interface SourceResult {
  hits: SourceHit[];
  /** Cursor position of the next page; undefined if this is the last page. */
  next: SearchHit['place'] | undefined;
  /**
   * Number of all hits. Undefined if counting would require reading each hit, for example because of an author filter.
   */
  total: number | undefined;
  /**
   * Upper bound of the number of hits: the hits of the search index minus those that were removed for this page,
   * because they are deleted or do not pass the filter. Exact if this page is the only one.
   */
  maxTotal: number;
  /** Whether a search by meaning fell back to a search by words. */
  isKeywordOnly?: boolean | undefined;
  /**
   * Maps words of the query to the words that were searched for them: the most similar word of the source for a word
   * that none of its entries contains, or translations of a word.
   */
  corrected?: SearchResult['corrected'];
}

/**
 * Finds one kind of entries for searches over all modules, such as the operation `search_all`. Returns only entries
 * that the user may see.
 */
export interface SearchSource {
  /** Name of the source, which is the `SearchEntry.space` of its entries, for example `shared_note`. */
  readonly name: string;
  /** Module to which an API key needs access to search the source. Default: the source's name. */
  readonly module?: string;
  /** Values of `SourceHit.kind` that this source returns. */
  readonly kinds: readonly string[];
  /** Returns hits after a cursor position, best first. Hits deleted meanwhile are left out. */
  find(userId: string, query: string, page: SourceQuery): Promise<SourceResult>;
}

/** Returns whether an entry matches the author and time filters. */
export function matchesFilter(filter: SourceFilter, one: { authorId: string; modifiedAt: number }): boolean {
  return (
    (filter.authorId ?? one.authorId) === one.authorId &&
    one.modifiedAt >= (filter.changedFrom ?? 0) &&
    one.modifiedAt < (filter.changedBefore ?? Infinity)
  );
}

/** Returns whether the filter uses a field that only entries of knowledge bases have. */
export function isInKnowledgeBase({ containerId, folderIds, mediaTypes }: SourceFilter): boolean {
  return containerId !== undefined || folderIds !== undefined || mediaTypes !== undefined;
}
