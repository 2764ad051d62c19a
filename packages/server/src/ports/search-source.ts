import type { Outline } from '@sheaf/search/passages/split-passages';
import type { SearchHit, SearchMode } from './search-index.ts';

/** A hit of a search across modules. */
export interface SourceHit {
  /** One of `knowledge`, `folder`, `note`, `sheet`. */
  kind: string;
  id: string;
  title: string;
  /** A passage of the text with `<em>` around matches; undefined if only the title matched. */
  passage?: string;
  modifiedAt: number;
  match: SearchHit['match'];
  score: SearchHit['score'];
  near?: SearchHit['near'];
  /** Cursor position of this hit within its source. */
  place: SearchHit['place'];
  /** The whole text, if `SourceQuery.texts` is set. */
  text?: { body: string; headings: string; outline?: Outline | undefined } | undefined;
  /** The user who wrote or added it. */
  authorId: string;
  /** The knowledge base or notebook that contains it, if any. */
  containerId?: string;
  containerName?: string;
}

/** Restrictions besides the words; absent fields do not restrict. */
export interface SourceFilter {
  /** Values of `SourceHit.kind`. */
  kinds?: readonly string[] | undefined;
  /** Id of the knowledge base that contains it. */
  containerId?: string | undefined;
  authorId?: string | undefined;
  changedFrom?: number | undefined;
  changedBefore?: number | undefined;
}

export interface SourceQuery {
  filter: SourceFilter;
  after: SearchHit['place'] | undefined;
  limit: number;
  prefix?: boolean | undefined;
  mode?: SearchMode | undefined;
  /** Whether to return `SourceHit.text`. */
  texts?: boolean | undefined;
}

export interface SourceResult {
  hits: SourceHit[];
  /** Cursor position of the next page; undefined if this is the last. */
  next: SearchHit['place'] | undefined;
  /** Undefined if counting would require reading each hit: with an author filter, or one of a source's two kinds. */
  total: number | undefined;
  /** True if a search by meaning fell back to words. */
  isKeywordOnly?: boolean | undefined;
}

/** A module's contribution to `search_all`, which queries all sources. Guarantee: returns only what the user may see. */
export interface SearchSource {
  /** Names the source's part of the cursor. Hits with equal scores are ordered by source. */
  readonly name: string;
  /** Values of `SourceHit.kind` that this source returns. */
  readonly kinds: readonly string[];
  /** Hits after a cursor position, best first; hits deleted in the meantime are left out. */
  find(userId: string, query: string, page: SourceQuery): Promise<SourceResult>;
}

/** Whether an entry matches the author and time filters. */
export function matchesFilter(filter: SourceFilter, one: { authorId: string; modifiedAt: number }): boolean {
  return (
    (filter.authorId ?? one.authorId) === one.authorId &&
    one.modifiedAt >= (filter.changedFrom ?? 0) &&
    one.modifiedAt < (filter.changedBefore ?? Infinity)
  );
}
