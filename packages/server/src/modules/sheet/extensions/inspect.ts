import { flag, list, text } from '../../../kernel/field-schemas.ts';
import { resolveAddress } from '../calls/address.ts';
import { readTool } from '../calls/tool.ts';
import {
  detailLevels,
  inspectSheet,
  listDefinedNames,
  inspectedSheet,
  type InspectedSheet,
} from '../reading/inspect-sheet.ts';
import { charactersPerToken, tokensField, defaultMaxTokens } from '../schema.ts';

export const inspect = readTool({
  name: 'inspect',
  summary:
    'Explains a spreadsheet in few tokens: tables, headings, types, units, formula patterns and where they ' +
    'break, errors and their causes, names, links, hidden parts, merges, objects. Start here; then read or ' +
    'query.',
  input: {
    sheet_id: text('Id or name of the only sub-sheet to look at.', { max: 64 }).optional(),
    ...tokensField(defaultMaxTokens),
  },
  output: {
    sheets: list('Sub-sheets, in tab order.', inspectedSheet),
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
