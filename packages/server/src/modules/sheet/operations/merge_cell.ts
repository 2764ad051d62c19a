import { invalid, overLimit } from '../errors.ts';
import { oneOf, documentedAsRequired } from '../../../kernel/field-schemas.ts';
import {
  isBlank,
  contains,
  rectOf,
  regionOf,
  sameRect,
  type Region,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import type { Rect } from '@sheaf/engine';
import { merge, type Mutation, unmerge } from '@sheaf/engine/internal/mutations';
import { regionFields, toRegionTuple } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

const maxMerges = 100_000;

export const merge_cell = worksheetWriteTool({
  name: 'merge_cell',
  summary:
    'Merges the cells of a region into one, or each of its rows or columns into one; the top-left value ' +
    'is kept.\nExample (a heading across four columns): ' +
    '{"start_row":0,"start_col":0,"end_row":0,"end_col":3,"merge_type":"all"}',
  input: {
    ...regionFields,
    merge_type: documentedAsRequired(
      oneOf('"all" (default) makes one merge, "rows" one per row, "columns" one per column.', [
        'all',
        'columns',
        'rows',
      ]).optional(),
    ),
  },
  plan(document, sub, input) {
    const regions = split(toRegionTuple(input), input.merge_type ?? 'all').filter(
      ([top, left, bottom, right]) => top < bottom || left < right,
    );
    if (regions.length === 0) throw invalid('end_row: a merge needs at least two cells');
    if (regions.length > maxMerges)
      throw overLimit(`end_row: at most ${maxMerges} merges in one call (got ${regions.length})`);
    if (regions.every((region) => isMerged(sub, rectOf(region)))) return { mutations: [] };
    // First unmerge areas inside the new merged area. Areas that overlap it only partly make the merge mutation fail.
    const inside = regions.flatMap((region) =>
      sub.merges.meeting(rectOf(region)).filter((one) => contains(rectOf(region), one)),
    );
    const mutations: Mutation[] =
      inside.length > 0 ? [unmerge.of({ sheet: sub.id, regions: inside.map(regionOf) })] : [];
    return { mutations: [...mutations, merge.of({ sheet: sub.id, regions })] };
  },
});

/** Returns whether exactly this area is already merged and its covered cells are empty. */
function isMerged(sub: SubSheet, rect: Rect): boolean {
  if (!sub.merges.meeting(rect).some((one) => sameRect(one, rect))) return false;
  const beside = rect.left === rect.right || isBlank(sub, { ...rect, left: rect.left + 1, bottom: rect.top });
  return beside && (rect.top === rect.bottom || isBlank(sub, { ...rect, top: rect.top + 1 }));
}

function split([top, left, bottom, right]: Region, type: 'all' | 'columns' | 'rows'): Region[] {
  if (type === 'rows') return Array.from({ length: bottom - top + 1 }, (_, i) => [top + i, left, top + i, right]);
  if (type === 'columns') return Array.from({ length: right - left + 1 }, (_, i) => [top, left + i, bottom, left + i]);
  return [[top, left, bottom, right]];
}
