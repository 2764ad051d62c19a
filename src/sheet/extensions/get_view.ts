import { z } from 'zod';
import { fail } from '../../operation/errors.ts';
import { flag, integer, list, text } from '../../operation/fields.ts';
import { rectOf } from '../engine/document.ts';
import { worksheetOf } from '../calls/lookup.ts';
import { cellCount, fileFields, maxReadCells, r4, regionOf, sheetField } from '../schema.ts';
import { readTool } from '../calls/tool.ts';
import { viewLayout, viewOf } from '../reading/view.ts';

const run = (what: string) => list(what, integer('First, last, value.'));
const style = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
  .meta({ description: 'Its properties; borders as style:RRGGBB.' });

const piece = z.object({ text: text('A piece.'), style: style.optional() });

export const get_view = readTool({
  name: 'get_view',
  summary:
    'Reads a region as a page shows it, at most 20000 cells: shown texts, what editing would begin with, ' +
    'styles, borders, merges and links in compact lists; with layout also sizes, freeze and hidden rows. ' +
    'For values alone use get_cell_data.',
  input: z.object({ ...fileFields, ...sheetField, ...r4, layout: flag("Tell the sub-sheet's layout too.").optional() }),
  output: z.object({
    version: integer("The document's version."),
    cells: list(
      'Cells that hold something, row by row.',
      list(
        'Row, column, shown text, kind (0 text, 1 number, 2 boolean, 3 error) and, where it differs from the text, what editing begins with.',
        z.union([z.string(), z.number()]),
      ),
    ),
    styles: list('Style runs.', list('Column, first row, last row, place in looks.', integer('A number.'))),
    looks: list('The styles named in styles.', style),
    merges: list(
      'Merged areas that touch the region.',
      list('First row, first column, last row, last column.', integer('A number.')),
    ),
    links: list('Linked cells.', list('Row, column, address.', z.union([z.string(), z.number()]))),
    colours: list(
      'Cells to which their number format gives a colour; absent if none.',
      list('Row, column, RRGGBB.', z.union([z.string(), z.number()])),
    ).optional(),
    rich: list(
      'Cells whose text has several looks; absent if none.',
      z.object({ row: integer('Its row.'), col: integer('Its column.'), pieces: list('The text in order.', piece) }),
    ).optional(),
    layout: z
      .object({
        rows: integer('Rows of the grid.'),
        cols: integer('Columns of the grid.'),
        frozen_rows: integer('Rows kept in view.'),
        frozen_cols: integer('Columns kept in view.'),
        row_sizes: list('Heights in points; others have the default.', run('A run.')),
        col_sizes: list('Widths in pixels; others have the default.', run('A run.')),
        hidden_rows: list('Hidden rows, by hand or by filters.', run('A run, as first and last.')),
        hidden_cols: list('Hidden columns.', run('A run, as first and last.')),
        used: text('The smallest range with values, like A1:B2; empty if none.'),
      })
      .meta({ description: 'With layout.' })
      .optional(),
  }),
  read(document, input, call) {
    const sub = worksheetOf(document, input.sheet_id);
    const rect = rectOf(regionOf(input));
    const count = cellCount(input);
    if (count > maxReadCells)
      throw fail(
        'limit_exceeded',
        `end_row: a region of at most ${maxReadCells} cells can be read at once (got ${count})`,
      );
    return {
      version: call.version,
      ...viewOf(document, sub, rect),
      ...(input.layout ? { layout: viewLayout(document, sub) } : {}),
    };
  },
});
