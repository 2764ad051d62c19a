import type { MessageKey } from '../../../i18n/use-translation.ts';
import { singleCellRange, rangeBetween, type Cell } from '../cell-geometry.ts';
import { selectionKind, selectAll, selectCols, selectRows } from '../selection-ranges.ts';
import type { GridCommands } from '../grid-commands.ts';
import { autoSum } from './auto-sum.ts';
import { fillFromActiveCell } from './enter-into-selection.ts';
import type { Grid } from './grid.ts';
import { selectionExtentCell, nextCorner, pageVertically, pageHorizontally } from './cell-navigation.ts';
import { runAction, runDocumentAction, showTab } from './run-action.ts';
import { advanceActiveCell } from './advance-active-cell.ts';
import { currentTimeText, todayText, type EditController } from './edit-controller.ts';

export interface ShortcutContext {
  readonly grid: Grid;
  readonly commands: GridCommands;
  readonly typing: EditController;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly openMenu: () => void;
  readonly addTab: () => void;
  /** Tells that everything is saved, or shows the list of shortcuts. */
  readonly tell: (what: 'saved' | 'shortcuts') => void;
  readonly fail: (error: unknown) => void;
}

export const shortcutGroups = ['move', 'select', 'edit', 'format', 'structure', 'more'] as const;

export interface Shortcut {
  readonly keys: readonly string[];
  readonly group: (typeof shortcutGroups)[number];
  readonly label: MessageKey;
  /**
   * Absent if the key is handled elsewhere: arrows, keys while editing, browser defaults. Returns false if the key is
   * not consumed.
   */
  readonly run?: (tools: ShortcutContext) => void | boolean;
}

function go(grid: Grid, cell: Cell): void {
  grid.selectCell(cell);
}

function lastUsed({ model: { used } }: Grid): Cell {
  return { row: used?.bottom ?? 0, col: used?.right ?? 0 };
}

/** With frozen panes the first cell is the first scrolling one. */
function firstCell(grid: Grid): Cell {
  const { rows, cols, frozenRows, frozenCols } = grid.model;
  return { row: rows.nextShown(frozenRows, 1) ?? 0, col: cols.nextShown(frozenCols, 1) ?? 0 };
}

function goFirst(grid: Grid, isExtending: boolean): void {
  const cell = firstCell(grid);
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

function axisOf(grid: Grid): 'row' | 'col' {
  return selectionKind(grid) === 'cols' ? 'col' : 'row';
}

const pattern =
  (number_format_pattern: string) =>
  ({ commands }: ShortcutContext): void =>
    commands.format({ number_format_pattern });

const usualFontSize = 10;

function fontSize({ grid, commands }: ShortcutContext, by: number): void {
  const { row, col } = active(grid);
  const size = grid.model.cell(row, col).look.fontSize ?? usualFontSize;
  commands.format({ font_size: Math.min(96, Math.max(6, size + by)) });
}

/** All shortcuts of the sheet, as the page lists them. Keys while editing are handled in edit-controller.ts. */
export const shortcuts: readonly Shortcut[] = [
  { keys: ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'], group: 'move', label: 'keyStep' },
  {
    keys: ['Ctrl+ArrowUp', 'Ctrl+ArrowDown', 'Ctrl+ArrowLeft', 'Ctrl+ArrowRight'],
    group: 'move',
    label: 'keyEdge',
  },
  { keys: ['Tab'], group: 'move', label: 'keyNext', run: ({ grid }) => advanceActiveCell(grid, 0, 1) },
  { keys: ['Shift+Tab'], group: 'move', label: 'keyPrevious', run: ({ grid }) => advanceActiveCell(grid, 0, -1) },
  { keys: ['Enter'], group: 'move', label: 'keyBelow', run: ({ grid }) => advanceActiveCell(grid, 1, 0) },
  { keys: ['Shift+Enter'], group: 'move', label: 'keyAbove', run: ({ grid }) => advanceActiveCell(grid, -1, 0) },
  { keys: ['Home'], group: 'move', label: 'keyRowStart', run: ({ grid }) => go(grid, firstInRow(grid, active(grid))) },
  {
    keys: ['End'],
    group: 'move',
    label: 'keyRowEnd',
    run: ({ grid }) => go(grid, { row: active(grid).row, col: lastUsed(grid).col }),
  },
  { keys: ['Ctrl+Home'], group: 'move', label: 'keyFirst', run: ({ grid }) => goFirst(grid, false) },
  { keys: ['Ctrl+End'], group: 'move', label: 'keyLast', run: ({ grid }) => go(grid, lastUsed(grid)) },
  {
    keys: ['PageDown'],
    group: 'move',
    label: 'keyPageDown',
    run: ({ grid }) => go(grid, pageVertically(grid, active(grid), 1)),
  },
  {
    keys: ['PageUp'],
    group: 'move',
    label: 'keyPageUp',
    run: ({ grid }) => go(grid, pageVertically(grid, active(grid), -1)),
  },
  {
    keys: ['Alt+PageDown'],
    group: 'move',
    label: 'keyPageRight',
    run: ({ grid }) => go(grid, pageHorizontally(grid, active(grid), 1)),
  },
  {
    keys: ['Alt+PageUp'],
    group: 'move',
    label: 'keyPageLeft',
    run: ({ grid }) => go(grid, pageHorizontally(grid, active(grid), -1)),
  },
  {
    keys: ['Ctrl+Backspace'],
    group: 'move',
    label: 'keyReveal',
    run: ({ grid }) => grid.reveal(singleCellRange(active(grid).row, active(grid).col)),
  },
  {
    keys: ['Ctrl+.'],
    group: 'move',
    label: 'keyCorner',
    run: ({ grid }) => grid.session.select(grid.session.selection.get().range, nextCorner(grid)),
  },
  {
    keys: ['F5', 'Ctrl+G'],
    group: 'move',
    label: 'nameBox',
    run: () => document.querySelector<HTMLElement>('[data-name-box]')?.focus(),
  },
  {
    keys: ['Ctrl+PageDown', 'Ctrl+Shift+PageDown'],
    group: 'move',
    label: 'keyNextTab',
    run: ({ grid }) => showTab(grid, 1),
  },
  {
    keys: ['Ctrl+PageUp', 'Ctrl+Shift+PageUp'],
    group: 'move',
    label: 'keyPreviousTab',
    run: ({ grid }) => showTab(grid, -1),
  },
  { keys: ['F6'], group: 'move', label: 'keyNextPart' },
  { keys: ['Shift+F6'], group: 'move', label: 'keyPreviousPart' },
  { keys: ['Escape Tab'], group: 'move', label: 'keyLeave' },

  {
    keys: ['Shift+ArrowUp', 'Shift+ArrowDown', 'Shift+ArrowLeft', 'Shift+ArrowRight'],
    group: 'select',
    label: 'keyExtend',
  },
  {
    keys: ['Ctrl+Shift+ArrowUp', 'Ctrl+Shift+ArrowDown', 'Ctrl+Shift+ArrowLeft', 'Ctrl+Shift+ArrowRight'],
    group: 'select',
    label: 'keyExtendEdge',
  },
  {
    keys: ['Shift+Home'],
    group: 'select',
    label: 'keyExtendRowStart',
    run: ({ grid }) => grid.extendTo(firstInRow(grid, selectionExtentCell(grid))),
  },
  {
    keys: ['Shift+End'],
    group: 'select',
    label: 'keyExtendRowEnd',
    run: ({ grid }) => grid.extendTo({ row: selectionExtentCell(grid).row, col: lastUsed(grid).col }),
  },
  { keys: ['Ctrl+Shift+Home'], group: 'select', label: 'keyExtendFirst', run: ({ grid }) => goFirst(grid, true) },
  {
    keys: ['Ctrl+Shift+End'],
    group: 'select',
    label: 'keyExtendLast',
    run: ({ grid }) => grid.extendTo(lastUsed(grid)),
  },
  {
    keys: ['Shift+PageDown'],
    group: 'select',
    label: 'keyExtendPageDown',
    run: ({ grid }) => grid.extendTo(pageVertically(grid, selectionExtentCell(grid), 1)),
  },
  {
    keys: ['Shift+PageUp'],
    group: 'select',
    label: 'keyExtendPageUp',
    run: ({ grid }) => grid.extendTo(pageVertically(grid, selectionExtentCell(grid), -1)),
  },
  {
    keys: ['Ctrl+A', 'Ctrl+Shift+Space'],
    group: 'select',
    label: 'keyAll',
    run: ({ grid }) => selectAll(grid),
  },
  {
    keys: ['Shift+Space'],
    group: 'select',
    label: 'keyRows',
    run: ({ grid, commands: { range } }) => selectRows(grid, range.top, range.bottom, active(grid)),
  },
  {
    keys: ['Ctrl+Space'],
    group: 'select',
    label: 'keyCols',
    run: ({ grid, commands: { range } }) => selectCols(grid, range.left, range.right, active(grid)),
  },
  {
    keys: ['Shift+Backspace'],
    group: 'select',
    label: 'keyOneCell',
    run: ({ grid }) => grid.selectCell(active(grid)),
  },
  {
    keys: ['Escape'],
    group: 'select',
    label: 'keyEscape',
    run({ grid, commands }) {
      commands.pasting.clearCopied();
      grid.session.select(rangeBetween(active(grid), active(grid)), active(grid));
    },
  },

  { keys: ['F2'], group: 'edit', label: 'keyEdit', run: ({ typing }) => typing.begin() },
  {
    keys: ['Backspace'],
    group: 'edit',
    label: 'keyClearAndEdit',
    run({ typing }) {
      typing.begin('');
      typing.takeFocus();
    },
  },
  { keys: ['Delete'], group: 'edit', label: 'keyClear', run: ({ commands }) => commands.clear() },
  {
    keys: ['Ctrl+Enter'],
    group: 'edit',
    label: 'keyEnterAll',
    run: ({ grid, commands, fail }) => fillFromActiveCell(grid, commands, fail),
  },
  {
    keys: ['Alt+ArrowDown'],
    group: 'edit',
    label: 'keyList',
    run: ({ grid }) => grid.session.requestOpen('list'),
  },
  {
    keys: ['Shift+F2'],
    group: 'edit',
    label: 'keyComment',
    run({ grid }) {
      if (grid.session.mayWrite) grid.session.requestOpen('comment');
    },
  },
  { keys: ['Alt+Enter'], group: 'edit', label: 'keyNewLine' },
  { keys: ['F4'], group: 'edit', label: 'keyAbsolute' },
  { keys: ['Ctrl+D'], group: 'edit', label: 'keyFillDown', run: ({ commands }) => commands.fillFromEdge('row') },
  { keys: ['Ctrl+R'], group: 'edit', label: 'keyFillRight', run: ({ commands }) => commands.fillFromEdge('col') },
  { keys: ["Ctrl+'"], group: 'edit', label: 'keyFormulaAbove', run: ({ typing }) => typing.beginWithAbove('input') },
  {
    keys: ["Ctrl+Shift+'"],
    group: 'edit',
    label: 'keyValueAbove',
    run: ({ typing }) => typing.beginWithAbove('shown'),
  },
  { keys: ['Ctrl+;'], group: 'edit', label: 'keyToday', run: ({ typing }) => typing.beginTyped(todayText()) },
  { keys: ['Ctrl+Shift+;'], group: 'edit', label: 'keyNow', run: ({ typing }) => typing.beginTyped(currentTimeText()) },
  {
    keys: ['Alt+='],
    group: 'edit',
    label: 'keySum',
    run: ({ grid, commands, typing, fail }) => autoSum(grid, commands, typing, fail),
  },
  { keys: ['Ctrl+C'], group: 'edit', label: 'copy' },
  { keys: ['Ctrl+X'], group: 'edit', label: 'cut' },
  { keys: ['Ctrl+V'], group: 'edit', label: 'paste' },
  {
    keys: ['Ctrl+Shift+V'],
    group: 'edit',
    label: 'pasteValues',
    run({ commands }) {
      commands.pasting.pasteOnlyValues();
      return false;
    },
  },
  { keys: ['Ctrl+Z'], group: 'edit', label: 'undo', run: ({ undo }) => undo() },
  { keys: ['Ctrl+Y', 'Ctrl+Shift+Z'], group: 'edit', label: 'redo', run: ({ redo }) => redo() },

  { keys: ['Ctrl+B'], group: 'format', label: 'bold', run: ({ commands }) => commands.toggle('bold') },
  { keys: ['Ctrl+I'], group: 'format', label: 'italic', run: ({ commands }) => commands.toggle('italic') },
  { keys: ['Ctrl+U'], group: 'format', label: 'underline', run: ({ commands }) => commands.toggle('underline') },
  {
    keys: ['Ctrl+5', 'Alt+Shift+5'],
    group: 'format',
    label: 'strike',
    run: ({ commands }) => commands.toggle('strike'),
  },
  { keys: ['Ctrl+\\'], group: 'format', label: 'clearFormat', run: ({ commands }) => commands.clearStyles() },
  { keys: ['Ctrl+Shift+.'], group: 'format', label: 'keyLarger', run: (tools) => fontSize(tools, 1) },
  { keys: ['Ctrl+Shift+,'], group: 'format', label: 'keySmaller', run: (tools) => fontSize(tools, -1) },
  { keys: ['Ctrl+Shift+`'], group: 'format', label: 'formatGeneral', run: pattern('') },
  { keys: ['Ctrl+Shift+1'], group: 'format', label: 'formatNumber', run: pattern('#,##0.00') },
  { keys: ['Ctrl+Shift+2'], group: 'format', label: 'formatTime', run: pattern('hh:mm') },
  { keys: ['Ctrl+Shift+3'], group: 'format', label: 'formatDate', run: pattern('yyyy-mm-dd') },
  { keys: ['Ctrl+Shift+4'], group: 'format', label: 'formatCurrency', run: pattern('$#,##0.00') },
  { keys: ['Ctrl+Shift+5'], group: 'format', label: 'formatPercent', run: pattern('0%') },
  { keys: ['Ctrl+Shift+6'], group: 'format', label: 'formatScientific', run: pattern('0.00E+00') },
  {
    keys: ['Ctrl+Shift+7'],
    group: 'format',
    label: 'bordersOuter',
    run: ({ commands }) => commands.borders([0, 1, 2, 3], 1, '000000'),
  },
  { keys: ['Ctrl+Shift+-'], group: 'format', label: 'bordersNone', run: ({ commands }) => commands.borders([], 0, '') },

  {
    keys: ['Ctrl+Alt+='],
    group: 'structure',
    label: 'keyInsert',
    run: ({ grid, commands }) => commands.insert(axisOf(grid), false),
  },
  {
    keys: ['Ctrl+Alt+-'],
    group: 'structure',
    label: 'keyDelete',
    run: ({ grid, commands }) => commands.remove(axisOf(grid)),
  },
  {
    keys: ['Ctrl+9'],
    group: 'structure',
    label: 'keyHideRows',
    run: ({ commands }) => commands.setVisible('row', false),
  },
  {
    keys: ['Ctrl+Shift+9'],
    group: 'structure',
    label: 'keyShowRows',
    run: ({ commands }) => commands.setVisible('row', true),
  },
  {
    keys: ['Ctrl+Alt+0'],
    group: 'structure',
    label: 'keyHideCols',
    run: ({ commands }) => commands.setVisible('col', false),
  },
  {
    keys: ['Ctrl+Shift+0'],
    group: 'structure',
    label: 'keyShowCols',
    run: ({ commands }) => commands.setVisible('col', true),
  },
  {
    keys: ['Alt+Shift+ArrowRight'],
    group: 'structure',
    label: 'groupLines',
    run: ({ grid }) => runAction(grid, 'group'),
  },
  {
    keys: ['Alt+Shift+ArrowLeft'],
    group: 'structure',
    label: 'ungroupLines',
    run: ({ grid }) => runAction(grid, 'ungroup'),
  },
  { keys: ['Shift+F11'], group: 'structure', label: 'addTab', run: ({ addTab }) => addTab() },
  { keys: ['Ctrl+Shift+L'], group: 'structure', label: 'filter', run: ({ grid }) => runAction(grid, 'filter') },

  { keys: ['Ctrl+F'], group: 'more', label: 'findWhat' },
  { keys: ['Ctrl+H'], group: 'more', label: 'findReplace' },
  { keys: ['Ctrl+Shift+K'], group: 'more', label: 'link', run: ({ grid }) => runAction(grid, 'link') },
  { keys: ['Ctrl+K'], group: 'more', label: 'search' },
  { keys: ['Ctrl+P'], group: 'more', label: 'printDots', run: ({ grid }) => runDocumentAction(grid, 'print') },
  { keys: ['Ctrl+S'], group: 'more', label: 'keySave', run: ({ tell }) => tell('saved') },
  { keys: ['Shift+F10', 'ContextMenu'], group: 'more', label: 'keyMenu', run: ({ openMenu }) => openMenu() },
  { keys: ['Ctrl+/'], group: 'more', label: 'shortcuts', run: ({ tell }) => tell('shortcuts') },
];
