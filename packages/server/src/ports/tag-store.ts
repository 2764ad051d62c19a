import type { Stamp } from './audit-stamp.ts';
import { RefusalError } from './refusal-error.ts';

export type TaggedKind = 'note' | 'item' | 'sheet';

export interface ObjectTag {
  tag: string;
  /**
   * True if the tag comes only from a `#tag` in the note's text. Such a tag can be removed only by changing the text.
   * False if it was added with `TagStore.change`.
   */
  isText: boolean;
}

export interface TagCount {
  tag: string;
  counts: Record<TaggedKind, number>;
}

export interface TaggedObject {
  kind: TaggedKind;
  id: string;
}

/** Thrown when the store refuses to add tags; nothing was written. */
export class TagsRefused extends RefusalError<{ reason: 'too_many_tags'; count: number; limit: number }> {}

/**
 * Stores tags of notes and spreadsheets. Counts and finds objects by tag, including knowledge base items, whose tags
 * another store writes. Tags are compared case-insensitively. `counts` and `tagged` cover only objects that the user
 * may see, and all note texts that were stored before the call.
 */
export interface TagStore {
  tagsOf(ids: readonly string[]): Promise<Map<string, ObjectTag[]>>;
  /**
   * Adds and removes tags of a note or spreadsheet. Tags in the text of a note cannot be removed. Returns all tags of
   * the object. Throws TagsRefused if it would have more than `max` tags, not counting those in its text.
   */
  change(
    stamp: Stamp,
    object: { kind: 'note' | 'sheet'; id: string; ownerId: string },
    change: { add: readonly string[]; remove: readonly string[]; max: number },
  ): Promise<ObjectTag[]>;
  /**
   * Returns each tag with the number of objects of each kind that have it. Counts only objects that the user may see.
   */
  counts(userId: string, kinds: readonly TaggedKind[]): Promise<TagCount[]>;
  /** Returns up to `limit` objects that have all of these tags and that the user may see. */
  tagged(userId: string, tags: readonly string[], kinds: readonly TaggedKind[], limit: number): Promise<TaggedObject[]>;
}
