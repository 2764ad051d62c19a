import type { AccessRole } from './permission-store.ts';

export const changedKinds = ['note', 'notebook', 'item', 'folder', 'base', 'sheet'] as const;
export type ChangedKind = (typeof changedKinds)[number];

/** A write to one object, as recorded in the audit log. */
export interface LoggedWrite {
  readonly at: number;
  readonly userId: string;
  readonly keyId: string;
  readonly operation: string;
  readonly target: string;
  /** Reason that the caller gave; empty if none was given. */
  readonly reason: string;
  /** Position from which a reader continues after this write. */
  readonly next: LogPosition;
}

/**
 * Position in the audit log. `missing` lists earlier ids without a row: their transactions may still commit, so readers
 * check them again.
 */
export interface LogPosition {
  readonly after: number;
  readonly missing: readonly (readonly [id: number, since: number])[];
}

/** An object that a user may see, with its current title and container. */
export interface ChangedObject {
  readonly kind: ChangedKind;
  readonly id: string;
  readonly title: string;
  readonly role: AccessRole;
  /** Knowledge base or notebook that contains the object; empty if none does. */
  readonly containerId: string;
  /** Folder of the knowledge base that contains the item or folder; empty for other kinds. */
  readonly folderId: string;
  readonly isDeleted: boolean;
}

/**
 * Reads the audit log as a list of changes. A reader that continues from each returned position gets every write
 * exactly once, from any node, if the write commits within a minute.
 */
export interface ChangeLog {
  /** Returns the position before the first write at or after this time. */
  positionAt(time: number): Promise<LogPosition>;
  /** Returns the position after the newest write. */
  end(): Promise<LogPosition>;
  /** Reads up to `limit` writes after the position, in the order of the audit log. */
  read(from: LogPosition, limit: number): Promise<{ writes: LoggedWrite[]; isEnd: boolean; next: LogPosition }>;
  /**
   * Returns the objects that the user may see now, by their id in the audit log. If the user may not see a note itself
   * but an item that refers to it, the item is returned under the note's id.
   */
  describe(userId: string, ids: readonly string[]): Promise<Map<string, ChangedObject>>;
}
