import { Refused } from './refused.ts';
import type { Stamp } from './stamp.ts';

/** What lists show of a note; derived from its text, or given. */
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
  /** The title was given and does not follow the text. */
  isTitled: boolean;
  /** Bytes of Markdown. */
  size: number;
  /** Counts the changes of the text, from 1. */
  version: number;
  createdAt: number;
  modifiedAt: number;
  deletedAt: number | null;
}

export interface Notebook {
  id: string;
  userId: string;
  name: string;
  /** '' = at the top. */
  parentId: string;
  noteCount: number;
  createdAt: number;
  modifiedAt: number;
}

/** A user's notes as a whole. */
export interface NoteSpace {
  /** Grows with every change that the list of notebooks shows. */
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
  /** '' = those in no notebook; undefined = all. */
  notebookId?: string;
  order: NoteOrder;
  /** Only what comes after this place in the order. */
  after?: { value: string | number; id: string };
  offset?: number;
  limit: number;
}

export interface Limits {
  noteBytes: number;
  /** Of everything the user stores, for users without a quota of their own. */
  quotaBytes: number;
  notebooks: number;
}

/** A notebook by id, or by name (made at the top when missing). */
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

/** The store did nothing. */
export class NoteRefused extends Refused<NoteRefusal> {}

/**
 * Notes, their versions and notebooks. Guarantees: a write is durable when its promise resolves and is whole or not at
 * all; writes to one note happen one after the other, so appends never mix or get lost, and so do those that change a user's
 * notebooks; every earlier text stays readable until the note is purged; a write tells the search index in the same transaction.
 * Where a write finds no such note of the user, it throws NoteRefused.
 */
export interface NoteStore {
  create(
    stamp: Stamp,
    note: {
      id: string;
      userId: string;
      notebook?: NotebookChoice;
      face: NotePreview;
      isTitled: boolean;
      markdown: string;
    },
    limits: Limits,
  ): Promise<Note>;
  /** Whatever its state and author. */
  note(id: string): Promise<Note | undefined>;
  notes(ids: readonly string[]): Promise<Note[]>;
  /** The text now, or at a version; undefined when there is none. */
  markdown(id: string, version?: number): Promise<string | undefined>;
  /** The texts of these notes now, in one read; of those that do not exist there is none. */
  markdowns(ids: readonly string[]): Promise<Map<string, string>>;
  /**
   * Adds to the end as a block of its own; with `baseVersion` only if that is the newest. While the note is shorter than
   * `headBytes`, `face` gives its new summary and cover.
   */
  append(
    stamp: Stamp,
    change: {
      id: string;
      userId: string;
      markdown: string;
      baseVersion?: number;
      headBytes: number;
      face: (text: string) => Promise<NotePreview>;
    },
    limits: Limits,
  ): Promise<Note>;
  /** Replaces the text; with `baseVersion` only if that is the newest. `face` gets the title that was given, if one ever was. */
  replace(
    stamp: Stamp,
    change: {
      id: string;
      userId: string;
      markdown: string;
      baseVersion?: number;
      title?: string;
      face: (title: string | undefined) => NotePreview;
    },
    limits: Limits,
  ): Promise<Note>;
  rename(stamp: Stamp, userId: string, id: string, title: string, titleKey: string): Promise<Note>;
  trash(stamp: Stamp, userId: string, id: string): Promise<void>;
  restore(stamp: Stamp, userId: string, id: string): Promise<Note>;
  /** All or none. */
  move(stamp: Stamp, userId: string, ids: readonly string[], notebookId: string): Promise<number>;
  list(query: NoteQuery): Promise<Note[]>;
  count(userId: string): Promise<number>;
  /** Of every note that is not deleted, for building the search index anew. */
  allIds(): AsyncIterable<string>;
  /** Newest first. */
  trashed(userId: string, limit: number, after?: { value: number; id: string }): Promise<Note[]>;
  versions(id: string, options: { before?: number; limit: number }): Promise<NoteVersion[]>;
  /** Forgets notes deleted before a time, with all their versions. */
  purge(stamp: Stamp, before: number, limit: number): Promise<number>;

  space(userId: string): Promise<NoteSpace>;
  notebook(userId: string, id: string): Promise<Notebook | undefined>;
  /** In the order of their making, after a place in it. */
  notebooks(userId: string, options: { after?: { value: number; id: string }; limit: number }): Promise<Notebook[]>;
  addNotebook(
    stamp: Stamp,
    notebook: { id: string; userId: string; name: string; parentId: string },
    limits: Limits,
  ): Promise<Notebook>;
  changeNotebook(
    stamp: Stamp,
    userId: string,
    id: string,
    change: { name?: string; parentId?: string },
  ): Promise<Notebook>;
  /** With the notebooks in it. Their notes become loose, or go to the trash. Answers how many notes that were. */
  removeNotebook(stamp: Stamp, userId: string, id: string, notes: 'keep' | 'trash'): Promise<number>;
}
