import { singleCellRange, rangeBetween } from '../cell-geometry.ts';
import type { GridCommands } from '../grid-commands.ts';
import { Store } from '../../../ui/store.ts';
import { cycleAbsolute } from './edit-state.ts';
import type { FormulaCompletion } from './formula-completion.ts';
import { enterIntoSelection } from './enter-into-selection.ts';
import { completeFromColumn } from './column-autocomplete.ts';
import { hasCommandKey } from './key-names.ts';
import { neighborCell } from './cell-navigation.ts';
import type { Grid } from './grid.ts';
import { advanceActiveCell } from './advance-active-cell.ts';
import { selectedRanges } from '../sheet-session.ts';

/** Controls the editing of a cell, in the cell itself and in the formula bar. */
export class EditController {
  readonly grid: Grid;
  readonly commands: GridCommands;
  readonly completion: FormulaCompletion;
  /** Counter. Each increment makes the text field take the focus and set its caret from the edit state. */
  readonly focus = new Store(0);
  readonly #fail: (error: unknown) => void;
  #original = '';

  constructor(grid: Grid, commands: GridCommands, completion: FormulaCompletion, fail: (error: unknown) => void) {
    this.grid = grid;
    this.commands = commands;
    this.completion = completion;
    this.#fail = fail;
  }

  get isEditing(): boolean {
    return this.grid.editing.state.get() !== undefined;
  }

  /**
   * Starts editing the active cell. `text` replaces the cell's content as if it was typed; without `text`, editing
   * starts with the content.
   */
  begin(text?: string, where: 'cell' | 'bar' = 'cell'): void {
    const { session, editing, model } = this.grid;
    if (!session.mayWrite || this.isEditing) return;
    const { active } = session.selection.get();
    const { input } = model.cell(active.row, active.col);
    this.#original = input;
    this.commands.pasting.clearCopied();
    this.grid.reveal(singleCellRange(active.row, active.col));
    editing.begin({
      tab: session.current.get(),
      row: active.row,
      col: active.col,
      text: text ?? input,
      quick: text !== undefined,
      where,
    });
    this.#look();
    if (text === undefined) this.takeFocus();
  }

  /** Starts editing as if `text` was typed. Places the caret `before` characters before the end. */
  beginTyped(text: string, before = 0): void {
    this.begin(text);
    const at = text.length - before;
    this.grid.editing.moveCaret([at, at]);
    this.takeFocus();
  }

  /** Starts editing with the input or the displayed text of the cell above. */
  beginWithAbove(what: 'input' | 'shown'): void {
    const { row, col } = this.grid.session.selection.get().active;
    if (row === 0) return;
    const above = this.grid.model.cell(row - 1, col);
    this.beginTyped(what === 'input' ? above.input : above.text);
  }

  takeFocus(): void {
    this.focus.set(this.focus.get() + 1);
  }

  change(text: string, caret: readonly [number, number]): void {
    this.grid.editing.change(text, caret);
    this.#look();
  }

  /** Autocompletes the typed text from its column. The added text is selected, so that further typing replaces it. */
  complete(): void {
    const edit = this.grid.editing.state.get();
    if (!edit?.quick || edit.where !== 'cell' || edit.caret[0] !== edit.text.length) return;
    const whole = completeFromColumn(this.grid, edit.row, edit.col, edit.text);
    if (whole === undefined) return;
    const text = edit.text + whole.slice(edit.text.length);
    this.grid.editing.change(text, [edit.text.length, text.length]);
    this.takeFocus();
  }

  #look(): void {
    const edit = this.grid.editing.state.get();
    if (edit) this.completion.look(edit.text, edit.caret[0]);
  }

  cancel(): void {
    const edit = this.grid.editing.end();
    this.completion.close();
    if (edit) this.grid.session.show(edit.tab);
    this.takeFocus();
  }

  /** Ends the edit, writes the text to its cell if it has changed, and moves the active cell by `down` and `right`. */
  commit(down = 0, right = 0): void {
    const edit = this.grid.editing.end();
    this.completion.close();
    if (!edit) return;
    this.grid.session.show(edit.tab);
    if (edit.text !== this.#original) {
      this.commands.enter(edit.tab, edit.row, edit.col, [[closeParentheses(edit.text)]]).catch((error: unknown) => {
        this.#fail(error);
        // If the server rejects the text, reopen the edit in its cell. If the user already edits another cell or has
        // switched to another sub-sheet, the text stays in the list of rejected edits instead.
        if (this.isEditing || this.grid.session.current.get() !== edit.tab) return;
        this.grid.session.outbox.discardByError(error);
        this.grid.selectCell({ row: edit.row, col: edit.col });
        this.#original = '';
        this.grid.editing.begin({ ...edit, quick: false });
        this.takeFocus();
      });
    }
    if (down !== 0 || right !== 0) advanceActiveCell(this.grid, down, right);
    this.takeFocus();
  }

  /** Enters the text into every selected cell (Ctrl+Enter). Relative references are shifted for each cell. */
  #commitEverywhere(): void {
    const edit = this.grid.editing.state.get();
    const { session } = this.grid;
    const ranges = selectedRanges(session.selection.get());
    const [first] = ranges;
    const isOne = ranges.length === 1 && first!.top === first!.bottom && first!.left === first!.right;
    if (!edit || isOne || session.current.get() !== edit.tab) {
      this.commit();
      return;
    }
    this.grid.editing.end();
    this.completion.close();
    enterIntoSelection(this.grid, this.commands, this.#fail, edit, closeParentheses(edit.text));
    this.takeFocus();
  }

  /** Handles a key while a cell is edited. Returns whether the key was consumed. */
  key(event: KeyboardEvent, field: HTMLTextAreaElement): boolean {
    const edit = this.grid.editing.state.get();
    if (!edit || event.isComposing) return false;
    if (this.completion.key(event)) {
      const taken = event.key === 'Tab' || event.key === 'Enter' ? this.completion.take(edit.text) : undefined;
      if (taken) {
        this.change(taken.text, [taken.caret, taken.caret]);
        this.takeFocus();
      }
      return true;
    }
    switch (event.key) {
      case 'Enter':
        if (event.altKey) this.#insert(field, '\n');
        else if (hasCommandKey(event)) this.#commitEverywhere();
        else this.commit(event.shiftKey ? -1 : 1, 0);
        return true;
      case ';':
      case ':':
        if (!hasCommandKey(event)) return false;
        this.#insert(field, event.shiftKey ? currentTimeText() : todayText());
        return true;
      case 'Tab':
        this.commit(0, event.shiftKey ? -1 : 1);
        return true;
      case 'Escape':
        this.cancel();
        return true;
      case 'F2':
        this.grid.editing.updateMode({ quick: !edit.quick });
        return true;
      case 'F4': {
        const next = cycleAbsolute(edit.text, field.selectionStart);
        if (next) {
          this.change(next.text, [next.caret, next.caret]);
          this.takeFocus();
        }
        return true;
      }
      case 'ArrowUp':
        return this.#arrow(event, -1, 0);
      case 'ArrowDown':
        return this.#arrow(event, 1, 0);
      case 'ArrowLeft':
        return this.#arrow(event, 0, -1);
      case 'ArrowRight':
        return this.#arrow(event, 0, 1);
      default:
        return false;
    }
  }

  /**
   * Handles an arrow key in an edit that was started by typing a character. In a formula, inserts a reference if one
   * can follow at the caret; in other text, ends the edit. Returns false if the text field must handle the key.
   */
  #arrow(event: KeyboardEvent, down: number, right: number): boolean {
    const { editing, session } = this.grid;
    const edit = editing.state.get();
    if (!edit?.quick || edit.where === 'bar') return false;
    if (!editing.canPoint) {
      if (edit.text.startsWith('=')) return false;
      this.commit();
      // Unlike Tab and Enter, arrow keys do not cycle within a selection or return to the start of a row.
      this.grid.selectCell(neighborCell(this.grid, { row: edit.row, col: edit.col }, down, right));
      return true;
    }
    const from = edit.pointing
      ? event.shiftKey
        ? farEnd(edit.pointing)
        : edit.pointing.anchor
      : { row: edit.row, col: edit.col };
    const to = neighborCell(this.grid, from, down, right);
    const anchor = event.shiftKey && edit.pointing ? edit.pointing.anchor : to;
    editing.point(rangeBetween(anchor, to), anchor, session.current.get() === edit.tab ? undefined : session.tab.name);
    this.grid.reveal(singleCellRange(to.row, to.col));
    this.completion.close();
    this.takeFocus();
    return true;
  }

  #insert(field: HTMLTextAreaElement, sign: string): void {
    const text = field.value.slice(0, field.selectionStart) + sign + field.value.slice(field.selectionEnd);
    const caret = field.selectionStart + sign.length;
    this.grid.editing.updateMode({ quick: false });
    this.change(text, [caret, caret]);
    this.takeFocus();
  }
}

function farEnd({
  range,
  anchor,
}: {
  range: { top: number; left: number; bottom: number; right: number };
  anchor: { row: number; col: number };
}): { row: number; col: number } {
  return {
    row: range.top < anchor.row ? range.top : range.bottom,
    col: range.left < anchor.col ? range.left : range.right,
  };
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** Returns today's date in ISO format, which the server recognizes in every language. */
export function todayText(now = new Date()): string {
  return `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`;
}

export function currentTimeText(now = new Date()): string {
  return `${twoDigits(now.getHours())}:${twoDigits(now.getMinutes())}`;
}

/** Appends the missing closing parentheses to a formula. Parentheses in string literals are ignored. */
function closeParentheses(text: string): string {
  if (!text.startsWith('=')) return text;
  let open = 0;
  let quoted = false;
  for (const sign of text) {
    if (sign === '"') quoted = !quoted;
    else if (!quoted && sign === '(') open++;
    else if (!quoted && sign === ')') open--;
  }
  return quoted || open <= 0 ? text : text + ')'.repeat(open);
}
