import { maxCols } from '@sheaf/engine';
import { requireById } from '../calls/sheet-lookup.ts';
import { z } from 'zod';
import { integer } from '../../../kernel/field-schemas.ts';
import type { Anchor, Chart, SubSheet } from '@sheaf/engine/internal/document';
import { colField, regionFields, rowField, type RegionInput } from '../schema.ts';

const defaultWidth = 480;
const defaultHeight = 300;
const maxPixels = 10_000;

export const dataRangeField = z.object(regionFields);

export const locationField = z.object({
  row_index: rowField('Top row.'),
  col_index: colField('Left column.'),
  horizontal_offset: integer('Pixels from its left edge.', { min: 0, max: maxPixels }).optional(),
  vertical_offset: integer('Pixels from its top edge.', { min: 0, max: maxPixels }).optional(),
  width: integer('Pixels.', { min: 1, max: maxPixels }).optional(),
  height: integer('Pixels.', { min: 1, max: maxPixels }).optional(),
});

type Location = z.output<typeof locationField>;

export function toAnchor(given: Location, before?: Anchor): Anchor {
  return {
    row: given.row_index,
    col: given.col_index,
    offsetX: given.horizontal_offset ?? before?.offsetX ?? 0,
    offsetY: given.vertical_offset ?? before?.offsetY ?? 0,
    width: given.width ?? before?.width ?? defaultWidth,
    height: given.height ?? before?.height ?? defaultHeight,
  };
}

/** Returns the default position of a chart: to the right of its data. */
export function defaultChartAnchor(range: RegionInput): Anchor {
  return {
    row: range.start_row,
    col: Math.min(range.end_col + 1, maxCols - 1),
    offsetX: 10,
    offsetY: 0,
    width: defaultWidth,
    height: defaultHeight,
  };
}

export function toLocation(anchor: Anchor): z.input<typeof locationField> {
  return {
    row_index: anchor.row,
    col_index: anchor.col,
    horizontal_offset: anchor.offsetX,
    vertical_offset: anchor.offsetY,
    width: anchor.width,
    height: anchor.height,
  };
}

export function requireChart(sub: SubSheet, id: string): Chart {
  return requireById(sub.charts, id, 'drawing_id: there is no chart');
}
