import { rectName } from '../base/address.ts';
import type { Filter } from '../document/objects/objects.ts';
import { checkRegion } from '../document/objects/rect.ts';
import { added } from './lists.ts';
import { alwaysChanges, besideNothing } from './facts.ts';
import { defineMutation, type Mutation, type MutationKind } from './mutation.ts';
import { removeFilter } from './remove-filter.ts';
import { grow } from './support.ts';

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
