import { rectName } from '../base/address.ts';
import type { SheetDocument } from '../document/document.ts';
import type { Filter } from '../document/objects/sheet-objects.ts';
import { checkRegion, rectOf } from '../document/objects/rect.ts';
import { neverNoOp, wholeLines, undoNever, hasIdentical } from './affected-parts.ts';
import { growGrid } from './set-grid.ts';
import { insertObject, requireIndex, type RemoveObject } from './object-lists.ts';
import { defineMutation, type Mutation, type MutationKind, type Touch } from './define-mutation.ts';

/**
 * Returns the parts of a document that a filter change affects: the filter itself, its range before and after, and the
 * rows hidden before and after if they differ.
 */
function touchesFilter(sheet: string, id: string, ...states: readonly (Filter | undefined)[]): Touch[] {
  const [before, after] = states;
  const isSame = JSON.stringify(before?.hidden) === JSON.stringify(after?.hidden);
  return [
    { sheet, object: `filter ${id}` },
    ...states.flatMap((one): Touch[] => {
      if (!one) return [];
      const hidden = isSame ? [] : one.hidden;
      return [
        { sheet, over: rectOf(one.region) },
        ...hidden.map(([first, last]) => ({ sheet, over: wholeLines('row', first, last) })),
      ];
    }),
  ];
}

function filterOf(document: SheetDocument, sheet: string, id: string): Filter | undefined {
  return document.subSheet(sheet).filters.find((one) => one.id === id);
}

interface SetFilter {
  readonly sheet: string;
  readonly filter: Filter;
  /** Index in the list of filters; the end if absent. */
  readonly at?: number;
}

/**
 * Adds a filter. Its hidden rows are computed when the mutation is created, so that replaying the mutation does not
 * depend on how cell values are formatted.
 */
export const setFilter: MutationKind<SetFilter> = defineMutation({
  type: 16,
  name: 'set_filter',
  scope: 'objects',
  touches: ({ sheet, filter }) => touchesFilter(sheet, filter.id, undefined, filter),
  place: () => [],
  isNoOp: neverNoOp,
  beside: undoNever,
  apply: (document, { sheet, filter, at }) => {
    const sub = document.subSheet(sheet);
    const rect = checkRegion(filter.region, 'filter.region');
    const [other] = sub.filtersMeeting(rect);
    if (other) throw new RangeError(`filter.region: ${rectName(rect)} overlaps the filter '${other.id}'`);
    sub.filters = insertObject(sub.filters, filter, at, 'filter');
    document.looksChanged = true;
    const undo: Mutation[] = [removeFilter.of({ sheet, id: filter.id })];
    undo.push(...growGrid(sub, rect.bottom, rect.right));
    return undo;
  },
});

interface UpdateFilter {
  readonly sheet: string;
  /** The complete new filter; it replaces the one with the same id. */
  readonly filter: Filter;
}

export const updateFilter: MutationKind<UpdateFilter> = defineMutation({
  type: 17,
  name: 'update_filter',
  scope: 'objects',
  touches: ({ sheet, filter }, document) =>
    touchesFilter(sheet, filter.id, filterOf(document, sheet, filter.id), filter),
  place: () => [],
  isNoOp: ({ sheet, filter }, document) => hasIdentical(document.subSheet(sheet).filters, filter),
  beside: undoNever,
  apply: (document, { sheet, filter }) => {
    const sub = document.subSheet(sheet);
    const index = requireIndex(sub.filters, filter.id, 'filter');
    const rect = checkRegion(filter.region, 'filter.region');
    const other = sub.filtersMeeting(rect).find((one) => one.id !== filter.id);
    if (other) throw new RangeError(`filter.region: ${rectName(rect)} overlaps the filter '${other.id}'`);
    const undo: Mutation[] = [updateFilter.of({ sheet, filter: sub.filters[index] as Filter })];
    sub.filters = sub.filters.with(index, filter);
    document.looksChanged = true;
    undo.push(...growGrid(sub, rect.bottom, rect.right));
    return undo;
  },
});

/** Removes a filter; its hidden rows are shown again. */
export const removeFilter: MutationKind<RemoveObject> = defineMutation({
  type: 18,
  name: 'remove_filter',
  scope: 'objects',
  touches: ({ sheet, id }, document) => touchesFilter(sheet, id, filterOf(document, sheet, id)),
  place: () => [],
  isNoOp: neverNoOp,
  beside: undoNever,
  apply: (document, { sheet, id }) => {
    const sub = document.subSheet(sheet);
    const at = requireIndex(sub.filters, id, 'filter');
    const filter = sub.filters[at] as Filter;
    sub.filters = sub.filters.toSpliced(at, 1);
    document.looksChanged = true;
    return [setFilter.of({ sheet, filter, at })];
  },
});
