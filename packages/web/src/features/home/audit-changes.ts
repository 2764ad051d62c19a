import { bulkCount } from './arrange-recents.ts';
import type { RecentItem } from './recent-item.ts';

interface AuditRow {
  readonly at: number;
  readonly key_id: string;
  readonly operation: string;
  readonly target: string;
}

export interface ObjectChange {
  kind: 'note' | 'sheet' | 'base' | 'item';
  id: string;
  /**
   * Author of the change: `me` for the user (in the page or on the command line), `others`, or the id of an API key or
   * app.
   */
  by: string;
  /** Number of the author's changes to the object; 0 if it is unknown, as for changes by other users. */
  count: number;
  time: number;
}

const maxShown = 12;

/** Several changes by one agent, latest first, or a single change. */
export interface ChangeGroup<Change extends ObjectChange> {
  readonly changes: readonly Change[];
}

/**
 * Returns the changes by people (at most `maxShown`), followed by the changes by agents. The changes of an agent that
 * changed many objects form one group.
 */
export function groupChanges<Change extends ObjectChange>(changes: readonly Change[]): ChangeGroup<Change>[] {
  const isAgent = ({ by }: Change): boolean => by !== 'me' && by !== 'others';
  const byAgent = new Map<string, Change[]>();
  for (const change of changes.filter(isAgent)) byAgent.set(change.by, [...(byAgent.get(change.by) ?? []), change]);
  const groups = [...byAgent.values()].flatMap((all) =>
    all.length >= bulkCount ? [{ changes: all }] : all.map((one) => ({ changes: [one] })),
  );
  return [
    ...changes
      .filter((one) => !isAgent(one))
      .slice(0, maxShown)
      .map((one) => ({ changes: [one] })),
    ...groups,
  ];
}

export function startOfYesterday(now = new Date()): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1).getTime();
}

/** Prefixes of object ids, each with the type of the objects whose ids begin with it. */
export const objectKinds: readonly (readonly [prefix: string, kind: ObjectChange['kind']])[] = [
  ['note_', 'note'],
  ['doc_', 'sheet'],
  ['kb_', 'base'],
  ['media_', 'item'],
];

/**
 * Combines the rows of the user's audit log from the time `since` on into one entry per object and author, latest
 * first. A sheet in `recents` that was modified after the last logged write is reported as changed by others.
 */
export function changesFromAudit(
  rows: readonly AuditRow[],
  recents: readonly RecentItem[],
  since: number,
): ObjectChange[] {
  const found = new Map<string, ObjectChange>();
  const mine = new Map<string, number>();
  const removedAt = Math.max(0, ...rows.filter((row) => row.operation.startsWith('wiki.delete_')).map((row) => row.at));
  for (const row of rows) {
    const kind = objectKinds.find(([prefix]) => row.target.startsWith(prefix))?.[1];
    if (kind === undefined || row.at < since) continue;
    // Skip items that were changed before the latest deletion in a knowledge base. They may have been deleted together
    // with their folder, and the log does not record the items of a deleted folder.
    if (kind === 'item' && row.at <= removedAt) continue;
    const by = row.key_id === '' || row.key_id.startsWith('session_') ? 'me' : row.key_id;
    mine.set(row.target, Math.max(mine.get(row.target) ?? 0, row.at));
    const before = found.get(`${by} ${row.target}`);
    if (before) before.count += 1;
    else found.set(`${by} ${row.target}`, { kind, id: row.target, by, count: 1, time: row.at });
  }
  for (const { kind, id, time } of recents)
    if (kind === 'sheet' && time >= since && time > (mine.get(id) ?? 0) + clockToleranceMs)
      found.set(`others ${id}`, { kind, id, by: 'others', count: 0, time });
  return [...found.values()].toSorted((one, other) => other.time - one.time);
}

/**
 * Tolerance in milliseconds when the time of an audit row is compared with the object's modification time. One write
 * sets both times, but not at the same instant.
 */
const clockToleranceMs = 2000;
