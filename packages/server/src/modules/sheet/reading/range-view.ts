import {
  computedFormats,
  meets,
  rectOf,
  regionOf,
  type Runs,
  type SheetDocument,
  shownText,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import { rectName, type Rect, colorInFormat, readRange, CellError, type Scalar } from '@sheaf/engine';
import { formatForEditing } from '../cells/user-input.ts';
import { getBuiltInTableStyle } from '../styles/table-styles.ts';
import { tableStyleKeys } from '../objects/tables.ts';
import type { Layout, RangeView } from './view-schema.ts';

type Calculation = Parameters<typeof computedFormats>[3];

type CellText = RangeView['links'][number];

/**
 * Returns the data that a client needs to draw a region of a sub-sheet. Empty cells are left out, and equal styles are
 * listed only once.
 */
export function buildRangeView(
  document: SheetDocument,
  sub: SubSheet,
  rect: Rect,
  calculation?: Calculation,
): RangeView {
  const looks: RangeView['looks'] = [];
  const places = new Map<number, number>();
  const styles = sub.styles.list(rect).map(([col, start, end, id]): RangeView['styles'][number] => {
    let place = places.get(id);
    if (place === undefined) {
      place = looks.length;
      places.set(id, place);
      looks.push({ ...document.styles.shown(id) } as RangeView['looks'][number]);
    }
    return [col, start, end, place];
  });
  const cells: RangeView['cells'] = [];
  const colors: CellText[] = [];
  for (const { row, col, value, formula } of readRange(
    document.workbook,
    sub.sheet,
    rect.top,
    rect.left,
    rect.bottom,
    rect.right,
  )) {
    if (value === null && formula === undefined) continue;
    const pattern = document.hasFormats(sub, col) ? document.numberFormat(sub, row, col) : 'General';
    const shown = shownText(value, pattern);
    const input = formatForEditing(value, formula, pattern);
    const color = colorInFormat(value, pattern);
    if (color !== undefined) colors.push([row, col, color]);
    cells.push(input === shown ? [row, col, shown, kindOf(value)] : [row, col, shown, kindOf(value), input]);
  }
  return {
    cells,
    styles,
    looks,
    merges: sub.merges.meeting(rect).map((merge) => [...regionOf(merge)]),
    links:
      sub.links.size === 0 ? [] : sub.links.list(rect).map(({ row, col, value }): CellText => [row, col, value.url]),
    ...(colors.length > 0 ? { colours: colors } : {}),
    ...(sub.rich.size > 0
      ? {
          rich: sub.rich
            .list(rect)
            .map(({ row, col, value }) => ({ row, col, pieces: value.map(({ source: _, ...piece }) => piece) })),
        }
      : {}),
    ...(sub.formats.length > 0 ? { formats: formattedCells(document, sub, rect, calculation) } : {}),
    ...styledTables(sub, rect),
  };
}

const marksOrder = ['first_column', 'last_column', 'row_stripes', 'column_stripes'] as const;

function styledTables(sub: SubSheet, rect: Rect): Pick<RangeView, 'tables'> {
  const tables = sub.tables.flatMap(({ regions, headings, totals, style }): NonNullable<RangeView['tables']> => {
    const parts = meets(rectOf(regions[0]!), rect) ? getBuiltInTableStyle(style?.name) : undefined;
    if (!parts || !style) return [];
    return [
      {
        region: [...regions[0]!],
        heads: headings === false ? 0 : 1,
        feet: totals ? 1 : 0,
        marks: marksOrder.filter((one) => style[tableStyleKeys[one]]),
        ...parts,
      },
    ];
  });
  return tables.length > 0 ? { tables } : {};
}

function formattedCells(
  document: SheetDocument,
  sub: SubSheet,
  rect: Rect,
  calculation: Calculation,
): NonNullable<RangeView['formats']> {
  const { rows, cols } = document.size(sub);
  const inside = { ...rect, bottom: Math.min(rect.bottom, rows - 1), right: Math.min(rect.right, cols - 1) };
  if (inside.bottom < inside.top || inside.right < inside.left) return [];
  return computedFormats(document, sub, inside, calculation).flatMap(({ row, col, look }) => {
    const { style, bar, icon, hidesValue } = look;
    // Skip cells whose appearance does not change. A conditional format's rule may match a cell without setting a
    // format.
    if (!style && !bar && !icon) return [];
    return {
      row,
      col,
      ...(style ? { style: { ...style } as RangeView['looks'][number] } : {}),
      ...(bar ? { bar: { ...bar } } : {}),
      ...(icon ? { icon: { ...icon } } : {}),
      ...(hidesValue ? { hide_value: true } : {}),
    };
  });
}

function kindOf(value: Scalar): 0 | 1 | 2 | 3 {
  if (typeof value === 'number') return 1;
  if (typeof value === 'boolean') return 2;
  return value instanceof CellError ? 3 : 0;
}

export function buildLayout(document: SheetDocument, sub: SubSheet): Layout {
  const { rows, cols } = document.size(sub);
  const used = document.usedRange(sub);
  return {
    rows,
    cols,
    frozen_rows: sub.freeze.rows,
    frozen_cols: sub.freeze.cols,
    row_sizes: sub.rowSizes.list().map((run) => [...run]),
    col_sizes: sub.colSizes.list().map((run) => [...run]),
    hidden_rows: listHiddenRows(sub).map(([first, last]) => [first, last]),
    hidden_cols: sub.hiddenCols.list().map(([first, last]) => [first, last]),
    used: used ? rectName(used) : '',
  };
}

export function listHiddenRows(sub: SubSheet): readonly (readonly [number, number, number])[] {
  const filtered = sub.filteredRows();
  if (sub.hiddenRows.isEmpty) return filtered.list();
  if (filtered.isEmpty) return sub.hiddenRows.list();
  const both: Runs = filtered.copy();
  for (const [first, last] of sub.hiddenRows.list()) both.set(first, last, 1);
  return both.list();
}
