import type { LinkKind, NoteScan } from './note-text.ts';

export interface NoteLink {
  noteId: string;
  number: number;
  /** Kind of object to which the link leads; '' if the link has no target. */
  kind: LinkKind | '';
  /** Id of the link's target; '' if the link has only a title and no note, spreadsheet or item has this title. */
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
  /** Due date of the task as YYYY-MM-DD; '' if there is none. */
  due: string;
}

export interface LinkQuery {
  userId: string;
  noteId?: string | undefined;
  notebookId?: string | undefined;
  /** If true, only links whose target does not exist or is deleted are listed. */
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
  /** Range of due dates as YYYY-MM-DD: from `dueFrom` (inclusive) to `dueBefore` (exclusive). */
  dueFrom?: string | undefined;
  dueBefore?: string | undefined;
  after?: { due: string; noteId: string; line: number } | undefined;
  limit: number;
}

/**
 * Lists the links and tasks of a user's notes. Every method first processes the notes that changed, so that its answer
 * covers all texts stored before the call. A link that names its target by title keeps this target even if the target
 * is renamed.
 */
export interface NoteGraphReader {
  /** Extracts the links, tags and tasks of a user's changed notes. */
  refresh(userId: string): Promise<void>;
  /** Lists the links in a user's notes, ordered by note and line. */
  links(query: LinkQuery): Promise<NoteLink[]>;
  /** Lists the links from a user's notes to the given note, item or spreadsheet. */
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

/** A note whose text changed after its links, tags and tasks were extracted. */
export interface NoteToScan {
  id: string;
  version: number;
  scannedVersion: number;
  size: number;
}

/** Stores the links, tags and tasks extracted from the texts of notes. */
export interface NoteGraphStore extends Omit<NoteGraphReader, 'refresh'> {
  /** Lists the user's notes whose text changed since it was last scanned, in the order of their ids. */
  notesToScan(userId: string, after: string, limit: number): Promise<NoteToScan[]>;
  /**
   * Replaces the stored links, tags and tasks of these notes by those in the scans. Skips a note that another call has
   * scanned meanwhile. A link by title keeps its target if the note already had a link with this title.
   */
  save(userId: string, scans: readonly { note: NoteToScan; scan: NoteScan }[]): Promise<void>;
  /**
   * Finds targets for those links of the user's notes that have none yet. The target is a note, spreadsheet or item
   * that has the link's title and that the user may see.
   */
  resolve(userId: string): Promise<void>;
}
