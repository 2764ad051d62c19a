import { parseSheetRange, type CellRange } from '../cell-geometry.ts';

/** A range that another author changed recently. It is highlighted in the grid. */
export interface ChangeMark {
  readonly range: CellRange;
  /** The author's id, which determines the color. */
  readonly who: string;
  readonly name: string;
  /** Name of the server operation that an AI agent called to make the change. Undefined if a person made it. */
  readonly tool: string | undefined;
  /** Opacity of the highlight, from 1 down to 0 while it fades out. */
  readonly strength: number;
}

const shownMs = 6000;
const fadeMs = 1200;
const maxMarks = 40;

interface Writer {
  readonly who: string;
  readonly name: string;
  readonly tool: string | undefined;
}

interface StoredMark extends Writer {
  readonly sheet: string;
  readonly range: CellRange;
  readonly at: number;
}

/** The changes that other authors made in the last few seconds, shown as fading highlights. */
export class ChangeMarks {
  #kept: StoredMark[] = [];

  /** Adds a highlight for a changed range. `place` has the form `<sheet_id>$A1:B2`. */
  add(place: string, writer: Writer, now: number): void {
    const found = parseSheetRange(place);
    if (!found) return;
    const { sheetId: sheet, range } = found;
    const isSame = (one: StoredMark): boolean =>
      one.sheet === sheet && one.range.top === range.top && one.range.left === range.left && one.who === writer.who;
    this.#kept = this.#kept.filter((one) => now - one.at < shownMs && !isSame(one));
    this.#kept.push({ sheet, range, ...writer, at: now });
    if (this.#kept.length > maxMarks) this.#kept.shift();
  }

  on(sheet: string, now: number): ChangeMark[] {
    this.#kept = this.#kept.filter((one) => now - one.at < shownMs);
    return this.#kept
      .filter((one) => one.sheet === sheet)
      .map(({ range, who, name, tool, at }) => ({
        range,
        who,
        name,
        tool,
        strength: Math.min(1, (shownMs - (now - at)) / fadeMs),
      }));
  }

  /**
   * Returns the time in milliseconds until the grid must be repainted, because a highlight fades or disappears. Returns
   * undefined if there are no highlights.
   */
  due(now: number): number | undefined {
    if (this.#kept.length === 0) return undefined;
    const oldest = Math.min(...this.#kept.map((one) => one.at));
    return Math.max(60, oldest + shownMs - fadeMs - now);
  }
}
