import { rangeBetween, type Cell } from '../geometry.ts';
import { selectAll, selectCols, selectRows } from '../selected.ts';
import type { Commands } from '../commands.ts';
import { movingEndOf, neighborOf, pageFrom } from './moves.ts';
import type { Grid } from './grid.ts';
import { step } from './step.ts';
import type { Typing } from './typing.ts';

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

export interface KeyTools {
  readonly grid: Grid;
  readonly commands: Commands;
  readonly typing: Typing;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly openMenu: () => void;
  readonly fail: (error: unknown) => void;
}

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

/** Keys while nothing is edited. Answers whether the key is used up. */
export function gridKey(event: KeyboardEvent, tools: KeyTools): boolean {
  if (event.isComposing) return false;
  const command = isMac ? event.metaKey : event.ctrlKey;
  if (event.key in arrows) return arrow(event, tools, command);
  if (command && !event.altKey) return withCommand(event, tools);
  return plain(event, tools);
}

function arrow(event: KeyboardEvent, { grid, fail }: KeyTools, command: boolean): boolean {
  if (event.altKey) return false;
  const [down, right] = arrows[event.key]!;
  const { active } = grid.session.selection.get();
  const from = event.shiftKey ? movingEndOf(grid) : active;
  const go = (cell: Cell): void => (event.shiftKey ? grid.extendTo(cell) : grid.selectCell(cell));
  if (!command) {
    go(neighborOf(grid, from, down, right));
    return true;
  }
  const tab = grid.session.current.get();
  // Only the server knows where data ends that was never on the screen.
  grid.session
    .read('find_edge', { sheet_id: tab, row: from.row, col: from.col, direction: directions[event.key]! })
    .then((cell) => {
      if (grid.session.current.get() === tab) go(cell);
    })
    .catch(fail);
  return true;
}

function withCommand(event: KeyboardEvent, { grid, commands, undo, redo }: KeyTools): boolean {
  const { used } = grid.model;
  switch (event.key.toLowerCase()) {
    case 'a':
      selectAll(commands.grid);
      return true;
    case 'z':
      if (event.shiftKey) redo();
      else undo();
      return true;
    case 'y':
      redo();
      return true;
    case 'b':
      commands.toggle('bold');
      return true;
    case 'i':
      commands.toggle('italic');
      return true;
    case 'u':
      commands.toggle('underline');
      return true;
    case '5':
      commands.toggle('strike');
      return true;
    case 'd':
      commands.fillFromEdge('row');
      return true;
    case 'r':
      if (event.shiftKey) return false;
      commands.fillFromEdge('col');
      return true;
    case ' ':
      selectCols(commands.grid, commands.range.left, commands.range.right, grid.session.selection.get().active);
      return true;
    case 'home':
      move(grid, event.shiftKey, {
        row: grid.model.rows.nextShown(0, 1) ?? 0,
        col: grid.model.cols.nextShown(0, 1) ?? 0,
      });
      return true;
    case 'end':
      move(grid, event.shiftKey, { row: used?.bottom ?? 0, col: used?.right ?? 0 });
      return true;
    default:
      return false;
  }
}

function move(grid: Grid, extend: boolean, cell: Cell): void {
  if (extend) grid.extendTo(cell);
  else grid.selectCell(cell);
}

function plain(event: KeyboardEvent, { grid, commands, typing, openMenu }: KeyTools): boolean {
  const { active } = grid.session.selection.get();
  const from = event.shiftKey ? movingEndOf(grid) : active;
  switch (event.key) {
    case 'Home':
      move(grid, event.shiftKey, { row: from.row, col: grid.model.cols.nextShown(0, 1) ?? 0 });
      return true;
    case 'End':
      move(grid, event.shiftKey, { row: from.row, col: grid.model.used?.right ?? 0 });
      return true;
    case 'PageDown':
    case 'PageUp':
      move(grid, event.shiftKey, pageFrom(grid, from, event.key === 'PageDown' ? 1 : -1));
      return true;
    case 'Tab':
      step(grid, 0, event.shiftKey ? -1 : 1);
      return true;
    case 'Enter':
      if (event.altKey) return false;
      step(grid, event.shiftKey ? -1 : 1, 0);
      return true;
    case 'F2':
      typing.begin();
      return true;
    case 'Delete':
      commands.clear();
      return true;
    case 'Backspace':
      typing.begin('');
      typing.takeFocus();
      return true;
    case 'Escape':
      commands.forgetCopied();
      grid.session.select(rangeBetween(active, active), active);
      return true;
    case ' ':
      if (!event.shiftKey) return false;
      selectRows(commands.grid, commands.range.top, commands.range.bottom, active);
      return true;
    case 'ContextMenu':
      openMenu();
      return true;
    case 'F10':
      if (!event.shiftKey) return false;
      openMenu();
      return true;
    default:
      return false;
  }
}
