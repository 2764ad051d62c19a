import type { Stamp } from './audit-stamp.ts';
import { RefusalError } from './refusal-error.ts';

export type TaggedKind = 'note' | 'item' | 'sheet';

export interface ObjectTag {
  tag: string;
  /** Whether the tag is in the text, as `#tag`. It can then be removed only by changing the text. */
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
 * Stores tags of notes and spreadsheets, and reads tags of items, which the wiki store writes. Tags are compared
 * case-insensitively. Guarantee: lists contain only objects that the user may see, and include the tags in all texts
 * that were stored before the call.
 */
export interface TagStore {
  tagsOf(ids: readonly string[]): Promise<Map<string, ObjectTag[]>>;
  /**
   * Adds and removes tags of a note or spreadsheet. Tags in the text of a note stay. Returns all its tags. Throws
   * TagsRefused if there would be more than `max`.
   */
  change(
    stamp: Stamp,
    object: { kind: 'note' | 'sheet'; id: string; ownerId: string },
    change: { add: readonly string[]; remove: readonly string[]; max: number },
  ): Promise<ObjectTag[]>;
  /** Counts the tags of everything that the user may see. */
  counts(userId: string, kinds: readonly TaggedKind[]): Promise<TagCount[]>;
  /** Returns up to `limit` ids that have all of these tags. */
  tagged(userId: string, tags: readonly string[], kinds: readonly TaggedKind[], limit: number): Promise<TaggedObject[]>;
}
