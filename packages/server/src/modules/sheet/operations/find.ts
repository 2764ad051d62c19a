import { z } from 'zod';
import { flag, integer, list, aliasField, text } from '../../../kernel/field-schemas.ts';
import { rectName } from '@sheaf/engine';
import { find as search, meets } from '@sheaf/engine/internal/document';
import { invalid } from '../errors.ts';
import { toFindOptions, withPatternFailures } from '../calls/find-options.ts';
import { findScopeSheet } from '../calls/sheet-lookup.ts';
import { colField, rowField } from '../schema.ts';
import { readTool } from '../calls/tool.ts';

const defaultResults = 50;

interface Area {
  readonly sheet_id?: string | undefined;
  readonly start_row?: number | undefined;
  readonly start_col?: number | undefined;
  readonly end_row?: number | undefined;
  readonly end_col?: number | undefined;
}

/** Throws if two areas overlap, because cells in both areas would be counted twice. */
function refuseOverlap(areas: readonly Area[]): void {
  const rects = areas.map(({ sheet_id: sheet, start_row = 0, start_col = 0, end_row = 0, end_col = 0 }) => ({
    sheet,
    rect: { top: start_row, left: start_col, bottom: end_row, right: end_col },
  }));
  for (const [index, one] of rects.entries()) {
    const other = rects.slice(0, index).find(({ sheet, rect }) => sheet === one.sheet && meets(rect, one.rect));
    if (other) throw invalid(`range: areas must not overlap (got ${rectName(other.rect)} and ${rectName(one.rect)})`);
  }
}

export const find = readTool({
  name: 'find',
  summary: 'Finds cells by displayed text or formula, in all sub-sheets or one. To change matches use replace.',
  input: {
    search_term: text('Text or pattern to find.', { min: 1, max: 1000 }),
    sheet_name: text('Only this sub-sheet.', { max: 31 }).optional(),
    sheet_id: aliasField(text('Its id, instead of sheet_name.', { max: 64 })).optional(),
    start_row: rowField('First row. Default: 0.').optional(),
    start_col: colField('First column. Default: 0.').optional(),
    end_row: rowField('Default: the last.').optional(),
    end_col: colField('Default: the last.').optional(),
    offset: integer('Number of results to skip.', { min: 0 }).optional(),
    match_case: flag('Whether the search is case-sensitive.').optional(),
    match_entire_cell: flag('Whether the entire text must match.').optional(),
    use_regex: flag('Whether search_term is an RE2 pattern.').optional(),
    match_formulas: flag('Whether to search formulas instead.').optional(),
    max_results: integer('Maximum number of results. Default: 50.', { min: 1, max: 10_000 }).optional(),
  },
  output: {
    total_results: integer('Total number of results, up to 100000.'),
    results: list(
      'Matches, by sub-sheet and row.',
      z.object({
        sheet_id: text('Where.'),
        row: integer('0-based.'),
        col: integer('0-based.'),
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
  readAreas(inputs, readOne) {
    refuseOverlap(inputs);
    const { offset = 0, max_results: most = defaultResults } = inputs[0]!;
    // Search each area without skipping results, because the offset applies to the combined list of results.
    const found = inputs.map((input) => readOne({ ...input, offset: 0, max_results: offset + most }));
    const total = found.reduce((sum, one) => sum + one.total_results, 0);
    const overflow = total > offset + most;
    return {
      total_results: total,
      results: found.flatMap((one) => one.results).slice(offset, offset + most),
      overflow,
      next_offset: overflow ? offset + most : 0,
    };
  },
});
