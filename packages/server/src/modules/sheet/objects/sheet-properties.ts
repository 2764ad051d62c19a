import { flag, integer, oneOf, text } from '../../../kernel/field-schemas.ts';
import type { SubSheet } from '@sheaf/engine/internal/document';

export const sheetPropertyFields = {
  visibility: oneOf('Whether its tab is shown.', ['visible', 'hidden', 'very_hidden']).optional(),
  tab_color: text('RRGGBB; empty for none.', { max: 9 }).optional(),
  zoom: integer('Percent.', { min: 10, max: 400 }).optional(),
  gridlines: flag('Whether gridlines are shown.').optional(),
  default_col_width: integer('Pixels; 0 for the usual.', { min: 0, max: 2000 }).optional(),
  default_row_height: integer('Points; 0 for the usual.', { min: 0, max: 409 }).optional(),
};

export function readSheetProperties({ setup }: SubSheet) {
  const color = /\brgb="([0-9A-Fa-f]{6,8})"/.exec(setup.tabColor ?? '')?.[1];
  return {
    visibility:
      setup.visibility === undefined
        ? ('visible' as const)
        : ({ hidden: 'hidden', veryHidden: 'very_hidden' } as const)[setup.visibility],
    ...(color === undefined ? {} : { tab_color: color.toUpperCase() }),
    zoom: setup.zoom ?? 100,
    gridlines: setup.gridlines !== false,
    default_col_width: setup.colWidth ?? 0,
    default_row_height: Math.round(setup.rowHeight ?? 0),
  };
}
