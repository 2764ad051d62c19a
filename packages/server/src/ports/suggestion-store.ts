import type { Stamp } from './audit-stamp.ts';
import type { NoteLimits } from './note-store.ts';

export interface Suggestion {
  id: string;
  noteId: string;
  /** User who made the suggestion, and the API key or session used. */
  userId: string;
  keyId: string;
  at: number;
  /** Version of the note's text to which the edits apply. */
  baseVersion: number;
  /** The edits as JSON. Each edit includes its state. */
  edits: string;
  /** Whether any edit still awaits a decision. */
  isOpen: boolean;
}

/** Thrown if a note already has the maximum number of open suggestions; nothing was written. */
export class TooManySuggestions extends Error {}

/**
 * Stores suggested changes of notes until someone accepts or rejects them. A suggestion counts against the quota of the
 * note's author.
 */
export interface SuggestionStore {
  add(stamp: Stamp, authorId: string, suggestion: Omit<Suggestion, 'isOpen'>, limits: NoteLimits): Promise<void>;
  get(id: string): Promise<Suggestion | undefined>;
  /** Lists the open suggestions of a note, oldest first. */
  open(noteId: string): Promise<Suggestion[]>;
  countOpen(noteId: string): Promise<number>;
  /**
   * Replaces the edits of a suggestion if they are still equal to `before`; returns whether they were. `isOpen` is true
   * if an edit still awaits a decision.
   */
  decide(stamp: Stamp, id: string, change: { before: string; after: string; isOpen: boolean }): Promise<boolean>;
}
