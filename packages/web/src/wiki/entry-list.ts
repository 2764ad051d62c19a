import { useEffect, useState } from 'react';
import { Setting, read, write } from '../lib/settings.ts';
import type { TextKey } from '../text/use-text.ts';
import type { Entry } from './queries.ts';

/** What the list can show of each entry, besides its name. */
export const columns = ['kind', 'tags', 'size', 'changed'] as const;
export type Column = (typeof columns)[number];
export const columnLabels: Record<Column | 'name', TextKey> = {
  name: 'name',
  kind: 'filterKind',
  tags: 'tags',
  size: 'columnSize',
  changed: 'filterDate',
};

export interface Order {
  by: 'name' | 'kind' | 'size' | 'changed';
  isDown: boolean;
}

const key = 'sheaf.columns';

/** Which columns this browser shows; all, until somebody hides some. */
export function useColumns(): { shown: ReadonlySet<Column>; toggle: (column: Column) => void } {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => new Set(read(key)?.split(' ')));
  return {
    shown: new Set(columns.filter((column) => !hidden.has(column))),
    toggle(column) {
      const next = new Set(hidden);
      if (!next.delete(column)) next.add(column);
      setHidden(next);
      write(key, [...next].join(' '));
    },
  };
}

const orderSetting = new Setting<string>(
  'wiki-order',
  ['', ...['name', 'kind', 'size', 'changed'].flatMap((by) => [`${by} up`, `${by} down`])],
  '',
);

/** How lists are sorted; undefined as they come: pinned folders first, then what was added last. */
export function useOrder(): { order: Order | undefined; sort: (by: Order['by']) => void } {
  const [stored, setStored] = useState(orderSetting.get());
  const [by, direction] = stored.split(' ') as [Order['by'] | '', string | undefined];
  const order = by === '' ? undefined : { by, isDown: direction === 'down' };
  return {
    order,
    sort(wanted) {
      // Up, down, and as it was.
      const next = order?.by !== wanted ? `${wanted} up` : order.isDown ? '' : `${wanted} down`;
      orderSetting.set(next);
      setStored(next);
    },
  };
}

/** Folders stay before items; names sort as people count, 2 before 10. */
export function sorted(entries: readonly Entry[], order: Order | undefined): readonly Entry[] {
  if (!order) return entries;
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  const keys: Record<Order['by'], (one: Entry, other: Entry) => number> = {
    name: (one, other) => collator.compare(one.title, other.title),
    kind: (one, other) => one.media_type - other.media_type,
    size: (one, other) => (one.file_size ?? 0) - (other.file_size ?? 0),
    changed: (one, other) => one.update_time - other.update_time,
  };
  const sign = order.isDown ? -1 : 1;
  return entries.toSorted(
    (one, other) =>
      Number(other.folder_id !== undefined) - Number(one.folder_id !== undefined) ||
      sign * keys[order.by](one, other) ||
      collator.compare(one.title, other.title),
  );
}

/** So many pages at most are brought to be sorted or filtered as a whole: a thousand entries. */
const maxPages = 20;

/** Brings the rest of a list that is sorted or filtered: a part of it would show the wrong ones. */
export function useWhole(
  isWanted: boolean,
  list: {
    data?: { pages: unknown[] } | undefined;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => unknown;
  },
): void {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const count = list.data?.pages.length ?? 0;
  useEffect(() => {
    if (isWanted && hasNextPage && !isFetchingNextPage && count < maxPages) void fetchNextPage();
  }, [isWanted, hasNextPage, isFetchingNextPage, fetchNextPage, count]);
}
