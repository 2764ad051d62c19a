import type { Cell } from '../cell-geometry.ts';
import { hasCommandKey, keyNames } from './key-names.ts';
import { selectionExtentCell, neighborCell } from './cell-navigation.ts';
import { sheetActions, type ActionContext } from '../sheet-actions.ts';

const arrows = {
  ArrowUp: { down: -1, right: 0, direction: 'up' },
  ArrowDown: { down: 1, right: 0, direction: 'down' },
  ArrowLeft: { down: 0, right: -1, direction: 'left' },
  ArrowRight: { down: 0, right: 1, direction: 'right' },
} as const;

const byKey = new Map(sheetActions.flatMap(({ keys, run }) => (run ? keys.map((key) => [key, run] as const) : [])));

/** Handles a key while no cell is edited. Returns whether the key was consumed. */
export function handleGridKey(event: KeyboardEvent, tools: ActionContext): boolean {
  if (event.isComposing) return false;
  const { grid } = tools;
  // After Escape, Tab moves the focus out of the grid. Otherwise keyboard users could not leave the grid.
  const isLeaving = grid.isLeft && event.key === 'Tab';
  if (event.key !== 'Shift') grid.isLeft = event.key === 'Escape';
  if (isLeaving) return false;
  if (event.key in arrows && !event.altKey) return arrow(event, tools);
  for (const name of keyNames(event)) {
    const run = byKey.get(name);
    if (run) return run(tools) !== false;
  }
  return false;
}

function arrow(event: KeyboardEvent, { grid, fail }: ActionContext): boolean {
  const { down, right, direction } = arrows[event.key as keyof typeof arrows];
  const { active } = grid.session.selection.get();
  const from = event.shiftKey ? selectionExtentCell(grid) : active;
  const go = (cell: Cell): void => (event.shiftKey ? grid.extendTo(cell) : grid.selectCell(cell));
  if (!hasCommandKey(event)) {
    go(neighborCell(grid, from, down, right));
    return true;
  }
  const tab = grid.session.current.get();
  // Ctrl with an arrow key moves to the end of the filled cells. The server finds it, because it may be beyond the
  // loaded cells.
  grid.session
    .read('find_edge', { sheet_id: tab, row: from.row, col: from.col, direction })
    .then((cell) => {
      if (grid.session.current.get() === tab) go(cell);
    })
    .catch(fail);
  return true;
}
