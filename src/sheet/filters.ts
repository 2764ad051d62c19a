import { fail } from '../operation/errors.ts';
import type { Filter } from './engine/state/objects.ts';
import { meets, rectOf, type Region } from './engine/state/rect.ts';
import type { SubSheet } from './engine/state/sub-sheet.ts';

export function filterOf(sub: SubSheet, id: string, field = 'filter_id'): Filter {
  const found = sub.filters.find((one) => one.id === id);
  if (!found) throw fail('no_such_object', `${field}: there is no filter ${JSON.stringify(id)} on this sub-sheet; there are ${sub.filters.map((one) => one.id).join(', ') || 'none'}`);
  return found;
}

/** Filters of one sub-sheet must not overlap. */
export function refuseOverlap(sub: SubSheet, region: Region, self?: string): void {
  const other = sub.filters.find((one) => one.id !== self && meets(rectOf(one.region), rectOf(region)));
  if (other) throw fail('conflict', `start_row: the region overlaps filter ${other.id}`);
}
