import { language, translatorFor } from '../../i18n/use-translation.ts';
import type { GridCommands } from './grid-commands.ts';
import { regionFields } from './cell-geometry.ts';
import { maxCopied, parseClipboard, repeatToFill, isSameClipboardText, cellTexts } from './grid/clipboard-content.ts';
import type { Grid } from './grid/grid.ts';
import { maxCalls, pasteCalls } from './grid/paste-calls.ts';
import type { PastedTable } from './grid/pasted-table.ts';
import { writeBatch } from './selection-ranges.ts';
import { selectedRanges, type SheetSession } from './sheet-session.ts';
import { fitPasteTarget, orderPasteTargets, pasteTargetRange } from './multi-range.ts';

export class ClipboardCommands {
  readonly #commands: GridCommands;
  readonly #grid: Grid;
  readonly #fail: (error: unknown) => void;
  #next: 'all' | 'values' = 'all';

  constructor(commands: GridCommands, fail: (error: unknown) => void) {
    this.#commands = commands;
    this.#grid = commands.grid;
    this.#fail = fail;
  }

  get #session(): SheetSession {
    return this.#grid.session;
  }

  /** Records what was copied, so that a paste in this browser tab can include formulas and styles. */
  setCopied(copied: NonNullable<Grid['copied']>): void {
    this.#grid.copied = copied;
    this.#grid.draw();
  }

  clearCopied(): void {
    if (!this.#grid.copied) return;
    this.#grid.copied = undefined;
    this.#grid.draw();
  }

  /** Makes the next paste event insert only values. */
  pasteOnlyValues(): void {
    this.#next = 'values';
  }

  paste(data: DataTransfer): void {
    const { copied } = this.#grid;
    const what = this.#next;
    this.#next = 'all';
    const plain = data.getData('text/plain');
    if (copied && isSameClipboardText(copied.text, plain)) {
      this.pasteCopied(what);
      return;
    }
    this.pasteGiven(parseClipboard(data.getData('text/html'), plain), what);
  }

  /**
   * Pastes content that was not copied in this browser tab. Only values are pasted if `what` requests it, or while the
   * server is unreachable, because only entered values can be queued.
   */
  pasteGiven(given: PastedTable | string[][] | undefined, what: 'all' | 'values'): void {
    if (!given) return;
    const isAway = this.#session.outbox.state.get().kind === 'away';
    if ('rows' in given && what === 'all' && !isAway) this.#pasteTable(given);
    else this.pasteRows('rows' in given ? cellTexts(given) : given);
  }

  /**
   * Pastes a table with its styles and merged cells. Each batch of at most `maxCalls` server calls is one undo step.
   * Only the texts are pasted if the table has no styles or is too large.
   */
  #pasteTable(table: PastedTable): void {
    const { range } = this.#session.selection.get();
    const tab = this.#session.current.get();
    const calls = pasteCalls(table, tab, range.top, range.left);
    const width = table.rows[0]?.length ?? 1;
    if (calls.length === 1 || table.rows.length * width > maxCopied) {
      this.pasteRows(cellTexts(table));
      return;
    }
    this.#commands.run(async () => {
      this.#commands.select([
        { top: range.top, left: range.left, bottom: range.top + table.rows.length - 1, right: range.left + width - 1 },
      ]);
      for (let from = 0; from < calls.length; from += maxCalls)
        await this.#session.write('batch', { calls: calls.slice(from, from + maxCalls) });
    });
  }

  /**
   * Pastes the range copied in this browser tab. `all` includes formulas, styles, merged cells and links. A cut range
   * is moved, and can be pasted into one range only.
   */
  pasteCopied(what: 'all' | 'values' | 'formats'): void {
    const { copied } = this.#grid;
    if (!copied) return;
    const before = this.#session.selection.get();
    const targets = selectedRanges(before);
    if (copied.cut && targets.length > 1) {
      this.#fail(new Error(translatorFor(language.get())('pasteCutSeveral')));
      return;
    }
    const input = {
      sheet_id: copied.tab,
      source: regionFields(copied.range),
      target_sheet_id: this.#session.current.get(),
      what,
      move: copied.cut,
    };
    const inOrder = copied.tab === input.target_sheet_id ? orderPasteTargets(copied.range, targets) : targets;
    this.#commands.run(async () => {
      await writeBatch(
        this.#session,
        'copy_range',
        inOrder.map((target) => ({ ...input, target: regionFields(fitPasteTarget(copied.range, target)) })),
      );
      this.#commands.selectAfter(
        before,
        targets.map((target) => pasteTargetRange(copied.range, target)),
      );
      if (copied.cut) this.clearCopied();
    });
  }

  /**
   * Pastes rows of text into every selected range. If the size of a range is a multiple of the size of the rows, they
   * are repeated to fill the range. Otherwise they are pasted once, from the top-left cell of the range.
   */
  pasteRows(given: readonly (readonly string[])[]): void {
    const blocks = selectedRanges(this.#session.selection.get()).map((range) => ({
      row: range.top,
      col: range.left,
      rows: repeatToFill(given, range),
    }));
    if (blocks.reduce((sum, { rows }) => sum + rows.length * (rows[0]?.length ?? 0), 0) > maxCopied) {
      this.#fail(new Error(translatorFor(language.get())('tooMuchToCopy', { count: maxCopied.toLocaleString() })));
      return;
    }
    const tab = this.#session.current.get();
    this.#commands.run(async () => {
      this.#commands.select(
        blocks.map(({ row, col, rows }) => ({
          top: row,
          left: col,
          bottom: row + rows.length - 1,
          right: col + Math.max(1, ...rows.map((line) => line.length)) - 1,
        })),
      );
      const [first, ...others] = blocks;
      if (others.length === 0) await this.#commands.enter(tab, first!.row, first!.col, first!.rows);
      else
        await writeBatch(
          this.#session,
          'enter_cells',
          blocks.map(({ row, col, rows }) => ({ sheet_id: tab, start_row: row, start_col: col, rows })),
        );
    });
  }
}
