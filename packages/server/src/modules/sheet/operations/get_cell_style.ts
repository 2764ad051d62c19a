import { z } from 'zod';
import { integer, list, text } from '../../../kernel/field-schemas.ts';
import { regionFields, toReadableRect } from '../schema.ts';
import { worksheetReadTool } from '../calls/tool.ts';

export const get_cell_style = worksheetReadTool({
  name: 'get_cell_style',
  summary: 'Returns the colors, font and number format of each of up to 20000 cells.',
  input: { ...regionFields },
  output: {
    cells: list(
      'One entry per cell, row by row.',
      z.object({
        row: integer('0-based.'),
        col: integer('0-based.'),
        background_color: text('Color as AARRGGBB; empty if unset.'),
        font_color: text('Color as AARRGGBB; empty if unset.'),
        font_size: integer('Size in points; 0 if unset.'),
        font_family: text('Empty if unset.'),
        number_format: text('Empty if unset.'),
      }),
    ),
  },
  read(document, sub, input) {
    const rect = toReadableRect(input);
    const cells = [];
    const lastRow = Math.min(rect.bottom, sub.rows - 1);
    const lastCol = Math.min(rect.right, sub.cols - 1);
    for (let row = rect.top; row <= lastRow; row++) {
      for (let col = rect.left; col <= lastCol; col++) {
        const style = document.style(sub, row, col);
        cells.push({
          row,
          col,
          background_color: style.bgColor ?? '',
          font_color: style.fontColor ?? '',
          font_size: style.fontSize ?? 0,
          font_family: style.fontFamily ?? '',
          number_format: style.numberFormat ?? labelOnly(document.numberFormat(sub, row, col)),
        });
      }
    }
    return { cells };
  },
});

/**
 * Returns the number format to report for a cell whose own style sets none: `pattern`, the format with which it is
 * displayed, or '' if that is General. It differs from General only for labels of pivot tables, such as dates.
 */
function labelOnly(pattern: string): string {
  return pattern === 'General' ? '' : pattern;
}
