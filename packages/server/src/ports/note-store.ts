import { RefusalError } from './refusal-error.ts';
import type { Stamp } from './audit-stamp.ts';

/** What lists show of a note; derived from its text, or set explicitly. */
export interface NotePreview {
  title: string;
  titleKey: string;
  summary: string;
  coverImage: string;
}

export interface Note extends NotePreview {
  id: string;
  userId: string;
  /** '' = in no notebook. */
  notebookId: string;
  notebookName: string;
  /** True if the title was set explicitly and does not follow the text. */
  isTitled: boolean;
  /** Bytes of Markdown. */
  size: number;
  /** Number of the text's current version, starting at 1. */
  version: number;
  createdAt: number;
  modifiedAt: number;
  deletedAt: number | null;
}

export interface Notebook {
  id: string;
  userId: string;
  name: string;
  /** '' = top level. */
  parentId: string;
  noteCount: number;
  createdAt: number;
  modifiedAt: number;
}

/** Totals of a user's notes. */
export interface NoteTotals {
  /** Increases with every change that is visible in the list of notebooks. */
  version: number;
  noteCount: number;
  /** Notes in no notebook. */
  looseCount: number;
  createdAt: number;
  modifiedAt: number;
}

export interface NoteVersion {
  version: number;
  at: number;
  keyId: string;
  operation: string;
  title: string;
  size: number;
}

export type NoteOrder = 'modified' | 'created' | 'title' | 'size';

export interface NoteQuery {
  userId: string;
  /** '' = notes in no notebook; undefined = all. */
  notebookId?: string;
  order: NoteOrder;
  /** Keyset position: only notes after it in the order. */
  after?: { value: string | number; id: string };
  offset?: number;
  limit: number;
}

export interface NoteLimits {
  noteBytes: number;
  /** Quota for all stored data, for users who have none of their own. */
  quotaBytes: number;
  notebooks: number;
}

/** A notebook by id, or by name (created at the top level if missing). */
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
 * Notes, their versions and notebooks. Guarantees: a write is atomic, and durable when its promise resolves; writes to
 * one note are serialized, so appends neither interleave nor get lost, and so are changes of a user's notebooks; every
 * earlier text stays readable until the note is purged; a write queues the note for the search index in the same
 * transaction. Writes throw NoteRefused if the user has no such note.
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
  /** Includes deleted notes and notes of any user. */
  note(id: string): Promise<Note | undefined>;
  notes(ids: readonly string[]): Promise<Note[]>;
  /** The current text, or the text of a version; undefined if there is none. */
  markdown(id: string, version?: number): Promise<string | undefined>;
  /** The current texts of these notes in one query; missing notes are left out. */
  markdowns(ids: readonly string[]): Promise<Map<string, string>>;
  /**
   * Appends a separate block; with `baseVersion`, only if that is the newest version. While the note is shorter than
   * `headBytes`, `preview` computes its new summary and cover.
   */
  append(
    stamp: Stamp,
    change: {
      id: string;
      userId: string;
      markdown: string;
      baseVersion?: number;
      headBytes: number;
      preview: (text: string) => Promise<NotePreview>;
    },
    limits: NoteLimits,
  ): Promise<Note>;
  /**
   * Replaces the text; with `baseVersion`, only if that is the newest version. `preview` gets the explicit title, if there
   * is one.
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
  trash(stamp: Stamp, userId: string, id: string): Promise<void>;
  restore(stamp: Stamp, userId: string, id: string): Promise<Note>;
  /** Moves all or none. */
  move(stamp: Stamp, userId: string, ids: readonly string[], notebookId: string): Promise<number>;
  list(query: NoteQuery): Promise<Note[]>;
  count(userId: string): Promise<number>;
  /** Ids of all notes that are not deleted, for rebuilding the search index. */
  allIds(): AsyncIterable<string>;
  /** Newest first. */
  trashed(userId: string, limit: number, after?: { value: number; id: string }): Promise<Note[]>;
  versions(id: string, options: { before?: number; limit: number }): Promise<NoteVersion[]>;
  /** Deletes notes trashed before a time for good, with all their versions. */
  purge(stamp: Stamp, before: number, limit: number): Promise<number>;

  totals(userId: string): Promise<NoteTotals>;
  notebook(userId: string, id: string): Promise<Notebook | undefined>;
  /** Oldest first, after a keyset position. */
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
   * Removes the notebook and its sub-notebooks; their notes leave the notebook or go to the trash. Returns the number
   * of notes.
   */
  removeNotebook(stamp: Stamp, userId: string, id: string, notes: 'keep' | 'trash'): Promise<number>;
}
