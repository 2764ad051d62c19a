import { requireById } from '../calls/sheet-lookup.ts';
import { groupConsecutive } from '../cells/rects.ts';
import { fail } from '../../../kernel/errors.ts';
import {
  type SheetDocument,
  isListed,
  shownTexts,
  type Filter,
  meets,
  rectOf,
  type Region,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import type { Rect } from '@sheaf/engine';
import { type Mutation, updateFilter } from '@sheaf/engine/internal/mutations';

export function requireFilter(sub: SubSheet, id: string, field = 'filter_id'): Filter {
  return requireById(sub.filters, id, `${field}: there is no filter`);
}

/** Throws if the region overlaps another filter of the sub-sheet. `self` is the id of the filter being changed. */
export function refuseFilterOverlap(sub: SubSheet, region: Region, self?: string): void {
  const other = sub.filters.find((one) => one.id !== self && meets(rectOf(one.region), rectOf(region)));
  if (other) throw fail('conflict', `start_row: the region overlaps filter ${other.id}`);
}

/**
 * Recomputes which rows the filters hide after a sort, because filters hide rows by content. The sort moved row
 * `order[i]` of the sorted region to row `i` of the region. Returns the mutations that update the filters.
 */
export function updateFiltersAfterSort(
  document: SheetDocument,
  sub: SubSheet,
  sorted: Rect,
  order: readonly number[],
): Mutation[] {
  const concerned = sub.filters.filter((filter) => filter.columns.length > 0 && meets(rectOf(filter.region), sorted));
  return concerned.map((filter) => {
    const { top, bottom } = rectOf(filter.region);
    const isHidden = new Set<number>();
    for (const { col, visible } of filter.columns) {
      const listed = new Set(visible);
      const first = Math.min(top, sorted.top);
      const shows: boolean[] = [];
      shownTexts(document, sub, col, first, Math.max(bottom, sorted.bottom), (text, _, value) => {
        shows.push(isListed(listed, text, value));
      });
      const isMoved = col >= sorted.left && col <= sorted.right;
      for (let row = top + 1; row <= bottom; row++) {
        const from = isMoved && row >= sorted.top && row <= sorted.bottom ? sorted.top + order[row - sorted.top]! : row;
        if (!shows[from - first]) isHidden.add(row);
      }
    }
    return updateFilter.of({
      sheet: sub.id,
      filter: { ...filter, hidden: groupConsecutive([...isHidden].sort((a, b) => a - b)) },
    });
  });
}
