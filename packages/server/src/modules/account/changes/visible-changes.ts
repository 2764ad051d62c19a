import type { Caller, Services } from '../../../context.ts';
import {
  changedKinds,
  type ChangedKind,
  type ChangedObject,
  type LoggedWrite,
  type LogPosition,
} from '../../../ports/change-log.ts';

/**
 * Number of writes read from the change log at a time, and maximum number read per call. Without the maximum, a call
 * would read the whole log if its caller may see few of the writes.
 */
const rowsAtOnce = 500;
const maxRows = 5000;

/**
 * Matches the names of operations that the list of changes leaves out: those of accounts and inboxes, and those that
 * start an upload or export.
 */
const unlisted = /^(account\.|inbox\.|page\.|sso\.|oauth\.)|\.(export|pre_import|create_media|create_upload)/;

export interface ChangeFilter {
  readonly kinds?: readonly ChangedKind[] | undefined;
  /** Ids of the objects whose changes are listed; undefined lists the changes of all objects. */
  readonly ids?: ReadonlySet<string> | undefined;
  /**
   * Id of a knowledge base, folder or notebook. If set, only changes of it and of objects in it are listed. Objects in
   * subfolders are included for a knowledge base only.
   */
  readonly containerId?: string | undefined;
  readonly since?: number | undefined;
  readonly before?: number | undefined;
  readonly by?: 'me' | 'app' | 'others' | undefined;
}

/** Writes of one user to one object with the same operation, combined into one change. */
export interface Change {
  readonly object: ChangedObject;
  readonly userId: string;
  readonly operation: string;
  at: number;
  count: number;
  reason: string;
}

type ChangeServices = Pick<Services, 'changeLog'>;

/**
 * Reads the changes after the log position `from`, oldest first. Leaves out changes that the caller may not see. May
 * return fewer than `limit` changes although more follow; only `isEnd` means that there are no more.
 */
export async function readVisibleChanges(
  { changeLog }: ChangeServices,
  caller: Caller,
  from: LogPosition,
  filter: ChangeFilter,
  limit: number,
): Promise<{ changes: Change[]; next: LogPosition; isEnd: boolean }> {
  const kinds = visibleKinds(caller, filter.kinds);
  const changes = new Map<string, Change>();
  let next = from;
  for (let rows = 0; rows < maxRows; rows += rowsAtOnce) {
    const page = await changeLog.read(next, rowsAtOnce);
    const wanted = page.writes.filter((write) => isWanted(write, filter, caller));
    const objects = await changeLog.describe(
      caller.userId,
      wanted.map(({ target }) => target),
    );
    for (const write of wanted) {
      const object = objects.get(write.target);
      if (!object || !kinds.has(object.kind) || !contains(filter, object)) continue;
      const key = `${write.userId} ${write.operation} ${object.id}`;
      if (!changes.has(key) && changes.size === limit) return { changes: [...changes.values()], next, isEnd: false };
      addTo(changes, key, object, write);
      next = write.next;
    }
    next = page.next;
    if (page.isEnd) return { changes: [...changes.values()], next, isEnd: true };
  }
  return { changes: [...changes.values()], next, isEnd: false };
}

function addTo(changes: Map<string, Change>, key: string, object: ChangedObject, write: LoggedWrite): void {
  const before = changes.get(key);
  if (!before) {
    const { userId, operation, at, reason } = write;
    changes.set(key, { object, userId, operation, at, count: 1, reason });
    return;
  }
  before.at = write.at;
  before.count++;
  if (write.reason !== '') before.reason = write.reason;
}

/** Returns the kinds of objects in `wanted` that the caller's API key may access. */
function visibleKinds(caller: Caller, wanted: readonly ChangedKind[] = changedKinds): Set<ChangedKind> {
  const has = (module: string): boolean => caller.modules.includes('*') || caller.modules.includes(module);
  return new Set(
    wanted.filter((kind) => {
      if (kind === 'note' || kind === 'notebook') return has('note');
      return kind === 'sheet' ? has('sheet') || has('manage') : has('wiki');
    }),
  );
}

function isWanted(write: LoggedWrite, { since = 0, before = Infinity, by }: ChangeFilter, caller: Caller): boolean {
  if (write.target === '' || unlisted.test(write.operation) || write.at < since || write.at >= before) return false;
  if (by === 'me') return write.userId === caller.userId;
  if (by === 'app') return write.keyId === caller.keyId;
  return by !== 'others' || write.userId !== caller.userId;
}

function contains({ ids, containerId }: ChangeFilter, object: ChangedObject): boolean {
  if (ids && !ids.has(object.id)) return false;
  return containerId === undefined || [object.id, object.containerId, object.folderId].includes(containerId);
}

/** Returns the path of the web page that shows the object. */
export function pagePath({ kind, id, containerId }: ChangedObject): string {
  switch (kind) {
    case 'note':
      return `/notes/${id}`;
    case 'notebook':
      return '/notes';
    case 'item':
      return `/wiki/${containerId}/item/${id}`;
    case 'folder':
      return `/wiki/${containerId}`;
    case 'base':
      return `/wiki/${id}`;
    case 'sheet':
      return `/sheet/${id}`;
  }
}
