import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { flag, integer, list, aliasField, text } from '../../../kernel/field-schemas.ts';
import {
  BadPattern,
  find as search,
  type FindOptions,
  type FindResult,
  type SheetDocument,
} from '@sheaf/engine/internal/document';
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
    const sub = findScopeSheet(document, input);
    if ((input.end_row ?? Infinity) < (input.start_row ?? 0))
      throw fail('invalid_parameter', `end_row: must be at least start_row (got ${input.end_row})`);
    if ((input.end_col ?? Infinity) < (input.start_col ?? 0))
      throw fail('invalid_parameter', `end_col: must be at least start_col (got ${input.end_col})`);
    const found = run(document, {
      term: input.search_term,
      sheets: sub && [sub],
      within: { top: input.start_row, left: input.start_col, bottom: input.end_row, right: input.end_col },
      matchCase: input.match_case,
      entireCell: input.match_entire_cell,
      regex: input.use_regex,
      formulas: input.match_formulas,
      offset: input.offset,
      most: input.max_results ?? defaultResults,
    });
    return {
      total_results: found.total,
      results: found.results.map((one) => ({ sheet_id: one.sheet, row: one.row, col: one.col, address: one.address })),
      overflow: found.overflow,
      next_offset: found.nextOffset,
    };
  },
});

function run(document: SheetDocument, options: FindOptions): FindResult {
  try {
    return search(document, options);
  } catch (error) {
    if (error instanceof BadPattern)
      throw fail('invalid_parameter', `search_term: is not a valid RE2 pattern: ${error.message}`);
    throw error;
  }
}
