import type { AccessRole } from './permission-store.ts';

export const changedKinds = ['note', 'notebook', 'item', 'folder', 'base', 'sheet'] as const;
export type ChangedKind = (typeof changedKinds)[number];

/** A write to one object, such as a note or spreadsheet, as recorded in the audit log. */
export interface LoggedWrite {
  readonly at: number;
  readonly userId: string;
  readonly keyId: string;
  readonly operation: string;
  readonly target: string;
  /** Reason for the write, as the caller gave it; empty if none was given. */
  readonly reason: string;
  /** Position in the audit log from which a reader continues after this write. */
  readonly next: LogPosition;
}

/**
 * Position in the audit log: a reader has seen all rows up to the id `after`, except those in `missing`. `missing`
 * lists ids without a row, with the time at which the gap was noticed. The transactions with these ids may still
 * commit, so readers check the ids again.
 */
export interface LogPosition {
  readonly after: number;
  readonly missing: readonly (readonly [id: number, since: number])[];
}

/**
 * A changed object, such as a note or spreadsheet, that a user may see, with its current title and place. The title of
 * a deleted object is '' for users who may not see the trash.
 */
export interface ChangedObject {
  readonly kind: ChangedKind;
  readonly id: string;
  readonly title: string;
  readonly role: AccessRole;
  /**
   * Id of the knowledge base or notebook that contains the object; '' if none does or the user may not read the
   * notebook.
   */
  readonly containerId: string;
  /** Id of the folder that contains this item or folder of a knowledge base; '' for other kinds of objects. */
  readonly folderId: string;
  readonly isDeleted: boolean;
}

/**
 * Reads the audit log as a list of changes. A reader that continues from each returned position gets every write
 * exactly once, from any node, if the write commits within a minute.
 */
export interface ChangeLog {
  /**
   * Returns a position before all writes at or after this time. Some earlier writes may also come after the position,
   * because audit rows are not strictly in the order of time.
   */
  positionAt(time: number): Promise<LogPosition>;
  /** Returns the position after the newest write in the audit log. */
  end(): Promise<LogPosition>;
  /**
   * Reads up to `limit` writes after the position, in the order of the audit log. Writes with ids in `from.missing`
   * that were committed meanwhile come first and do not count towards `limit`.
   */
  read(from: LogPosition, limit: number): Promise<{ writes: LoggedWrite[]; isEnd: boolean; next: LogPosition }>;
  /**
   * Returns the objects that the user may see now, by their id in the audit log. An item of a knowledge base can refer
   * to a note or AI session that the user may not see; the item is then returned under the id of that note or AI
   * session.
   */
  describe(userId: string, ids: readonly string[]): Promise<Map<string, ChangedObject>>;
}
