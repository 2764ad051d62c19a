import { z } from 'zod';
import { double, flag, integer, list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { tableStyleOptions } from '../objects/tables.ts';

const row = integer('Row.');
const col = integer('Column.');
const first = integer('First index.');
const last = integer('Last index.');
const sizeRun = z.tuple([first, last, double('Size.')]);
export const span = z.tuple([first, last]);
const style = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
  .meta({ description: 'Its properties; borders as style:RRGGBB.' });

const piece = z.object({ text: text('A piece.'), style: style.optional() });
const region = z.tuple([
  integer('First row.'),
  integer('First column.'),
  integer('Last row.'),
  integer('Last column.'),
]);

export const rangeViewFields = {
  cells: list(
    'Non-empty cells, row by row: row, column, displayed text, kind (0 text, 1 number, 2 boolean, 3 error) and, if it ' +
      'differs from the displayed text, the editable text.',
    z.tuple([row, col, text('Displayed text.'), integer('Kind.')]).rest(text('Editable text.')),
  ),
  styles: list(
    'Style runs: column, first row, last row, index in looks.',
    z.tuple([col, integer('First row.'), integer('Last row.'), integer('Index in looks.')]),
  ),
  looks: list('The styles referred to by styles.', style),
  merges: list('Merged areas that touch the region: first row, first column, last row, last column.', region),
  links: list('Linked cells: row, column, address.', z.tuple([row, col, text('Address.')])),
  colours: list(
    'Cells colored by their number format: row, column, RRGGBB; absent if none.',
    z.tuple([row, col, text('RRGGBB.')]),
  ).optional(),
  rich: list(
    'Cells with rich text; absent if none.',
    z.object({ row: integer('Its row.'), col: integer('Its column.'), pieces: list('The text in order.', piece) }),
  ).optional(),
  formats: list(
    'What conditional formats make of cells; absent if there are none.',
    z.object({
      row: integer('Its row.'),
      col: integer('Its column.'),
      style: style.optional(),
      bar: z
        .object({ share: double('Share of the cell.'), color: text('AARRGGBB.') })
        .meta({ description: 'Its bar.' })
        .optional(),
      icon: z
        .object({ set: text('Its set.'), index: integer('Icon, 0 lowest.') })
        .meta({ description: 'Its icon.' })
        .optional(),
      hide_value: flag('Whether the value is hidden.').optional(),
    }),
  ).optional(),
  tables: list(
    'Tables with a style that touch the region; absent if there are none.',
    z.object({
      region: region.meta({ description: 'Its cells.' }),
      heads: integer('Rows of headings.'),
      feet: integer('Rows of totals.'),
      marks: list('What it marks.', oneOf('A part.', tableStyleOptions)),
      whole: style.optional(),
      outline: z
        .object({ line: text('Its border.'), is_open: flag('Whether only above and below.').optional() })
        .meta({ description: 'The line around it.' })
        .optional(),
      stripe: style.optional(),
      header: style.optional(),
      totals: style.optional(),
      ends: style.optional(),
    }),
  ).optional(),
};

export const layoutSchema = z.object({
  rows: integer('Number of rows in the grid.'),
  cols: integer('Number of columns in the grid.'),
  frozen_rows: integer('Number of frozen rows.'),
  frozen_cols: integer('Number of frozen columns.'),
  row_sizes: list('Heights in points: first row, last row, height; other rows have the default.', sizeRun),
  col_sizes: list('Widths in pixels: first column, last column, width; other columns have the default.', sizeRun),
  hidden_rows: list('Rows hidden manually or by filters: first, last.', span),
  hidden_cols: list('Hidden columns: first, last.', span),
  used: text('Smallest range with values, e.g. A1:B2; empty if none.'),
});

export type RangeView = z.input<z.ZodObject<typeof rangeViewFields>>;
export type Layout = z.input<typeof layoutSchema>;
