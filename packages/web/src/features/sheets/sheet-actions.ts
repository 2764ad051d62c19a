import { commandKeyLabel } from '../../lib/keyboard-shortcuts.ts';
import type { MessageKey } from '../../i18n/use-translation.ts';
import { singleCellRange, rangeBetween, type Cell } from './cell-geometry.ts';
import type { Format, GridCommands } from './grid-commands.ts';
import { advanceActiveCell } from './grid/advance-active-cell.ts';
import { autoSum } from './grid/auto-sum.ts';
import {
  selectionExtentCell,
  nextCorner,
  scrollPageVertically,
  scrollPageHorizontally,
} from './grid/cell-navigation.ts';
import { currentTimeText, todayText, type EditController } from './grid/edit-controller.ts';
import { fillFromActiveCell } from './grid/enter-into-selection.ts';
import type { Grid } from './grid/grid.ts';
import { spanOf } from './multi-range.ts';
import { selectionKind, selectAll, selectLines } from './selection-ranges.ts';
import { nextVisibleTab } from './sheet-tabs.tsx';

/** The components of the mounted grid and the page's callbacks that actions use. */
export interface ActionContext {
  readonly grid: Grid;
  readonly commands: GridCommands;
  readonly typing: EditController;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly openMenu: () => void;
  readonly addTab: () => void;
  /** Shows a message that everything is saved, or opens the list of shortcuts. */
  readonly tell: (what: 'saved' | 'shortcuts') => void;
  readonly fail: (error: unknown) => void;
}

/** Runs an action. Returns false to leave the triggering key to the browser. */
type Run = (tools: ActionContext) => void | boolean;

/**
 * An action and its keyboard shortcuts. An action without `run` is handled by other code or by the browser, and is only
 * listed in the shortcuts dialog.
 */
type Row = readonly [label: MessageKey, keys: readonly string[], run?: Run];

export type ActionGroup = 'move' | 'select' | 'edit' | 'format' | 'structure' | 'more';

export interface SheetAction {
  readonly group: ActionGroup;
  readonly label: MessageKey;
  readonly keys: readonly string[];
  readonly run: Run | undefined;
}

function lastUsed({ model: { used } }: Grid): Cell {
  return { row: used?.bottom ?? 0, col: used?.right ?? 0 };
}

/**
 * Selects the first visible cell outside of the frozen panes (usually A1), or extends the selection to this cell if
 * `isExtending` is true.
 */
function goFirst(grid: Grid, isExtending: boolean): void {
  const { rows, cols, frozenRows, frozenCols } = grid.model;
  const cell = { row: rows.nextShown(frozenRows, 1) ?? 0, col: cols.nextShown(frozenCols, 1) ?? 0 };
  if (isExtending) grid.extendTo(cell);
  else grid.selectCell(cell);
  grid.scrollToPixel(0, 0);
}

function active(grid: Grid): Cell {
  return grid.session.selection.get().active;
}

function firstInRow(grid: Grid, from: Cell): Cell {
  return { row: from.row, col: grid.model.cols.nextShown(0, 1) ?? 0 };
}

/** Returns an action that selects the cell that `find` returns for the active cell. */
const go =
  (find: (grid: Grid, from: Cell) => Cell): Run =>
  ({ grid }) =>
    grid.selectCell(find(grid, active(grid)));

/**
 * Returns an action that extends the selection to the cell that `find` returns. `find` gets the corner of the selection
 * opposite to the active cell, which Shift with an arrow key also moves.
 */
const extend =
  (find: (grid: Grid, from: Cell) => Cell): Run =>
  ({ grid }) =>
    grid.extendTo(find(grid, selectionExtentCell(grid)));

const advance =
  (down: number, right: number): Run =>
  ({ grid }) =>
    advanceActiveCell(grid, down, right);

const selectWhole =
  (axis: 'row' | 'col'): Run =>
  ({ grid, commands: { range } }) =>
    selectLines(grid, axis, ...spanOf(range, axis), active(grid));

const toggle =
  (property: Parameters<GridCommands['toggle']>[0]): Run =>
  ({ commands }) =>
    commands.toggle(property);

const format =
  (given: Format): Run =>
  ({ commands }) =>
    commands.format(given);

const pattern = (number_format_pattern: string): Run => format({ number_format_pattern });

const borders =
  (positions: readonly (0 | 1 | 2 | 3 | 4 | 5)[], style: 0 | 1 | 3 | 5 | 6, color = '000000'): Run =>
  ({ commands }) =>
    commands.borders(positions, style, color);
const allBorders = [0, 1, 2, 3, 4, 5] as const;
const outerBorders = [0, 1, 2, 3] as const;

const merge =
  (kind: Parameters<GridCommands['merge']>[0]): Run =>
  ({ commands }) =>
    commands.merge(kind);

const setVisible =
  (axis: 'row' | 'col', visible: boolean): Run =>
  ({ commands }) =>
    commands.setVisible(axis, visible);

const usualFontSize = 10;

const changeFontSize =
  (by: number): Run =>
  ({ grid, commands }) => {
    const { row, col } = active(grid);
    const size = grid.model.cell(row, col).look.fontSize ?? usualFontSize;
    commands.format({ font_size: Math.min(96, Math.max(6, size + by)) });
  };

/** Returns an action that shows the next or previous visible sub-sheet (tab). */
const showTab =
  (by: 1 | -1): Run =>
  ({ grid: { session } }) => {
    const tabs = session.tabs.get();
    const current = tabs.findIndex(({ id }) => id === session.current.get());
    const next = nextVisibleTab(tabs, current, by);
    if (next) session.show(next.id);
  };

/**
 * Time in milliseconds after which a key press is discarded if the panel action that it triggers is not registered yet.
 */
const maxWaitMs = 5_000;

/**
 * Returns an action that runs a panel's action as soon as the action is registered. Panels are registered shortly after
 * the grid is shown.
 */
const panelAction =
  (id: MessageKey): Run =>
  ({ grid: { session } }) => {
    const timer = setTimeout(() => stop(), maxWaitMs);
    const attempt = (): void => {
      const action = session.actions.get().find((one) => one.id === id);
      if (!action) return;
      clearTimeout(timer);
      stop();
      if (!action.disabled) action.run();
    };
    const stop = session.actions.subscribe(attempt);
    attempt();
  };

const axisOf = (grid: Grid): 'row' | 'col' => (selectionKind(grid) === 'cols' ? 'col' : 'row');

/**
 * The actions of the grid with their keyboard shortcuts, in the groups of the shortcuts dialog. The toolbar and menus
 * refer to actions by label. EditController handles the keys pressed while a cell is edited.
 */
const table: Readonly<Record<ActionGroup, readonly Row[]>> = {
  move: [
    ['keyStep', ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']],
    ['keyEdge', ['Ctrl+ArrowUp', 'Ctrl+ArrowDown', 'Ctrl+ArrowLeft', 'Ctrl+ArrowRight']],
    ['keyNext', ['Tab'], advance(0, 1)],
    ['keyPrevious', ['Shift+Tab'], advance(0, -1)],
    ['keyBelow', ['Enter'], advance(1, 0)],
    ['keyAbove', ['Shift+Enter'], advance(-1, 0)],
    ['keyRowStart', ['Home'], go(firstInRow)],
    ['keyRowEnd', ['End'], go((grid, { row }) => ({ row, col: lastUsed(grid).col }))],
    ['keyFirst', ['Ctrl+Home'], ({ grid }) => goFirst(grid, false)],
    ['keyLast', ['Ctrl+End'], go(lastUsed)],
    ['keyPageDown', ['PageDown'], go((grid, from) => scrollPageVertically(grid, from, 1))],
    ['keyPageUp', ['PageUp'], go((grid, from) => scrollPageVertically(grid, from, -1))],
    ['keyPageRight', ['Alt+PageDown'], go((grid, from) => scrollPageHorizontally(grid, from, 1))],
    ['keyPageLeft', ['Alt+PageUp'], go((grid, from) => scrollPageHorizontally(grid, from, -1))],
    ['keyReveal', ['Ctrl+Backspace'], ({ grid }) => grid.reveal(singleCellRange(active(grid).row, active(grid).col))],
    ['keyCorner', ['Ctrl+.'], ({ grid, commands }) => grid.session.select(commands.range, nextCorner(grid))],
    ['nameBox', ['F5', 'Ctrl+G'], () => document.querySelector<HTMLElement>('[data-name-box]')?.focus()],
    ['keyNextTab', ['Ctrl+PageDown', 'Ctrl+Shift+PageDown'], showTab(1)],
    ['keyPreviousTab', ['Ctrl+PageUp', 'Ctrl+Shift+PageUp'], showTab(-1)],
    ['keyNextPart', ['F6']],
    ['keyPreviousPart', ['Shift+F6']],
    ['keyLeave', ['Escape Tab']],
  ],
  select: [
    ['keyExtend', ['Shift+ArrowUp', 'Shift+ArrowDown', 'Shift+ArrowLeft', 'Shift+ArrowRight']],
    ['keyExtendEdge', ['Ctrl+Shift+ArrowUp', 'Ctrl+Shift+ArrowDown', 'Ctrl+Shift+ArrowLeft', 'Ctrl+Shift+ArrowRight']],
    ['keyExtendRowStart', ['Shift+Home'], extend(firstInRow)],
    ['keyExtendRowEnd', ['Shift+End'], extend((grid, { row }) => ({ row, col: lastUsed(grid).col }))],
    ['keyExtendFirst', ['Ctrl+Shift+Home'], ({ grid }) => goFirst(grid, true)],
    ['keyExtendLast', ['Ctrl+Shift+End'], extend(lastUsed)],
    ['keyExtendPageDown', ['Shift+PageDown'], extend((grid, from) => scrollPageVertically(grid, from, 1))],
    ['keyExtendPageUp', ['Shift+PageUp'], extend((grid, from) => scrollPageVertically(grid, from, -1))],
    ['keyAll', ['Ctrl+A', 'Ctrl+Shift+Space'], ({ grid }) => selectAll(grid)],
    ['keyRows', ['Shift+Space'], selectWhole('row')],
    ['keyCols', ['Ctrl+Space'], selectWhole('col')],
    ['keyOneCell', ['Shift+Backspace'], go((_, from) => from)],
    [
      'keyEscape',
      ['Escape'],
      ({ grid, commands }) => {
        commands.pasting.clearCopied();
        grid.session.select(rangeBetween(active(grid), active(grid)), active(grid));
      },
    ],
  ],
  edit: [
    ['keyEdit', ['F2'], ({ typing }) => typing.begin()],
    [
      'keyClearAndEdit',
      ['Backspace'],
      ({ typing }) => {
        typing.begin('');
        typing.takeFocus();
      },
    ],
    ['keyClear', ['Delete'], ({ commands }) => commands.clear()],
    ['keyEnterAll', ['Ctrl+Enter'], ({ grid, commands, fail }) => fillFromActiveCell(grid, commands, fail)],
    ['keyList', ['Alt+ArrowDown'], ({ grid }) => grid.session.requestOpen('list')],
    ['keyComment', ['Shift+F2'], ({ grid: { session } }) => session.mayWrite && session.requestOpen('comment')],
    ['keyNewLine', ['Alt+Enter']],
    ['keyAbsolute', ['F4']],
    ['keyFillDown', ['Ctrl+D'], ({ commands }) => commands.fillFromEdge('row')],
    ['keyFillRight', ['Ctrl+R'], ({ commands }) => commands.fillFromEdge('col')],
    ['keyFormulaAbove', ["Ctrl+'"], ({ typing }) => typing.beginWithAbove('input')],
    ['keyValueAbove', ["Ctrl+Shift+'"], ({ typing }) => typing.beginWithAbove('shown')],
    ['keyToday', ['Ctrl+;'], ({ typing }) => typing.beginTyped(todayText())],
    ['keyNow', ['Ctrl+Shift+;'], ({ typing }) => typing.beginTyped(currentTimeText())],
    ['keySum', ['Alt+='], autoSum],
    ['copy', ['Ctrl+C']],
    ['cut', ['Ctrl+X']],
    ['paste', ['Ctrl+V']],
    [
      'pasteValues',
      ['Ctrl+Shift+V'],
      ({ commands }) => {
        commands.pasting.pasteOnlyValues();
        return false;
      },
    ],
    ['undo', ['Ctrl+Z'], ({ undo }) => undo()],
    ['redo', ['Ctrl+Y', 'Ctrl+Shift+Z'], ({ redo }) => redo()],
  ],
  format: [
    ['bold', ['Ctrl+B'], toggle('bold')],
    ['italic', ['Ctrl+I'], toggle('italic')],
    ['underline', ['Ctrl+U'], toggle('underline')],
    ['strike', ['Ctrl+5', 'Alt+Shift+5'], toggle('strike')],
    ['clearFormat', ['Ctrl+\\'], ({ commands }) => commands.clearStyles()],
    ['keyLarger', ['Ctrl+Shift+.'], changeFontSize(1)],
    ['keySmaller', ['Ctrl+Shift+,'], changeFontSize(-1)],
    ['formatGeneral', ['Ctrl+Shift+`'], pattern('')],
    ['formatNumber', ['Ctrl+Shift+1'], pattern('#,##0.00')],
    ['formatTime', ['Ctrl+Shift+2'], pattern('hh:mm')],
    ['formatDate', ['Ctrl+Shift+3'], pattern('yyyy-mm-dd')],
    ['formatCurrency', ['Ctrl+Shift+4'], pattern('$#,##0.00')],
    ['formatPercent', ['Ctrl+Shift+5'], pattern('0%')],
    ['formatScientific', ['Ctrl+Shift+6'], pattern('0.00E+00')],
    ['bordersOuter', ['Ctrl+Shift+7'], borders(outerBorders, 1)],
    ['bordersNone', ['Ctrl+Shift+-'], borders([], 0)],
    ['bordersAll', [], borders(allBorders, 1)],
    ['bordersThick', [], borders(outerBorders, 5)],
    ['bordersTop', [], borders([0], 1)],
    ['bordersBottom', [], borders([1], 1)],
    ['bordersDouble', [], borders([1], 6)],
    ['bordersDashed', [], borders(allBorders, 3, '666666')],
    ['alignLeft', [], format({ horizontal_align: 'left' })],
    ['alignCenter', [], format({ horizontal_align: 'center' })],
    ['alignRight', [], format({ horizontal_align: 'right' })],
    ['alignNone', [], format({ horizontal_align: '' })],
    ['alignTop', [], format({ vertical_align: 'top' })],
    ['alignMiddle', [], format({ vertical_align: 'center' })],
    ['alignBottom', [], format({ vertical_align: 'bottom' })],
    ['wrap', [], toggle('wrap')],
    ['mergeAll', [], merge('all')],
    ['mergeRows', [], merge('rows')],
    ['mergeColumns', [], merge('columns')],
    ['unmerge', [], merge('none')],
  ],
  structure: [
    ['keyInsert', ['Ctrl+Alt+='], ({ grid, commands }) => commands.insert(axisOf(grid), false)],
    ['keyDelete', ['Ctrl+Alt+-'], ({ grid, commands }) => commands.remove(axisOf(grid))],
    ['keyHideRows', ['Ctrl+9'], setVisible('row', false)],
    ['keyShowRows', ['Ctrl+Shift+9'], setVisible('row', true)],
    ['keyHideCols', ['Ctrl+Alt+0'], setVisible('col', false)],
    ['keyShowCols', ['Ctrl+Shift+0'], setVisible('col', true)],
    ['groupLines', ['Alt+Shift+ArrowRight'], panelAction('groupLines')],
    ['ungroupLines', ['Alt+Shift+ArrowLeft'], panelAction('ungroupLines')],
    ['addTab', ['Shift+F11'], ({ addTab }) => addTab()],
    ['filter', ['Ctrl+Shift+L'], panelAction('filter')],
    ['freezeRow', [], ({ commands }) => commands.freeze(1, 0)],
    ['freezeColumn', [], ({ commands }) => commands.freeze(0, 1)],
    ['freezeBoth', [], ({ commands }) => commands.freeze(commands.range.top, commands.range.left)],
    ['unfreeze', [], ({ commands }) => commands.freeze(0, 0)],
  ],
  more: [
    ['findWhat', ['Ctrl+F']],
    ['findReplace', ['Ctrl+H']],
    ['link', ['Ctrl+Shift+K'], panelAction('link')],
    ['search', ['Ctrl+K']],
    ['printDots', ['Ctrl+P'], panelAction('printDots')],
    ['keySave', ['Ctrl+S'], ({ tell }) => tell('saved')],
    ['keyMenu', ['Shift+F10', 'ContextMenu'], ({ openMenu }) => openMenu()],
    ['shortcuts', ['Ctrl+/'], ({ tell }) => tell('shortcuts')],
  ],
};

export const sheetActions: readonly SheetAction[] = (Object.entries(table) as [ActionGroup, readonly Row[]][]).flatMap(
  ([group, rows]) => rows.map(([label, keys, run]) => ({ group, label, keys, run })),
);

const byLabel = new Map(sheetActions.map((action) => [action.label, action]));

export function runAction(label: MessageKey, tools: ActionContext): void {
  byLabel.get(label)?.run?.(tools);
}

/**
 * Returns the action's shortcut for display in buttons and menus. Returns undefined unless it is Ctrl and a letter,
 * because other shortcuts are not displayed.
 */
export function shortcutOf(label: MessageKey): string | undefined {
  const [key = ''] = byLabel.get(label)?.keys ?? [];
  return /^Ctrl\+[A-Z]$/.test(key) ? key.replace('Ctrl', commandKeyLabel) : undefined;
}
