import type { Stamp } from './audit-stamp.ts';
import { RefusalError } from './refusal-error.ts';

export type TaggedKind = 'note' | 'item' | 'sheet';

export interface ObjectTag {
  tag: string;
  /** Whether the note's text contains the tag as `#tag`. Such a tag can be removed only by changing the text. */
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
 * Stores tags of notes and spreadsheets, and reads tags of knowledge base items. Tags are compared case-insensitively.
 * Lists contain only objects that the user may see, and cover all texts that were stored before the call.
 */
export interface TagStore {
  tagsOf(ids: readonly string[]): Promise<Map<string, ObjectTag[]>>;
  /**
   * Adds and removes tags of a note or spreadsheet. Tags in the text of a note cannot be removed. Returns all tags of
   * the object. Throws TagsRefused if it would have more than `max` tags.
   */
  change(
    stamp: Stamp,
    object: { kind: 'note' | 'sheet'; id: string; ownerId: string },
    change: { add: readonly string[]; remove: readonly string[]; max: number },
  ): Promise<ObjectTag[]>;
  /** Counts the tags of all objects that the user may see. */
  counts(userId: string, kinds: readonly TaggedKind[]): Promise<TagCount[]>;
  /** Returns up to `limit` ids that have all of these tags. */
  tagged(userId: string, tags: readonly string[], kinds: readonly TaggedKind[], limit: number): Promise<TaggedObject[]>;
}
