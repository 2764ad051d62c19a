import { z } from 'zod';
import { flag, integer, list, aliasField, text } from '../../../kernel/field-schemas.ts';
import { find as search } from '@sheaf/engine/internal/document';
import { toFindOptions, withPatternFailures } from '../calls/find-options.ts';
import { findScopeSheet } from '../calls/sheet-lookup.ts';
import { colField, rowField } from '../schema.ts';
import { readTool } from '../calls/tool.ts';

const defaultResults = 50;

export const find = readTool({
  name: 'find',
  summary:
    'Finds cells by their displayed text or formula, in all sub-sheets or one. use_regex takes RE2 ' +
    'syntax. To change matches use replace; to search all documents use manage_search_file.',
  input: {
    search_term: text('Text or pattern to find.', { min: 1, max: 1000 }),
    sheet_name: text('Sub-sheet to which to restrict the call.', { max: 31 }).optional(),
    sheet_id: aliasField(text('Its id, instead of sheet_name.', { max: 64 })).optional(),
    start_row: rowField('First row. Default: 0.').optional(),
    start_col: colField('First column. Default: 0.').optional(),
    end_row: rowField("Last row; the sub-sheet's last if omitted.").optional(),
    end_col: colField("Last column; the sub-sheet's last if omitted.").optional(),
    offset: integer('Number of results to skip.', { min: 0 }).optional(),
    match_case: flag('Whether the search is case-sensitive.').optional(),
    match_entire_cell: flag('Whether the entire text must match.').optional(),
    use_regex: flag('Whether search_term is an RE2 pattern.').optional(),
    match_formulas: flag('Whether to search formulas instead of displayed text.').optional(),
    max_results: integer('Maximum number of results. Default: 50.', { min: 1, max: 10_000 }).optional(),
  },
  output: {
    total_results: integer('Total number of results, up to 100000.'),
    results: list(
      'Matches, by sub-sheet and row.',
      z.object({
        sheet_id: text('Where.'),
        row: integer('Row, starting at 0.'),
        col: integer('Column, starting at 0.'),
        address: text('Cell reference, e.g. B3.'),
      }),
    ),
    overflow: flag('Whether more results remain.'),
    next_offset: integer('Offset of the next page; 0 if counting stopped.'),
  },
  read(document, input) {
    const options = toFindOptions(input, findScopeSheet(document, input));
    const most = input.max_results ?? defaultResults;
    const found = withPatternFailures(() => search(document, { ...options, offset: input.offset, most }));
    return {
      total_results: found.total,
      results: found.results.map((one) => ({ sheet_id: one.sheet, row: one.row, col: one.col, address: one.address })),
      overflow: found.overflow,
      next_offset: found.nextOffset,
    };
  },
});
