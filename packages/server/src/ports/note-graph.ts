import type { LinkKind, NoteScan } from './note-text.ts';

export interface NoteLink {
  noteId: string;
  number: number;
  /** Kind of the target; '' if the link has none. */
  kind: LinkKind | '';
  /** Id of the target; '' if no object has the title. */
  targetId: string;
  /** Title as written in the text. */
  title: string;
  titleKey: string;
  heading: string;
  line: number;
  sentence: string;
  occurrences: number;
}

export interface NoteTask {
  noteId: string;
  line: number;
  text: string;
  isDone: boolean;
  /** Date as YYYY-MM-DD; '' if there is none. */
  due: string;
}

export interface LinkQuery {
  userId: string;
  noteId?: string | undefined;
  notebookId?: string | undefined;
  /** Only links whose target does not exist or is deleted. */
  onlyBroken?: boolean | undefined;
  after?: { noteId: string; number: number } | undefined;
  limit: number;
}

export interface TaskQuery {
  userId: string;
  noteId?: string | undefined;
  /** Id of a notebook; '' for notes in no notebook, undefined for all notes. */
  notebookId?: string | undefined;
  isDone?: boolean | undefined;
  /** Dates as YYYY-MM-DD: from `dueFrom` (inclusive) to `dueBefore` (exclusive). */
  dueFrom?: string | undefined;
  dueBefore?: string | undefined;
  after?: { due: string; noteId: string; line: number } | undefined;
  limit: number;
}

/**
 * The links and tasks of notes. Guarantee: every method first derives the data of changed notes, so that its answer
 * covers all texts that were stored before the call. A link by title keeps the id of its target even if the target is
 * renamed.
 */
export interface NoteGraph {
  /** Derives the links, tags and tasks of a user's changed notes. */
  refresh(userId: string): Promise<void>;
  /** Lists links out of a user's notes, in the order of notes and lines. */
  links(query: LinkQuery): Promise<NoteLink[]>;
  /** Lists the links of a user's notes to a note, item or spreadsheet. */
  linksTo(
    userId: string,
    targetId: string,
    after: { noteId: string; number: number } | undefined,
    limit: number,
  ): Promise<NoteLink[]>;
  /** Lists tasks by due date; tasks without a date come last. */
  tasks(query: TaskQuery): Promise<NoteTask[]>;
  countTasks(query: TaskQuery): Promise<number>;
}

/** A note whose text changed since its links, tags and tasks were derived. */
export interface UnscannedNote {
  id: string;
  version: number;
  scannedVersion: number;
  size: number;
}

/** Stores the data derived from the texts of notes. */
export interface NoteGraphStore extends Omit<NoteGraph, 'refresh'> {
  /** Lists a user's notes whose text changed since it was last derived, in the order of their ids. */
  unscanned(userId: string, after: string, limit: number): Promise<UnscannedNote[]>;
  /**
   * Replaces the rows of these notes, except of notes that were derived again meanwhile. A link keeps the target that
   * the same title had in the note before.
   */
  save(userId: string, scans: readonly { note: UnscannedNote; scan: NoteScan }[]): Promise<void>;
  /**
   * Assigns targets to links that have none: the note, spreadsheet or item with the link's title that the user may see.
   */
  resolve(userId: string): Promise<void>;
}
