import type { RecentItem } from './recent-item.ts';

/** A row of the audit log. */
interface AuditRow {
  readonly at: number;
  readonly key_id: string;
  readonly operation: string;
  readonly target: string;
}

/** An object that was changed, and by whom. */
export interface ObjectChange {
  kind: 'note' | 'sheet' | 'base' | 'item';
  id: string;
  /** `me` (in the page or on the command line), `others`, or the id of a key or app. */
  by: string;
  /** Number of changes; 0 if unknown. */
  count: number;
  time: number;
}

const maxShown = 12;

/** Returns the start of yesterday in local time. */
export function startOfYesterday(now = new Date()): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1).getTime();
}

const kinds: readonly (readonly [prefix: string, kind: ObjectChange['kind']])[] = [
  ['note_', 'note'],
  ['doc_', 'sheet'],
  ['kb_', 'base'],
  ['media_', 'item'],
];

/**
 * Returns one entry per object and author, latest first. A sheet that changed later than the user's own audit log says
 * was changed by others.
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
    const kind = kinds.find(([prefix]) => row.target.startsWith(prefix))?.[1];
    if (kind === undefined || row.at < since) continue;
    // The item may have been deleted with its folder or base; the log names only those.
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
  return [...found.values()].toSorted((one, other) => other.time - one.time).slice(0, maxShown);
}

/** The log and the object may record the time of the same write a little apart. */
const clockToleranceMs = 2000;
