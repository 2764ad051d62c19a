import type { RecentItem } from './recent-item.ts';

interface Write {
  readonly at: number;
  readonly key_id: string;
  readonly target: string;
}

/** Notes and sheets that one agent (an API key or a connected app) changed in bulk. */
export interface BulkWork {
  readonly by: string;
  readonly items: readonly RecentItem[];
  /** Number of different objects that the agent changed, according to the audit rows loaded so far. */
  readonly count: number;
  /** True if all of the agent's writes are loaded, so that `count` is exact. Otherwise `count` is a minimum. */
  readonly isAll: boolean;
}

/** If an agent changed at least this many objects, the home page combines them into one line. */
export const bulkCount = 4;

/**
 * Splits the recent items of the home page into cards and bulk work (many items changed by one agent), latest first.
 * `people` contains the user's own changes, `apps` those of agents. An item that the user changed is dated by the
 * user's change, even if an agent changed it later.
 */
export function arrangeRecents(
  items: readonly RecentItem[],
  people: readonly Write[],
  apps: { readonly rows: readonly Write[]; readonly is_end: boolean },
): { cards: RecentItem[]; bulk: BulkWork[] } {
  const written = new Map<string, number>();
  for (const { target, at } of people) written.set(target, Math.max(at, written.get(target) ?? 0));
  const agentOf = new Map<string, string>();
  const targets = new Map<string, Set<string>>();
  for (const { target, key_id: key } of apps.rows.toSorted((one, other) => other.at - one.at)) {
    if (!/^(note|doc|media|kb)_/.test(target)) continue;
    if (!agentOf.has(target)) agentOf.set(target, key);
    targets.set(key, (targets.get(key) ?? new Set()).add(target));
  }
  const cards: RecentItem[] = [];
  const byAgent = new Map<string, RecentItem[]>();
  for (const item of items) {
    const time = written.get(item.id);
    const agent = item.kind === 'base' || time !== undefined ? undefined : agentOf.get(item.id);
    if (agent === undefined) cards.push(time === undefined || item.kind === 'base' ? item : { ...item, time });
    else byAgent.set(agent, [...(byAgent.get(agent) ?? []), item]);
  }
  const bulk: BulkWork[] = [];
  const byTime = (one: RecentItem, other: RecentItem): number => other.time - one.time;
  for (const [by, all] of byAgent)
    if (all.length < bulkCount) cards.push(...all);
    else bulk.push({ by, items: all.toSorted(byTime), count: targets.get(by)!.size, isAll: apps.is_end });
  return { cards: cards.toSorted(byTime), bulk };
}

/**
 * Returns the ids of notes and sheets that the user changed recently and that `items` does not contain. Only the first
 * `limit` changed objects are considered.
 */
export function missingIds(items: readonly RecentItem[], people: readonly Write[], limit: number): string[] {
  const known = new Set(items.map(({ id }) => id));
  const written = new Set(people.map(({ target }) => target).filter((target) => /^(note|doc)_/.test(target)));
  return [...written].slice(0, limit).filter((id) => !known.has(id));
}
