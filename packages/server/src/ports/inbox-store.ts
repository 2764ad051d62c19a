import { RefusalError } from './refusal-error.ts';
import type { Stamp } from './audit-stamp.ts';
import type { Resource, ResourceKind } from './permission-store.ts';

/** A comment that appears in a user's inbox. */
export interface CommentNotice {
  kind: 'note' | 'sheet';
  subjectId: string;
  threadId: string;
  entryId: string;
  /**
   * Why the user gets the notice: the comment mentions the user, replies in a thread in which the user has written, or
   * is on an object that the user owns or follows.
   */
  reason: 'mention' | 'reply' | 'comment';
  authorId: string;
  /**
   * For a comment on a spreadsheet: the spreadsheet's revision that contains the comment text. 0 for a comment on a
   * note.
   */
  version: number;
  /** Text of a comment on a note. Undefined for a comment on a spreadsheet, and for a deleted comment. */
  text: string | undefined;
  at: number;
}

export interface ReceivedShare extends Resource {
  /**
   * User who shared the object. If that is not recorded: the owner of the spreadsheet or the creator of the knowledge
   * base.
   */
  by: string;
  at: number;
}

/** A change by another user to an object that a user follows. */
export interface FollowedChange extends Resource {
  by: string;
  at: number;
}

/** A write that an API key or connected app of the user made. */
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

/**
 * Line id that stands for all lines of an inbox. For this id, `readTimes` returns the time up to which the user has
 * marked all lines as read.
 */
export const allLines = '*';

/**
 * Reads the data from which inboxes are built, and stores which inbox lines were read. Does not check access, because
 * the inbox reader checks at every read whether the user may still see each object. Every list is bounded and contains
 * the newest entries.
 */
export interface InboxStore {
  notices(userId: string, since: number): Promise<CommentNotice[]>;
  shares(userId: string, since: number): Promise<ReceivedShare[]>;
  changes(userId: string, since: number): Promise<FollowedChange[]>;
  agentWrites(userId: string, since: number): Promise<AgentWrite[]>;
  /** Returns the titles of those objects that exist and are not in the trash. */
  titles(kind: ResourceKind, ids: readonly string[]): Promise<Map<string, string>>;
  userNames(ids: readonly string[]): Promise<Map<string, string>>;
  /** Returns the text of a cell comment (entry `entryId`) in revision `version` of the spreadsheet. */
  cellComment(notice: Pick<CommentNotice, 'subjectId' | 'version' | 'entryId'>): Promise<string | undefined>;
  /** Returns the users whose inboxes changed with this revision of a spreadsheet. */
  receivers(subjectId: string, version: number): Promise<string[]>;

  /**
   * Returns the times up to which inbox lines were read, by line id. The time is 0 for a line that was marked as
   * unread. The id `allLines` stands for all lines that have no time of their own.
   */
  readTimes(userId: string): Promise<Map<string, number>>;
  /** Marks inbox lines as read up to the time; a time of 0 marks them as unread. */
  markLines(stamp: Stamp, lineIds: readonly string[], readAt: number): Promise<void>;
  /** Marks all inbox lines up to the time `readAt` as read. */
  markAll(stamp: Stamp, readAt: number): Promise<void>;

  /** Makes the user follow an object. Throws FollowRefused if the user already follows the maximum number. */
  follow(stamp: Stamp, resource: Resource): Promise<void>;
  /**
   * Makes the user stop following an object. Later comments by the user do not make the user follow it again. Returns
   * whether the user followed it.
   */
  unfollow(stamp: Stamp, resource: Resource): Promise<boolean>;
  followed(userId: string): Promise<Follow[]>;
  /**
   * Returns the active users who may be mentioned in comments on an object: its owner and everybody with whom it is
   * shared. If `name` is not empty, returns only users whose names contain it.
   */
  readers(resource: Resource, name: string, limit: number): Promise<{ id: string; name: string }[]>;
}
