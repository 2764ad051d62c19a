import type { Stamp } from './audit-stamp.ts';
import type { NoteLimits } from './note-store.ts';

export interface Suggestion {
  id: string;
  noteId: string;
  /** User who made the suggestion, and the API key or session used. */
  userId: string;
  keyId: string;
  at: number;
  /** Version of the note's text to which the suggested edits apply. */
  baseVersion: number;
  /** The edits as JSON. Each edit includes its state: open, accepted or rejected. */
  edits: string;
  /** Whether any edit of the suggestion still awaits a decision. */
  isOpen: boolean;
}

/** Thrown if a note already has the maximum number of open suggestions; nothing was written. */
export class TooManySuggestions extends Error {}

/**
 * Stores suggested changes of notes and which of their edits were accepted or rejected. A suggestion counts against the
 * quota of the note's author.
 */
export interface SuggestionStore {
  add(stamp: Stamp, authorId: string, suggestion: Omit<Suggestion, 'isOpen'>, limits: NoteLimits): Promise<void>;
  get(id: string): Promise<Suggestion | undefined>;
  /** Lists the open suggestions of a note, oldest first. */
  open(noteId: string): Promise<Suggestion[]>;
  countOpen(noteId: string): Promise<number>;
  /**
   * Stores a decision about edits of a suggestion. Replaces the stored edits `before` by `after`, whose states contain
   * the decision. `isOpen`: whether an edit still awaits a decision. Returns false and changes nothing if the stored
   * edits differ from `before`, because somebody else decided meanwhile.
   */
  decide(stamp: Stamp, id: string, change: { before: string; after: string; isOpen: boolean }): Promise<boolean>;
}
