import type { ResourceKind } from './permission-store.ts';

/** Topic of the events that say that a user's inbox changed. */
export function inboxTopic(userId: string): string {
  return `inbox:${userId}`;
}

export const lineTypes = ['mention', 'reply', 'comment', 'share', 'change', 'agent'] as const;
export type LineType = (typeof lineTypes)[number];

/** One line of an inbox. It names only what its user may see at the time of reading. */
export interface InboxLine {
  id: string;
  type: LineType;
  /** Time of the newest event that the line stands for. */
  at: number;
  isRead: boolean;
  /** Number of events that the line stands for. */
  count: number;
  /** Object that the line is about; undefined for the writes of an agent. */
  kind?: ResourceKind;
  subjectId?: string;
  title?: string;
  /** Users who caused the events, the most recent one first. */
  by: string[];
  threadId?: string;
  entryId?: string;
  /** For a comment on a cell: the revision that has its text. */
  version?: number;
  text?: string;
  /** For an agent: its key or connection. */
  keyId?: string;
  keyName?: string;
  operations?: { operation: string; count: number }[];
}

/**
 * Reads inboxes. Lines are not stored but derived from other data, and access to the object is checked at every call.
 * Guarantee: once a write that takes a user's access to an object away has resolved, no answer contains a line about
 * the object.
 */
export interface InboxReader {
  /**
   * Returns the lines of the last weeks about these kinds of objects, newest first. The texts of comments on cells are
   * missing.
   */
  lines(userId: string, kinds: readonly ResourceKind[]): Promise<InboxLine[]>;
}
