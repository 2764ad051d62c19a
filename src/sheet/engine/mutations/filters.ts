import { rectName } from '../base/address.ts';
import type { Filter } from '../document/objects/objects.ts';
import { checkRegion } from '../document/objects/rect.ts';
import { alwaysChanges, besideNothing, isAmong } from './facts.ts';
import { grow } from './grid.ts';
import { added, needIndex } from './lists.ts';
import { defineMutation, type Mutation, type MutationKind } from './mutation.ts';

export interface SetFilter {
  readonly sheet: string;
  readonly filter: Filter;
  /** Its place among the filters; the end when absent. */
  readonly at?: number;
}

/** A new filter. `hidden` is computed by whoever makes the mutation (`hiddenRows`), so that replay never depends on formats. */
export const setFilter: MutationKind<SetFilter> = defineMutation({
  type: 16,
  name: 'set_filter',
  scope: 'objects',
  touches: ({ sheet, filter }) => [{ sheet, object: `filter ${filter.id}` }],
  isNoOp: alwaysChanges,
  beside: besideNothing,
  apply: (document, { sheet, filter, at }) => {
    const sub = document.subSheet(sheet);
    const rect = checkRegion(filter.region, 'filter.region');
    const [other] = sub.filtersMeeting(rect);
    if (other) throw new RangeError(`filter.region: ${rectName(rect)} overlaps the filter '${other.id}'`);
    sub.filters = added(sub.filters, filter, at, 'filter');
    document.looksChanged = true;
    const undo: Mutation[] = [removeFilter.of({ sheet, id: filter.id })];
    undo.push(...grow(sub, rect.bottom, rect.right));
    return undo;
  },
});

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

export interface RemoveFilter {
  readonly sheet: string;
  readonly id: string;
}

/** The rows it hid are shown again. */
export const removeFilter: MutationKind<RemoveFilter> = defineMutation({
  type: 18,
  name: 'remove_filter',
  scope: 'objects',
  touches: ({ sheet, id }) => [{ sheet, object: `filter ${id}` }],
  isNoOp: alwaysChanges,
  beside: besideNothing,
  apply: (document, { sheet, id }) => {
    const sub = document.subSheet(sheet);
    const at = needIndex(sub.filters, id, 'filter');
    const filter = sub.filters[at] as Filter;
    sub.filters = sub.filters.toSpliced(at, 1);
    document.looksChanged = true;
    return [setFilter.of({ sheet, filter, at })];
  },
});
