import { RefusalError } from './refusal-error.ts';
import type { Stamp } from './audit-stamp.ts';
import type { Resource, ResourceKind } from './permission-store.ts';

/** An entry of a thread that concerns a user. */
export interface CommentNotice {
  kind: 'note' | 'sheet';
  subjectId: string;
  threadId: string;
  entryId: string;
  /** `comment`: somebody commented on an object that the user owns or follows. */
  reason: 'mention' | 'reply' | 'comment';
  authorId: string;
  /** For a sheet: the revision that has the entry's text. */
  version: number;
  /** Text of an entry on a note. */
  text: string | undefined;
  at: number;
}

export interface ReceivedShare extends Resource {
  /** User who shared it, or its owner. */
  by: string;
  at: number;
}

/** A change by another user to an object that a user follows. */
export interface FollowedChange extends Resource {
  by: string;
  at: number;
}

/** Writes of one API key or connected app of a user, newest first. */
export interface AgentWrite {
  keyId: string;
  keyName: string;
  operation: string;
  target: string;
  at: number;
}

export interface Follow extends Resource {
  since: number;
}

export const maxFollows = 1000;

/** Thrown when a user already follows the maximum number of objects. */
export class FollowRefused extends RefusalError<{ reason: 'too_many'; count: number; limit: number }> {}

/** Key in the map of `readTimes` for the time up to which all lines were read. */
export const allLines = '*';

/**
 * Reads the data from which an inbox is built, and stores which lines were read. It does not decide what a user may
 * see: the reader of the inbox checks every object at the time of reading. Every list is bounded and contains the
 * newest entries.
 */
export interface InboxStore {
  notices(userId: string, since: number): Promise<CommentNotice[]>;
  shares(userId: string, since: number): Promise<ReceivedShare[]>;
  changes(userId: string, since: number): Promise<FollowedChange[]>;
  agentWrites(userId: string, since: number): Promise<AgentWrite[]>;
  /** Returns the titles of those objects that exist and are not in the trash. */
  titles(kind: ResourceKind, ids: readonly string[]): Promise<Map<string, string>>;
  userNames(ids: readonly string[]): Promise<Map<string, string>>;
  /** Returns the text of an entry on a cell as the revision of the notice has it. */
  cellComment(notice: Pick<CommentNotice, 'subjectId' | 'version' | 'entryId'>): Promise<string | undefined>;
  /** Returns the users whose inboxes the revision of a spreadsheet changed. */
  receivers(subjectId: string, version: number): Promise<string[]>;

  /** Returns the times at which lines were read, by line id; 0 for lines that are marked as unread. */
  readTimes(userId: string): Promise<Map<string, number>>;
  /** Marks lines as read up to the time, or as unread with 0. */
  markLines(stamp: Stamp, lineIds: readonly string[], readAt: number): Promise<void>;
  /** Marks all lines up to the time as read. */
  markAll(stamp: Stamp, readAt: number): Promise<void>;

  /** Follows an object. Throws FollowRefused. */
  follow(stamp: Stamp, resource: Resource): Promise<void>;
  /**
   * Ends following, so that later comments of the user do not start it again. Returns whether the user followed the
   * object.
   */
  unfollow(stamp: Stamp, resource: Resource): Promise<boolean>;
  followed(userId: string): Promise<Follow[]>;
  /** Returns the active users who may be mentioned on an object: its owner and everybody with a grant, by name. */
  readers(resource: Resource, name: string, limit: number): Promise<{ id: string; name: string }[]>;
}
