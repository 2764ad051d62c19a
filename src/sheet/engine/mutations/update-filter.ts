import { rectName } from '../base/address.ts';
import type { Filter } from '../document/objects/objects.ts';
import { checkRegion } from '../document/objects/rect.ts';
import { needIndex } from './lists.ts';
import { besideNothing, isAmong } from './facts.ts';
import { defineMutation, type Mutation, type MutationKind } from './mutation.ts';
import { grow } from './support.ts';

export interface UpdateFilter {
  readonly sheet: string;
  /** As it is to be, whole. */
  readonly filter: Filter;
}

export const updateFilter: MutationKind<UpdateFilter> = defineMutation({
  type: 17,
  name: 'update_filter',
  scope: 'objects',
  touches: ({ sheet, filter }) => [{ sheet, object: `filter ${filter.id}` }],
  isNoOp: ({ sheet, filter }, document) => isAmong(document.subSheet(sheet).filters, filter),
  beside: besideNothing,
  apply: (document, { sheet, filter }) => {
    const sub = document.subSheet(sheet);
    const index = needIndex(sub.filters, filter.id, 'filter');
    const rect = checkRegion(filter.region, 'filter.region');
    const other = sub.filtersMeeting(rect).find((one) => one.id !== filter.id);
    if (other) throw new RangeError(`filter.region: ${rectName(rect)} overlaps the filter '${other.id}'`);
    const undo: Mutation[] = [updateFilter.of({ sheet, filter: sub.filters[index] as Filter })];
    sub.filters = sub.filters.with(index, filter);
    document.looksChanged = true;
    undo.push(...grow(sub, rect.bottom, rect.right));
    return undo;
  },
});
