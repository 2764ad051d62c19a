import { flag, integer, oneOf } from '../../../kernel/field-schemas.ts';
import { colField, rowField } from '../schema.ts';
import { worksheetReadTool } from '../calls/tool.ts';
import { createHiddenTest } from '../reading/redacted-view.ts';

const steps = { up: [-1, 0], down: [1, 0], left: [0, -1], right: [0, 1] } as const;

export const find_edge = worksheetReadTool({
  name: 'find_edge',
  deprecated: 'use read or inspect; this one serves the page.',
  isUnlisted: true,
  summary:
    'Finds where data ends from a cell in a given direction, like Ctrl and an arrow key: the last filled ' +
    'cell of a run, the next filled cell after a gap, or the edge of the sheet. To find where all data ' +
    'ends use get_used_range.',
  takesOneArea: true,
  input: {
    row: rowField(),
    col: colField(),
    direction: oneOf('Direction.', ['up', 'down', 'left', 'right']),
    shown_only: flag('Whether hidden cells count as empty.').optional(),
  },
  output: { row: integer('0-based.'), col: integer('0-based.') },
  read(document, sub, input) {
    const [down, right] = steps[input.direction];
    const isHidden = input.shown_only ? createHiddenTest(sub) : () => false;
    const isFilled = (r: number, c: number): boolean => sub.sheet.read(r, c) !== null && !isHidden(r, c);
    const { rows, cols } = document.size(sub);
    const inside = (r: number, c: number): boolean => r >= 0 && c >= 0 && r < rows && c < cols;
    let at = { row: input.row, col: input.col };
    const next = (): { row: number; col: number } => ({ row: at.row + down, col: at.col + right });
    if (!inside(next().row, next().col)) return at;
    if (isFilled(at.row, at.col) && isFilled(next().row, next().col)) {
      while (inside(next().row, next().col) && isFilled(next().row, next().col)) at = next();
      return at;
    }
    do at = next();
    while (!isFilled(at.row, at.col) && inside(next().row, next().col));
    return at;
  },
});
