import { z } from 'zod';
import { invalid } from '../errors.ts';
import { double, flag, integer, list, text } from '../../../kernel/field-schemas.ts';
import { resolveAddress, type SheetRange } from '../calls/address.ts';
import { findSheetContaining } from '../calls/sheet-lookup.ts';
import { readTool } from '../calls/tool.ts';
import { computedFormats, type Look, rectOf, type SheetDocument } from '@sheaf/engine/internal/document';
import {
  addressField,
  toRegionTuple,
  refuseLargeRead,
  optionalRegionFields,
  defaultSheetField,
  type RegionInput,
} from '../schema.ts';
import { formatStyleFields } from './set_conditional_format.ts';

const formattedCell = z.object({
  row: integer('0-based.'),
  col: integer('0-based.'),
  ...formatStyleFields.shape,
  bar: double('Share of the cell that its bar fills.').optional(),
  bar_color: text('AARRGGBB.').optional(),
  icon_set: text('Set of its icon.').optional(),
  icon: integer('Icon, 0 lowest.').optional(),
  hide_value: flag('Whether the value is hidden.').optional(),
});

type Cell = z.input<typeof formattedCell>;
type Fields = Omit<Cell, 'row' | 'col'>;

export const get_computed_formats = readTool({
  name: 'get_computed_formats',
  summary: 'Returns what conditional formats make of the cells of a region; cells without effect are omitted.',
  input: { ...defaultSheetField, range: addressField('Cells, or a sub-sheet.').optional(), ...optionalRegionFields },
  output: { cells: list('Row by row.', formattedCell) },
  read(document, input, call) {
    const { sub, rect } = resolveRange(document, input);
    const bottom = Math.min(rect.bottom, document.size(sub).rows - 1);
    const right = Math.min(rect.right, document.size(sub).cols - 1);
    const count = Math.max(0, bottom - rect.top + 1) * Math.max(0, right - rect.left + 1);
    refuseLargeRead(input.range === undefined ? 'end_row' : 'range', count);
    const formats = computedFormats(document, sub, { ...rect, bottom, right }, call.calculation);
    const told = new Map<Look, Fields>();
    const cells: Cell[] = [];
    for (const { row, col, look } of formats) {
      let fields = told.get(look);
      if (!fields) told.set(look, (fields = fieldsOf(look)));
      // Skip cells that get no format from any conditional formatting rule.
      if (fields !== noFields) cells.push({ row, col, ...fields });
    }
    return { cells };
  },
});

interface RangeInput extends Partial<RegionInput> {
  readonly range?: string | undefined;
  readonly sheet_id?: string | undefined;
}

function resolveRange(document: SheetDocument, asked: RangeInput): SheetRange {
  if (asked.range !== undefined) return resolveAddress(document, asked.range, { sheet: asked.sheet_id });
  const { start_row, start_col, end_row, end_col } = asked;
  if (start_row === undefined || start_col === undefined || end_row === undefined || end_col === undefined)
    throw invalid('range: is required, e.g. "Sheet1!A1:D9"');
  const region = toRegionTuple({ start_row, start_col, end_row, end_col });
  return { sub: findSheetContaining(document, asked.sheet_id, () => true), rect: rectOf(region) };
}

const noFields: Fields = {};

function fieldsOf({ style, bar, icon, hidesValue }: Look): Fields {
  const fields = {
    ...(style?.bold ? { bold: true } : {}),
    ...(style?.italic ? { italic: true } : {}),
    ...(style?.strikeThrough ? { strike_through: true } : {}),
    ...(style?.underline ? { underline: true } : {}),
    ...(style?.fontColor ? { font_color: style.fontColor } : {}),
    ...(style?.bgColor ? { bg_color: style.bgColor } : {}),
    ...(bar ? { bar: bar.share, bar_color: bar.color } : {}),
    ...(icon ? { icon_set: icon.set, icon: icon.index } : {}),
    ...(hidesValue ? { hide_value: true } : {}),
  };
  return Object.keys(fields).length > 0 ? fields : noFields;
}
