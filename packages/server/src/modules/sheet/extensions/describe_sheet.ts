import { charactersPerToken } from '../schema.ts';
import { z } from 'zod';
import { flag, integer, list, text } from '../../../kernel/field-schemas.ts';
import { columnSummary, summarizeColumn, hasHeadingRow, type ColumnSummary } from '../reading/summarize-column.ts';
import type { SheetDocument, SubSheet } from '@sheaf/engine/internal/document';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import { findTotalsRow } from '../reading/totals-row.ts';
import { formatRange } from '../reading/format-range.ts';
import { findDataRegions } from '../reading/data-regions.ts';
import { readTool } from '../calls/tool.ts';

const maxRegions = 50;
const maxColumns = 200;
const defaultTokens = 2000;

const region = z.object({
  range: text('Like <sheet_id>$A1:D20.'),
  row_count: integer('Number of rows, including the heading.'),
  col_count: integer('Columns.'),
  has_header: flag('Whether the first row contains headings.'),
  has_totals: flag('Whether the last row contains totals of the rows above.').optional(),
  columns: list('From left to right.', columnSummary),
});

const sheet = z.object({
  sheet_id: text('Sub-sheet.'),
  sheet_name: text('Its name.'),
  used_range: text('Range of all filled cells; empty if there are none.'),
  frozen_rows: integer('Number of frozen rows.'),
  frozen_cols: integer('Number of frozen columns.'),
  charts: integer('How many.'),
  pivot_tables: integer('How many.'),
  filters: integer('How many.'),
  images: integer('How many.'),
  regions: list('Tables found, from top to bottom.', region),
});

type Sheet = z.input<typeof sheet>;

export const describe_sheet = readTool({
  name: 'describe_sheet',
  deprecated: 'use inspect, which tells more in fewer tokens.',
  isUnlisted: true,
  summary:
    'Describes the contents of a document without reading all of it: tables, headings, column types and ' +
    'samples, within a token budget. Use it before get_cell_data on an unfamiliar document.',
  input: {
    sheet_id: text('Sub-sheet to which to restrict the call; all if omitted.', { max: 64 }).optional(),
    max_tokens: integer('Approximate size limit of the response in tokens. Default: 2000.', {
      min: 100,
      max: 50_000,
    }).optional(),
  },
  output: {
    sheets: list('Sub-sheets, in tab order.', sheet),
    truncated: flag('Whether something was omitted to stay within the budget.'),
  },
  read(document, input) {
    const subs = input.sheet_id ? [requireWorksheet(document, input.sheet_id)] : document.subSheets;
    const sheets = subs.map((sub) => describe(document, sub));
    return withinBudget(sheets, (input.max_tokens ?? defaultTokens) * charactersPerToken);
  },
});

function describe(document: SheetDocument, sub: SubSheet): Sheet {
  const used = document.usedRange(sub);
  const regions = used ? findDataRegions(sub, used, maxRegions) : [];
  return {
    sheet_id: sub.id,
    sheet_name: sub.name,
    used_range: used ? formatRange(sub.id, used) : '',
    frozen_rows: sub.freeze.rows,
    frozen_cols: sub.freeze.cols,
    charts: sub.charts.length,
    pivot_tables: document.pivots.filter((one) => one.sheet === sub.id).length,
    filters: sub.filters.length,
    images: sub.images.length,
    regions: regions.map((rect) => {
      const headed = hasHeadingRow(document, sub, rect);
      const columns: ColumnSummary[] = [];
      for (let col = rect.left; col <= Math.min(rect.right, rect.left + maxColumns - 1); col++)
        columns.push(summarizeColumn(document, sub, rect, col, headed));
      return {
        range: formatRange(sub.id, rect),
        row_count: rect.bottom - rect.top + 1,
        col_count: rect.right - rect.left + 1,
        has_header: headed,
        ...(findTotalsRow(document, sub, rect) === undefined ? {} : { has_totals: true }),
        columns,
      };
    }),
  };
}

/**
 * Shortens the description of the sub-sheets until its JSON has at most `characters` characters, as far as possible.
 * Drops sample values first, then columns, then tables, and finally sub-sheets.
 */
function withinBudget(sheets: Sheet[], characters: number): { sheets: Sheet[]; truncated: boolean } {
  const fits = (): boolean => JSON.stringify({ sheets }).length <= characters;
  const complete = sheets.every((one) => one.regions.every((r) => r.columns.length === r.col_count));
  if (fits()) return { sheets, truncated: !complete };
  const regions = sheets.flatMap((one) => one.regions);
  for (const keep of [1, 0]) {
    for (const one of regions) for (const c of one.columns) c.samples = c.samples?.slice(0, keep);
    if (fits()) return { sheets, truncated: true };
  }
  for (let keep = 32; keep >= 1; keep = Math.floor(keep / 2)) {
    for (const one of regions) one.columns = one.columns.slice(0, keep);
    if (fits()) return { sheets, truncated: true };
  }
  for (let keep = 8; keep >= 0; keep = keep === 0 ? -1 : Math.floor(keep / 2)) {
    for (const one of sheets) one.regions = one.regions.slice(0, keep);
    if (fits()) return { sheets, truncated: true };
  }
  while (sheets.length > 1 && !fits()) sheets.pop();
  return { sheets, truncated: true };
}
