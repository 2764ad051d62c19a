import { RefusalError } from './refusal-error.ts';
import type { Stamp } from './audit-stamp.ts';

/** The fields of a note that lists show. They are derived from its text, or set explicitly. */
export interface NotePreview {
  title: string;
  titleKey: string;
  summary: string;
  coverImage: string;
}

export interface Note extends NotePreview {
  id: string;
  userId: string;
  /** Id of the notebook that contains the note; '' if the note is in none. */
  notebookId: string;
  notebookName: string;
  /** Whether the title was set explicitly and therefore does not change with the text. */
  isTitled: boolean;
  /** Size of the note's Markdown in bytes. */
  size: number;
  /** Number of the current version of the note's text, starting at 1. */
  version: number;
  createdAt: number;
  modifiedAt: number;
  deletedAt: number | null;
}

export interface Notebook {
  id: string;
  userId: string;
  name: string;
  /** Id of the parent notebook; '' at the top level. */
  parentId: string;
  noteCount: number;
  createdAt: number;
  modifiedAt: number;
}

export interface NoteTotals {
  /**
   * Number that increases with every change visible in the list of notebooks. Clients compare it to find out whether
   * they must load the list again.
   */
  version: number;
  noteCount: number;
  /** Number of notes that are in no notebook. */
  looseCount: number;
  createdAt: number;
  modifiedAt: number;
}

export interface NoteVersion {
  version: number;
  at: number;
  /**
   * User who made the change. Empty if a release before 0.3.0 stored this version; the user was then the note's author.
   */
  userId: string;
  keyId: string;
  operation: string;
  title: string;
  size: number;
  /** Reason for the change, as the caller gave it; empty if none was given. */
  reason: string;
}

export type NoteOrder = 'modified' | 'created' | 'title' | 'size';

export interface NoteQuery {
  userId: string;
  /** Id of the notebook whose notes are listed; '' for notes in no notebook, undefined for all notes. */
  notebookId?: string;
  order: NoteOrder;
  /** Position in the order (keyset pagination): only notes after it are returned. */
  after?: { value: string | number; id: string };
  offset?: number;
  limit: number;
}

export interface NoteLimits {
  noteBytes: number;
  /** Quota in bytes for all stored data of a user without a quota of their own. */
  quotaBytes: number;
  notebooks: number;
}

/** A change of several notes by one call. */
export interface NotesChange {
  changeId: string;
  /** Id of the user who is the author of the notes. */
  userId: string;
  /** Id that the audit log records as the target of the change. */
  target: string;
  texts: readonly {
    id: string;
    baseVersion: number;
    markdown: string;
    preview: (title: string | undefined) => NotePreview;
  }[];
  renames: readonly { id: string; title: string; titleKey: string; isTitled: boolean }[];
}

/**
 * Version and title of a note before and after a change by `NoteStore.changeAll`. `wasTitled`: whether the old title
 * was set explicitly.
 */
export interface ChangedNote {
  noteId: string;
  fromVersion: number;
  toVersion: number;
  oldTitle: string;
  wasTitled: boolean;
  newTitle: string;
}

/**
 * The notebook for a new note, by id or by name. If the user has no notebook with the name, one with the id `newId` is
 * created at the top level.
 */
export type NotebookChoice = { id: string } | { name: string; newId: string };

export type NoteRefusal =
  | { reason: 'no_space'; bytes: number; used: number; quota: number }
  | { reason: 'not_found' | 'deleted'; id: string }
  | { reason: 'too_large'; size: number; limit: number }
  | { reason: 'stale'; version: number; baseVersion: number }
  | { reason: 'name_exists'; name: string }
  | { reason: 'notebook_limit'; count: number; limit: number }
  | { reason: 'no_notebook' | 'no_parent_notebook'; id: string }
  | { reason: 'cycle' };

/** Thrown when the store refuses a write; nothing was written. */
export class NoteRefused extends RefusalError<NoteRefusal> {}

/**
 * Stores notes, their versions and notebooks. A write is atomic, and durable when its promise resolves. Writes to one
 * note are serialized, and so are changes of a user's notebooks. Earlier texts stay readable until the note is purged.
 * A write queues the note for the search index in the same transaction. Writes throw NoteRefused if the user has no
 * such note.
 */
export interface NoteStore {
  create(
    stamp: Stamp,
    note: {
      id: string;
      userId: string;
      notebook?: NotebookChoice;
      preview: NotePreview;
      isTitled: boolean;
      markdown: string;
    },
    limits: NoteLimits,
  ): Promise<Note>;
  /** Returns a note of any user, even if it is deleted; undefined if there is none. */
  note(id: string): Promise<Note | undefined>;
  notes(ids: readonly string[]): Promise<Note[]>;
  /** Returns the current text of a note, or the text of a version. Returns undefined if there is none. */
  markdown(id: string, version?: number): Promise<string | undefined>;
  /** Returns the current texts of these notes by id, in one query. Missing notes are left out. */
  markdowns(ids: readonly string[]): Promise<Map<string, string>>;
  /**
   * Appends text to a note as a separate block. Throws NoteRefused if `baseVersion` is given and is not the newest
   * version. Computes a new summary and cover image only if the note is shorter than `headBytes`, because both depend
   * only on the beginning of the text. To compute them, calls `preview` with the new text, and the function that
   * `preview` returns with the note's explicit title (undefined if there is none).
   */
  append(
    stamp: Stamp,
    change: {
      id: string;
      userId: string;
      markdown: string;
      baseVersion?: number;
      headBytes: number;
      preview: (text: string) => Promise<(title: string | undefined) => NotePreview>;
    },
    limits: NoteLimits,
  ): Promise<Note>;
  /**
   * Replaces the text of a note. Throws NoteRefused if `baseVersion` is given and is not the newest version. Calls
   * `preview` with the note's explicit title to compute the new title, summary and cover image. The explicit title is
   * `title` or else the one that was set earlier; it is undefined if there is none.
   */
  replace(
    stamp: Stamp,
    change: {
      id: string;
      userId: string;
      markdown: string;
      baseVersion?: number;
      title?: string;
      preview: (title: string | undefined) => NotePreview;
    },
    limits: NoteLimits,
  ): Promise<Note>;
  rename(stamp: Stamp, userId: string, id: string, title: string, titleKey: string): Promise<Note>;
  /**
   * Replaces texts of notes (`texts`) and renames notes (`renames`) in one transaction, and records the change under
   * its id. Throws NoteRefused `stale` if a note in `texts` is not at its `baseVersion`. Callers must already have
   * replaced the old titles by the new ones in `texts`; the store writes the new titles into the stored links of these
   * texts.
   */
  changeAll(stamp: Stamp, change: NotesChange, limits: NoteLimits): Promise<Note[]>;
  /**
   * Returns the notes that one call of `changeAll` changed, for example to undo it. The call is identified by the user
   * who made it and its `changeId`. Returns an empty list if there is none.
   */
  change(userId: string, changeId: string): Promise<ChangedNote[]>;
  trash(stamp: Stamp, userId: string, id: string): Promise<void>;
  restore(stamp: Stamp, userId: string, id: string): Promise<Note>;
  /**
   * Moves these notes to a notebook, or out of their notebooks if `notebookId` is ''. Moves none of them if one cannot
   * be moved. Returns the number of notes that were not there already.
   */
  move(stamp: Stamp, userId: string, ids: readonly string[], notebookId: string): Promise<number>;
  list(query: NoteQuery): Promise<Note[]>;
  count(userId: string): Promise<number>;
  /** Lists the ids of all notes that are not deleted, for rebuilding the search index. */
  allIds(): AsyncIterable<string>;
  /** Lists the notes in a user's trash, last deleted first. */
  trashed(userId: string, limit: number, after?: { value: number; id: string }): Promise<Note[]>;
  versions(id: string, options: { before?: number; limit: number }): Promise<NoteVersion[]>;
  /**
   * Permanently deletes up to `limit` notes, with all versions, that were moved to the trash before the time `before`.
   * Returns their number.
   */
  purge(stamp: Stamp, before: number, limit: number): Promise<number>;

  totals(userId: string): Promise<NoteTotals>;
  notebook(userId: string, id: string): Promise<Notebook | undefined>;
  /** Lists a user's notebooks after the given position, oldest first. */
  notebooks(userId: string, options: { after?: { value: number; id: string }; limit: number }): Promise<Notebook[]>;
  addNotebook(
    stamp: Stamp,
    notebook: { id: string; userId: string; name: string; parentId: string },
    limits: NoteLimits,
  ): Promise<Notebook>;
  changeNotebook(
    stamp: Stamp,
    userId: string,
    id: string,
    change: { name?: string; parentId?: string },
  ): Promise<Notebook>;
  /**
   * Removes the notebook and its sub-notebooks. `keep` leaves their notes without a notebook, and `trash` moves them to
   * the trash. Returns the number of notes.
   */
  removeNotebook(stamp: Stamp, userId: string, id: string, notes: 'keep' | 'trash'): Promise<number>;
}
