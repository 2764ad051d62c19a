import type { AccessRole } from './permission-store.ts';

export const changedKinds = ['note', 'notebook', 'item', 'folder', 'base', 'sheet'] as const;
export type ChangedKind = (typeof changedKinds)[number];

/** A write to one object, as the audit log has it. */
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
 * Position in the audit log. `missing` lists ids before it without a row: their transactions may still commit, so a
 * reader looks for them again.
 */
export interface LogPosition {
  readonly after: number;
  readonly missing: readonly (readonly [id: number, since: number])[];
}

/** An object with its current title and container, as far as a user may see them. */
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
 * Reads the audit log as a list of changes. Guarantee: a reader that continues from position to position gets every
 * write that commits within a minute, on any node, exactly once.
 */
export interface ChangeLog {
  /** Returns the position before the first write at or after this time. */
  positionAt(time: number): Promise<LogPosition>;
  /** Returns the position after the newest write. */
  end(): Promise<LogPosition>;
  /** Reads up to `limit` writes after the position, in the order of the log. */
  read(from: LogPosition, limit: number): Promise<{ writes: LoggedWrite[]; isEnd: boolean; next: LogPosition }>;
  /**
   * Returns those of the objects that the user may see now, by the id that was written. If the user may not see a note
   * but may see an item that refers to it, the item is returned in its place.
   */
  describe(userId: string, ids: readonly string[]): Promise<Map<string, ChangedObject>>;
}
