import { z } from 'zod';
import { flag, integer, list, text } from '../../../kernel/field-schemas.ts';
import { resolveAddress } from '../calls/address.ts';
import { readTool } from '../calls/tool.ts';
import { detailLevels, inspectSheet, listDefinedNames, type InspectedSheet } from '../reading/inspect-sheet.ts';
import { tokensField, defaultMaxTokens } from '../schema.ts';

const charactersPerToken = 4;

const table = z.object({
  range: text('Its cells.'),
  header_row: integer('Row number of the headings; absent if there are none.').optional(),
  columns: list('One line per column: letter, heading, type, formula and where it breaks.', text('A column.')),
});

const entries = (what: string) => z.record(z.string(), z.string()).meta({ description: what }).optional();

export const inspect = readTool({
  name: 'inspect',
  summary:
    'Explains a spreadsheet in few tokens: tables, headings, types, units, formulas by pattern and where they ' +
    'break, errors and their causes, names, links between sub-sheets, hidden parts, merges, arrays, ' +
    'objects. Start here; then read or query.',
  input: {
    sheet_id: text('Id or name of the only sub-sheet to look at.', { max: 64 }).optional(),
    ...tokensField(defaultMaxTokens),
  },
  output: {
    sheets: list(
      'Sub-sheets, in tab order.',
      z.object({
        sheet: text('Name.'),
        sheet_id: text('Id.'),
        used: text('Used cells; empty if none.'),
        tables: list('Tables, from the top.', table),
        cells: entries('Small blocks beside the tables: address and what they show.'),
        errors: entries('First error cells, with their causes.'),
        error_count: integer('Number of error cells.').optional(),
        merges: text('Merged ranges.').optional(),
        hidden: text('Hidden rows and columns.').optional(),
        frozen: text('Frozen rows and columns.').optional(),
        reads: list('Other sub-sheets that its formulas read.', text('One.')).optional(),
        arrays: text('Arrays that a formula fills.').optional(),
        has: text('Charts, pivot tables, filters and other objects.').optional(),
      }),
    ),
    names: list('Defined names.', text('Name and what it stands for.')).optional(),
    truncated: flag('Whether something was left out to stay within the budget.').optional(),
  },
  read(document, input) {
    const subs =
      input.sheet_id === undefined
        ? document.subSheets.filter((one) => one.type === 'worksheet')
        : [resolveAddress(document, 'A1', { sheet: input.sheet_id, field: 'sheet_id' }).sub];
    const most = (input.max_tokens ?? defaultMaxTokens) * charactersPerToken;
    const names = listDefinedNames(document);
    const answer = (sheets: InspectedSheet[], truncated: boolean) => ({
      sheets,
      ...(names.length > 0 ? { names } : {}),
      ...(truncated ? { truncated } : {}),
    });
    const fits = (sheets: InspectedSheet[]): boolean => JSON.stringify(answer(sheets, true)).length <= most;
    for (const detail of detailLevels) {
      const sheets = subs.map((sub) => inspectSheet(document, sub, detail, 60));
      if (fits(sheets)) return answer(sheets, false);
    }
    for (const columns of [20, 8, 3]) {
      const sheets = subs.map((sub) => inspectSheet(document, sub, 0, columns));
      for (const tables of [20, 6, 2]) {
        for (const one of sheets) one.tables = one.tables.slice(0, tables);
        if (fits(sheets)) return answer(sheets, true);
      }
    }
    const bones = subs.map((sub) => ({ ...inspectSheet(document, sub, 0, 1), tables: [], cells: undefined }));
    if (fits(bones)) return answer(bones, true);
    const least = bones.map(({ sheet, sheet_id, used, tables, error_count }) => ({
      sheet,
      sheet_id,
      used,
      tables,
      ...(error_count === undefined ? {} : { error_count }),
    }));
    names.length = 0;
    while (least.length > 1 && !fits(least)) least.pop();
    return answer(least, true);
  },
});
