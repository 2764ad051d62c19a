import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { invalid } from '../errors.ts';
import { flag, text } from '../../../kernel/field-schemas.ts';
import type { SheetDocument, PivotTable } from '@sheaf/engine/internal/document';
import { addSheet, type Mutation, putPivot } from '@sheaf/engine/internal/mutations';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import { refusePivotOverwrite } from '../objects/pivot-tables.ts';
import { colField, regionFields, toRegionTuple, rowField } from '../schema.ts';
import { checkSheetId, newSheetId } from '../objects/sheet-id.ts';
import { findFreeSheetName } from '../objects/sheet-names.ts';
import { writeTool } from '../calls/tool.ts';

export const add_pivot_table = writeTool({
  name: 'add_pivot_table',
  summary:
    'Adds an empty pivot table over a range whose first row contains the field names. update_pivot_table ' +
    'sets its groups and values.\nExample: ' +
    '{"pivot_table_id":"p1","source_sheet_id":"...","source_range":{"start_row":0,"start_col":0,"end_row":99,"end_col":4},"create_new_sheet":true}',
  input: {
    pivot_table_id: text('Id chosen by the caller.', { min: 1, max: 64 }),
    name: text('Name; generated if omitted.', { max: 100 }).optional(),
    source_sheet_id: text('Sub-sheet of the source.', { min: 1, max: 64 }),
    source_range: z.object(regionFields).meta({ description: 'Source range, including headings.' }),
    anchor_sheet_id: text('Sub-sheet of the pivot table, unless create_new_sheet.', {
      max: 64,
    }).optional(),
    anchor_row: rowField('Top row. Default: 0.').optional(),
    anchor_col: colField('Left column. Default: 0.').optional(),
    create_new_sheet: flag('Whether to put it on a new sub-sheet.').optional(),
    new_sheet_id: text('Id of the new sub-sheet; generated if omitted.', { max: 64 }).optional(),
  },
  plan(document, input) {
    requireWorksheet(document, input.source_sheet_id);
    if (document.pivot(input.pivot_table_id))
      throw fail('conflict', `pivot_table_id: ${JSON.stringify(input.pivot_table_id)} is already taken`);
    const source = toRegionTuple(input.source_range, 'source_range.');
    if (source[2] === source[0])
      throw invalid('source_range.end_row: the source needs a row of headings and at least one row of data');
    const mutations: Mutation[] = [];
    let sheet: string;
    if (input.create_new_sheet) {
      sheet = input.new_sheet_id ? checkSheetId('new_sheet_id', input.new_sheet_id) : newSheetId();
      if (document.find(sheet)) throw fail('conflict', `new_sheet_id: ${JSON.stringify(sheet)} is already taken`);
      mutations.push(addSheet.of({ sheet, name: findFreeSheetName(document, 'Pivot') }));
    } else {
      if (!input.anchor_sheet_id) throw invalid('anchor_sheet_id: is required unless create_new_sheet is true');
      sheet = requireWorksheet(document, input.anchor_sheet_id).id;
    }
    const pivot: PivotTable = {
      id: input.pivot_table_id,
      name: input.name || freePivotName(document),
      sourceSheet: input.source_sheet_id,
      source,
      sheet,
      row: input.anchor_row ?? 0,
      col: input.anchor_col ?? 0,
      rowGroups: [],
      columnGroups: [],
      values: [],
      filters: [],
      calculated: [],
    };
    if (document.pivots.some((one) => one.name === pivot.name))
      throw fail('conflict', `name: a pivot table named ${JSON.stringify(pivot.name)} already exists`);
    if (!input.create_new_sheet) refusePivotOverwrite(document, pivot);
    return { mutations: [...mutations, putPivot.of({ pivot })] };
  },
});

/** Returns the first free name of PivotTable1, PivotTable2, ..., starting at the number of pivot tables plus one. */
function freePivotName(document: SheetDocument): string {
  for (let number = document.pivots.length + 1; ; number++) {
    const name = `PivotTable${number}`;
    if (!document.pivots.some((one) => one.name === name)) return name;
  }
}
