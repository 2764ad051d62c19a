import type { ResourceKind } from './permission-store.ts';

/** Returns the topic under which the event bus reports changes of the user's inbox. */
export function inboxTopic(userId: string): string {
  return `inbox:${userId}`;
}

export const lineTypes = ['mention', 'reply', 'comment', 'share', 'change', 'agent'] as const;
export type LineType = (typeof lineTypes)[number];

/**
 * One line of an inbox. It summarizes similar events, such as all changes of a note, and contains only data that the
 * user may see at the time of reading.
 */
export interface InboxLine {
  id: string;
  type: LineType;
  /** Time of the newest event that the inbox line summarizes. */
  at: number;
  isRead: boolean;
  /** Number of events that the inbox line summarizes. */
  count: number;
  /**
   * Object that the inbox line refers to. Undefined for a line about the writes of an agent (an API key or connected
   * app).
   */
  kind?: ResourceKind;
  subjectId?: string;
  title?: string;
  /** Some of the users who caused the events, the most recent one first. */
  by: string[];
  threadId?: string;
  entryId?: string;
  /** For a comment on a cell: the spreadsheet revision that contains the comment text. */
  version?: number;
  text?: string;
  /** For an inbox line about an agent: the agent's API key or app connection. */
  keyId?: string;
  keyName?: string;
  operations?: { operation: string; count: number }[];
}

/**
 * Reads the inboxes of users. Inbox lines are not stored: every call derives them from comments, shares and changes and
 * checks the user's access. So no line is about an object that the user may no longer access.
 */
export interface InboxReader {
  /**
   * Returns the user's inbox lines of the last weeks, newest first: those about these kinds of objects, and those about
   * agents (API keys and connected apps). Lines about comments on cells lack the text of the comment.
   */
  lines(userId: string, kinds: readonly ResourceKind[]): Promise<InboxLine[]>;
}
