import type { Cell } from '../cell-geometry.ts';
import { hasCommandKey, keyNames } from './key-names.ts';
import { selectionExtentCell, neighborCell } from './cell-navigation.ts';
import { shortcuts, type ShortcutContext, type Shortcut } from './shortcuts.ts';

const arrows: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};
const directions: Readonly<Record<string, 'up' | 'down' | 'left' | 'right'>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

const byName = new Map(
  shortcuts.flatMap((one) =>
    one.run ? one.keys.map((key): [string, NonNullable<Shortcut['run']>] => [key, one.run!]) : [],
  ),
);

/** Handles a key while no cell is edited; returns true if it is consumed. */
export function handleGridKey(event: KeyboardEvent, tools: ShortcutContext): boolean {
  if (event.isComposing) return false;
  const { grid } = tools;
  // After Escape, Tab leaves the grid; otherwise keyboard users could not leave it.
  const isLeaving = grid.isLeft && event.key === 'Tab';
  if (event.key !== 'Shift') grid.isLeft = event.key === 'Escape';
  if (isLeaving) return false;
  if (event.key in arrows && !event.altKey) return arrow(event, tools);
  for (const name of keyNames(event)) {
    const run = byName.get(name);
    if (run) return run(tools) !== false;
  }
  return false;
}

function arrow(event: KeyboardEvent, { grid, fail }: ShortcutContext): boolean {
  const [down, right] = arrows[event.key]!;
  const { active } = grid.session.selection.get();
  const from = event.shiftKey ? selectionExtentCell(grid) : active;
  const go = (cell: Cell): void => (event.shiftKey ? grid.extendTo(cell) : grid.selectCell(cell));
  if (!hasCommandKey(event)) {
    go(neighborCell(grid, from, down, right));
    return true;
  }
  const tab = grid.session.current.get();
  // Only the server knows where the data ends beyond the loaded cells.
  grid.session
    .read('find_edge', { sheet_id: tab, row: from.row, col: from.col, direction: directions[event.key]! })
    .then((cell) => {
      if (grid.session.current.get() === tab) go(cell);
    })
    .catch(fail);
  return true;
}
