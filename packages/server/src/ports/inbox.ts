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
  /** Time of the newest thing that the line stands for. */
  at: number;
  isRead: boolean;
  /** Number of things that the line stands for. */
  count: number;
  /** The object; undefined for the work of an agent. */
  kind?: ResourceKind;
  subjectId?: string;
  title?: string;
  /** Users who did it, the last one first. */
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
 * Reads inboxes. Nothing is stored for a line but what it is derived from; whether its user may see the object is
 * decided at every call. Guarantee: a line of an object that its user may no longer see is in no answer after the write
 * that took the access away has resolved.
 */
export interface InboxReader {
  /** Returns the lines of the last weeks, newest first, of those kinds of objects. Texts of comments on cells are missing. */
  lines(userId: string, kinds: readonly ResourceKind[]): Promise<InboxLine[]>;
}
