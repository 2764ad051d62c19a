import type { Stamp } from './audit-stamp.ts';
import { RefusalError } from './refusal-error.ts';

export type TaggedKind = 'note' | 'item' | 'sheet';

export interface ObjectTag {
  tag: string;
  /** Whether the tag stands in the text, as `#tag`, and goes only with it. */
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
 * Tags of notes and spreadsheets, and of items for reading (items are tagged by the wiki store). Tags are compared
 * without case. Guarantee: lists contain only what the user may see, and tags in texts stored before the call.
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
