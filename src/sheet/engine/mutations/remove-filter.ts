import type { Filter } from '../document/objects/objects.ts';
import { needIndex } from './lists.ts';
import { alwaysChanges, besideNothing } from './facts.ts';
import { defineMutation, type MutationKind } from './mutation.ts';
import { setFilter } from './set-filter.ts';

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
