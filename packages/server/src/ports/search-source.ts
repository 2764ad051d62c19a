import type { Outline } from '@sheaf/search/passages/passages';
import type { SearchHit, SearchMode } from './search-index.ts';

/** One thing found by a search across modules. */
export interface Found {
  /** `knowledge`, `folder`, `note`, `sheet`. */
  kind: string;
  id: string;
  title: string;
  /** A passage of the text with `<em>` around what was found; undefined when only the title matched. */
  passage?: string;
  modifiedAt: number;
  match: SearchHit['match'];
  score: SearchHit['score'];
  near?: SearchHit['near'];
  /** Where this source goes on after it. */
  place: SearchHit['place'];
  /** The whole text, where passages are asked for. */
  text?: { body: string; headings: string; outline?: Outline | undefined } | undefined;
  /** Who wrote it or added it. */
  authorId: string;
  /** The knowledge base or notebook it is in, where there is one. */
  containerId?: string;
  containerName?: string;
}

/** What is looked for, besides the words. Whatever is left out does not matter. */
export interface SourceFilter {
  /** As of `Found`. */
  kinds?: readonly string[] | undefined;
  /** The knowledge base it is in. */
  containerId?: string | undefined;
  authorId?: string | undefined;
  changedFrom?: number | undefined;
  changedBefore?: number | undefined;
}

export interface SourcePage {
  filter: SourceFilter;
  after: SearchHit['place'] | undefined;
  limit: number;
  prefix?: boolean | undefined;
  mode?: SearchMode | undefined;
  /** Whether the texts are wanted too. */
  texts?: boolean | undefined;
}

export interface FoundPage {
  found: Found[];
  /** Where the page after this one begins; undefined when nothing is left. */
  next: SearchHit['place'] | undefined;
  /** Undefined where that is not known without looking at each of them: of one author, or of one of two kinds of a source. */
  total: number | undefined;
  /** Only words were looked at, although meaning was asked for. */
  isKeywordOnly?: boolean | undefined;
}

/**
 * What a module lets others find. Each module that has something to find provides one; `search_all` asks them all.
 * Guarantee: only what the user may see.
 */
export interface SearchSource {
  /** Names the part of the cursor that is theirs; of equal hits, those of the earlier source come first. */
  readonly name: string;
  /** The kinds it finds. */
  readonly kinds: readonly string[];
  /** Best first, what comes after a place; what is gone meanwhile is left out. */
  find(userId: string, query: string, page: SourcePage): Promise<FoundPage>;
}

/** Whether something is of the author and time that are looked for. */
export function isWanted(filter: SourceFilter, one: { authorId: string; modifiedAt: number }): boolean {
  return (
    (filter.authorId ?? one.authorId) === one.authorId &&
    one.modifiedAt >= (filter.changedFrom ?? 0) &&
    one.modifiedAt < (filter.changedBefore ?? Infinity)
  );
}
