import { refuseMissingLines, requireWorksheet } from '../calls/sheet-lookup.ts';
import { invalid } from '../errors.ts';
import { flag, integer, aliasField } from '../../../kernel/field-schemas.ts';
import type { SheetRange } from '../calls/address.ts';
import { resolveAreas } from '../calls/areas.ts';
import { writeTool, type WriteValues } from '../calls/tool.ts';
import type { Runs, SheetDocument, SubSheet } from '@sheaf/engine/internal/document';
import { maxCols, maxRows } from '@sheaf/engine';
import { type Mutation, setGroups, setVisible } from '@sheaf/engine/internal/mutations';
import { addressField, dimensionField, defaultSheetField } from '../schema.ts';

const input = {
  range: addressField('Whole columns (C:E) or rows (2:5).').optional(),
  ...defaultSheetField,
  dimension_type: aliasField(dimensionField.dimension_type).optional(),
  index: aliasField(integer('First one, 0-based.', { min: 0, max: maxRows - 1 })).optional(),
  count: aliasField(integer('How many.', { min: 1, max: maxRows })).optional(),
  visible: flag('Whether the rows or columns are visible.').optional(),
  outline_level: integer('Depth of their group; 0 for none.', { min: 0, max: 7 }).optional(),
};

interface Lines {
  readonly sub: SubSheet;
  readonly axis: 'row' | 'col';
  readonly first: number;
  readonly last: number;
}

export const set_dimension_visible = writeTool({
  name: 'set_dimension_visible',
  summary:
    'Hides, shows or groups whole rows or columns. For rows hidden by a filter use update_filter.\nExample: ' +
    '{"range":"Sales!C:E","visible":false}',
  idempotent: true,
  input,
  plan(document, given) {
    const places = linesOf(document, given);
    for (const { sub, axis, first, last } of places)
      refuseMissingLines(sub, axis, first, last, given.range === undefined ? 'count' : 'range');
    if (given.visible === undefined && given.outline_level === undefined) throw invalid('visible: is required');
    return { mutations: places.flatMap((lines) => planLines(lines, given)) };
  },
});

function planLines({ sub, axis, first, last }: Lines, given: WriteValues<typeof input>): Mutation[] {
  const mutations: Mutation[] = [];
  const hidden = axis === 'row' ? sub.hiddenRows : sub.hiddenCols;
  const isSet = given.visible === undefined || hidden.count(first, last) === (given.visible ? 0 : last - first + 1);
  if (!isSet) mutations.push(setVisible.of({ sheet: sub.id, axis, runs: [[first, last, given.visible ? 0 : 1]] }));
  const level = given.outline_level;
  if (level !== undefined && !isAtDepth(axis === 'row' ? sub.rowGroups : sub.colGroups, first, last, level))
    mutations.push(setGroups.of({ sheet: sub.id, axis, runs: [[first, last, level]] }));
  return mutations;
}

function isAtDepth(groups: Runs, first: number, last: number, level: number): boolean {
  let isSame = true;
  groups.each(first, last, (_, __, depth) => {
    isSame &&= depth === level;
  });
  return isSame;
}

function linesOf(document: SheetDocument, given: WriteValues<typeof input>): Lines[] {
  const { range, dimension_type: axis, index, count } = given;
  if (range !== undefined)
    return resolveAreas(document, range, { sheet: given.sheet_id, isWrite: true }).map((place) =>
      toLines(place, range),
    );
  for (const [field, value] of Object.entries({ sheet_id: given.sheet_id, dimension_type: axis, index, count }))
    if (value === undefined) throw invalid(`${field}: is required without range`);
  const sub = requireWorksheet(document, given.sheet_id!);
  return [{ sub, axis: axis!, first: index!, last: index! + count! - 1 }];
}

function toLines({ sub, rect }: SheetRange, range: string): Lines {
  const isCols = rect.top === 0 && rect.bottom === maxRows - 1;
  if (isCols === (rect.left === 0 && rect.right === maxCols - 1))
    throw invalid(
      `range: must be whole columns, like C:E, or whole rows, like 2:5 (got ${JSON.stringify(range.slice(0, 60))})`,
    );
  return isCols
    ? { sub, axis: 'col', first: rect.left, last: rect.right }
    : { sub, axis: 'row', first: rect.top, last: rect.bottom };
}
