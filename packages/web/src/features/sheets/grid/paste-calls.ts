import { regionFields, type CellRange } from '../cell-geometry.ts';
import type { BorderLine, BorderSide } from './parse-css-style.ts';
import { toA1Formula } from './relative-formula.ts';
import type { PastedCell, PastedTable } from './pasted-table.ts';

interface Call {
  readonly tool: 'enter_cells' | 'set_cell_style' | 'set_border' | 'merge_cell' | 'set_dimension_size';
  readonly arguments: Record<string, unknown>;
}

/** Maximum number of server operations in one batch request. */
export const maxCalls = 100;
/**
 * Maximum number of cell style operations in one paste, one per rectangle of cells with equal style. Further cells are
 * pasted without style. The same maximum applies to border operations and to row heights.
 */
const maxLooks = 2000;

/**
 * Returns the server operations that paste a table with its styles and merged cells, starting at the given cell. Cell
 * formats come before the cell contents, because text such as `007` stays text only in a cell that is already formatted
 * as text.
 */
export function pasteCalls(table: PastedTable, sheetId: string, row: number, col: number): Call[] {
  const on = (range: CellRange): Record<string, unknown> => ({
    sheet_id: sheetId,
    ...regionFields({
      top: range.top + row,
      left: range.left + col,
      bottom: range.bottom + row,
      right: range.right + col,
    }),
  });
  const spread = spreadOver(table);
  const looks = rectanglesOf(spread, ({ look }) =>
    Object.keys(look.format).length === 0 ? '' : JSON.stringify(look.format),
  );
  const lines = rectanglesOf(spread, ({ look }) =>
    Object.keys(look.lines).length === 0 ? '' : JSON.stringify(look.lines),
  );
  const styled = looks.map(({ range, key }): Call => ({
    tool: 'set_cell_style',
    arguments: { ...on(range), format: JSON.parse(key) as unknown },
  }));
  const bordered = lines.flatMap(({ range, key }) =>
    borderCalls(range, JSON.parse(key) as Partial<Record<BorderSide, BorderLine>>).map(({ positions, line }): Call => ({
      tool: 'set_border',
      arguments: { ...on(range), border_positions: positions, border_style: line.style, border_color: line.color },
    })),
  );
  const typed: Call = {
    tool: 'enter_cells',
    arguments: {
      sheet_id: sheetId,
      start_row: row,
      start_col: col,
      rows: table.rows.map((line, r) => line.map((cell, c) => typedOf(cell, row + r, col + c))),
    },
  };
  const merged = table.merges.map((range): Call => ({
    tool: 'merge_cell',
    arguments: { ...on(range), merge_type: 'all' },
  }));
  const heights = heightsOf(table, row);
  const grown: Call[] =
    heights.length === 0
      ? []
      : [{ tool: 'set_dimension_size', arguments: { sheet_id: sheetId, dimensions: heights.slice(0, maxLooks) } }];
  return [...styled.slice(0, maxLooks), typed, ...merged, ...bordered.slice(0, maxLooks), ...grown];
}

const pointsPerLine = 14;

/**
 * Returns the heights in points of the rows that contain texts with several lines, as input of `set_dimension_size`.
 */
function heightsOf({ rows }: PastedTable, row: number): Record<string, unknown>[] {
  return rows.flatMap((line, index) => {
    const lines = Math.max(1, ...line.map(({ text }) => text.split('\n').length));
    if (lines === 1) return [];
    const at = { dimension_type: 'row', start_index: row + index, end_index: row + index };
    return [{ ...at, size: Math.min(409, lines * pointsPerLine + 6) }];
  });
}

function typedOf({ text, number, formula, look }: PastedCell, row: number, col: number): string {
  const written = formula === undefined ? undefined : toA1Formula(formula, row, col);
  if (written?.startsWith('=')) return written;
  if (text === '' || number === undefined || !Number.isFinite(Number(number)) || number.trim() === '') return text;
  // If the displayed text does not look like a number (for example a date) and the cell has no number format, paste the
  // text. The numeric value would appear as a plain number.
  return look.format.number_format_pattern === undefined && !/^[-+\d.,\s]+$/.test(text) ? text : number.trim();
}

/**
 * Returns a copy of the cells in which every cell of a merged range has the style of the range's first cell, so that
 * the style covers the whole range.
 */
function spreadOver({ rows, merges }: PastedTable): PastedCell[][] {
  const cells = rows.map((line) => [...line]);
  for (const { top, left, bottom, right } of merges) {
    for (let r = top; r <= bottom; r++)
      for (let c = left; c <= right; c++) cells[r]![c] = { ...cells[r]![c]!, look: rows[top]![left]!.look };
  }
  return cells;
}

/**
 * Groups adjacent cells for which `say` returns the same key into rectangles, to reduce the number of server
 * operations. Cells with an empty key are omitted.
 */
export function rectanglesOf<Cell>(
  rows: readonly (readonly Cell[])[],
  say: (cell: Cell) => string,
): { range: CellRange; key: string }[] {
  const done: { range: CellRange; key: string }[] = [];
  let open: { range: CellRange; key: string }[] = [];
  rows.forEach((line, r) => {
    const runs: { range: CellRange; key: string }[] = [];
    line.forEach((cell, c) => {
      const key = say(cell);
      const last = runs.at(-1);
      if (key === '') return;
      if (last && last.key === key && last.range.right === c - 1) last.range = { ...last.range, right: c };
      else runs.push({ key, range: { top: r, left: c, bottom: r, right: c } });
    });
    const next = runs.map((run) => {
      const above = open.find(
        (one) => one.key === run.key && one.range.left === run.range.left && one.range.right === run.range.right,
      );
      return above ? { key: run.key, range: { ...above.range, bottom: r } } : run;
    });
    const isContinued = (one: { range: CellRange }): boolean =>
      next.some(({ range }) => range.top === one.range.top && range.left === one.range.left && range.bottom === r);
    done.push(...open.filter((one) => !isContinued(one)));
    open = next;
  });
  return [...done, ...open];
}

/**
 * Position numbers of the server's `set_border` operation by side. The first number is the outer border of a range, the
 * second the inner borders between adjacent cells.
 */
const positionsOf: Readonly<Record<BorderSide, readonly number[]>> = {
  top: [0, 5],
  bottom: [1, 5],
  left: [2, 4],
  right: [3, 4],
};

function borderCalls(
  { top, left, bottom, right }: CellRange,
  lines: Partial<Record<BorderSide, BorderLine>>,
): { positions: number[]; line: BorderLine }[] {
  const byLine = new Map<string, Set<number>>();
  for (const [side, line] of Object.entries(lines) as [BorderSide, BorderLine][]) {
    const key = JSON.stringify(line);
    const positions = byLine.get(key) ?? new Set<number>();
    byLine.set(key, positions);
    for (const position of positionsOf[side]) {
      if ((position === 5 && top === bottom) || (position === 4 && left === right)) continue;
      positions.add(position);
    }
  }
  return [...byLine].map(([key, positions]) => ({ positions: [...positions], line: JSON.parse(key) as BorderLine }));
}
