import { useEffect, useState } from 'react';
import { Setting, readStorage, writeStorage } from '../../lib/browser-storage.ts';
import type { MessageKey } from '../../i18n/use-translation.ts';
import type { Entry } from './queries.ts';

/** Columns that the user can hide in the list of a knowledge base's entries; the name is always shown. */
export const columns = ['kind', 'tags', 'size', 'changed'] as const;
export type Column = (typeof columns)[number];
export const columnLabels: Record<Column | 'name', MessageKey> = {
  name: 'name',
  kind: 'filterKind',
  tags: 'tags',
  size: 'columnSize',
  changed: 'filterDate',
};

export interface SortOrder {
  by: 'name' | 'kind' | 'size' | 'changed';
  isDown: boolean;
}

const key = 'sheaf.columns';

/**
 * Returns the visible columns (all by default) and a function that toggles a column. The choice is stored in this
 * browser.
 */
export function useVisibleColumns(): { shown: ReadonlySet<Column>; toggle: (column: Column) => void } {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => new Set(readStorage(key)?.split(' ')));
  return {
    shown: new Set(columns.filter((column) => !hidden.has(column))),
    toggle(column) {
      const next = new Set(hidden);
      if (!next.delete(column)) next.add(column);
      setHidden(next);
      writeStorage(key, [...next].join(' '));
    },
  };
}

const orderSetting = new Setting<string>(
  'wiki-order',
  ['', ...['name', 'kind', 'size', 'changed'].flatMap((by) => [`${by} up`, `${by} down`])],
  '',
);

/**
 * Returns the sort order and a function that changes it. Undefined means the server's order: pinned folders first, then
 * the latest additions.
 */
export function useSortOrder(): { order: SortOrder | undefined; sort: (by: SortOrder['by']) => void } {
  const [stored, setStored] = useState(orderSetting.get());
  const [by, direction] = stored.split(' ') as [SortOrder['by'] | '', string | undefined];
  const order = by === '' ? undefined : { by, isDown: direction === 'down' };
  return {
    order,
    sort(wanted) {
      // Each call for the same column cycles through ascending, descending and unsorted.
      const next = order?.by !== wanted ? `${wanted} up` : order.isDown ? '' : `${wanted} down`;
      orderSetting.set(next);
      setStored(next);
    },
  };
}

/**
 * Returns the entries sorted, folders first. Numbers in names sort by value: 2 before 10. Without `order`, returns the
 * entries in the given order.
 */
export function sortEntries(entries: readonly Entry[], order: SortOrder | undefined): readonly Entry[] {
  if (!order) return entries;
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  const keys: Record<SortOrder['by'], (one: Entry, other: Entry) => number> = {
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

/**
 * Loads the remaining pages of a list, up to `maxPages`, while `isWanted` is true. For example, a correct sort order
 * needs all pages.
 */
export function useAllPages(
  isWanted: boolean,
  list: {
    data?: { pages: unknown[] } | undefined;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => unknown;
  },
  maxPages = 20,
): void {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const count = list.data?.pages.length ?? 0;
  useEffect(() => {
    if (isWanted && hasNextPage && !isFetchingNextPage && count < maxPages) void fetchNextPage();
  }, [isWanted, hasNextPage, isFetchingNextPage, fetchNextPage, count, maxPages]);
}
