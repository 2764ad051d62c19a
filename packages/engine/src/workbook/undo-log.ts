import type { Rect } from '../base/address.ts';
import type { Scalar } from '../base/values.ts';
import type { Template } from '../formula/formula-template.ts';
import { blankTag } from '../store/chunk.ts';
import type { IndexedSheet } from '../store/indexed-sheet.ts';
import { loadColumn } from './bulk-load.ts';
import type { RewrittenFormulas } from './shift-cells-and-formulas.ts';
import type { WorkbookCore } from './workbook-core.ts';

interface Cell {
  readonly row: number;
  readonly col: number;
  readonly value: Scalar;
  readonly template: Template | undefined;
}

/**
 * Records how to reverse the writes and added sub-sheets of a batch (`Workbook.batch`), so that a failed batch can be
 * rolled back.
 */
export class UndoLog {
  readonly #core: WorkbookCore;
  readonly #steps: (() => void)[] = [];

  constructor(core: WorkbookCore) {
    this.#core = core;
  }

  /** Number of recorded steps. Pass it to `undo` to roll back to this point. */
  get length(): number {
    return this.#steps.length;
  }

  /**
   * Records the current contents of a rectangle, so that `undo` can restore them. Must be called before cells are
   * written.
   */
  recordCells(sheet: IndexedSheet, rect: Rect): void {
    const cells = contentsOf(this.#core, sheet, rect);
    this.#steps.push(() => {
      const blank = Array.from({ length: rect.bottom - rect.top + 1 }, () => null);
      for (let { left: col } = rect; col <= rect.right; col++) loadColumn(this.#core, sheet, rect.top, col, blank);
      for (const { row, col, value, template } of cells) {
        this.#core.setValue(sheet, row, col, value);
        if (template) this.#core.setTemplate(sheet, row, col, template, true);
      }
    });
  }

  /**
   * Records that a sub-sheet was added. Must be called after adding it; `rewritten` lists the formulas that adding it
   * changed.
   */
  recordSheet(added: IndexedSheet, rewritten: readonly RewrittenFormulas[]): void {
    const core = this.#core;
    this.#steps.push(() => {
      core.deleteSheet(added.id);
      for (const { sheet, col, top, bottom, before } of rewritten) {
        const found = core.need(sheet);
        for (let row = top; row <= bottom; row++) {
          const template = core.templateAt(found, row, col);
          if (template)
            core.setTemplate(found, row, col, core.templates.with(before, template.constants, template.texts), true);
        }
      }
    });
  }

  /** Rolls back all steps after the first `length` ones, the last one first. */
  undo(length: number): void {
    while (this.#steps.length > length) this.#steps.pop()!();
  }

  clear(): void {
    this.#steps.length = 0;
  }
}

/**
 * Returns the values and formulas of a rectangle. Values that an array formula spilled into other cells are left out,
 * because recalculating that formula restores them.
 */
function contentsOf(core: WorkbookCore, sheet: IndexedSheet, { top, left, bottom, right }: Rect): Cell[] {
  const found: Cell[] = [];
  const { cells } = sheet;
  for (let col = left; col <= right; col++) {
    cells.eachPiece(col, top, bottom, (chunk, from, to, start) => {
      for (let i = from; i <= to; i++) {
        const id = chunk.formulas?.[i] ?? 0;
        const tag = chunk.tags[i]!;
        if (id < 0 || (id === 0 && tag === blankTag)) continue;
        const value = cells.decode(tag, chunk.nums[i]!);
        found.push({ row: start + i, col, value, template: core.templates.get(id) });
      }
    });
  }
  return found;
}
