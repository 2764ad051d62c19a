import { rangeNamed, type CellRange } from '../geometry.ts';

/** What someone else wrote just now. */
export interface Mark {
  readonly range: CellRange;
  readonly name: string;
  /** From 1 to 0 while it goes. */
  readonly strength: number;
}

const shownMs = 6000;
const fadeMs = 1200;
const most = 40;

interface Kept {
  readonly sheet: string;
  readonly range: CellRange;
  readonly name: string;
  readonly at: number;
}

/** What others wrote in the last seconds. */
export class Marks {
  #kept: Kept[] = [];

  /** `place` as events tell it: `<sheet_id>$A1:B2`. */
  add(place: string, name: string, now: number): void {
    const cut = place.lastIndexOf('$');
    const range = cut < 0 ? undefined : rangeNamed(place.slice(cut + 1));
    if (!range) return;
    const sheet = place.slice(0, cut);
    this.#kept = this.#kept.filter(
      (one) =>
        now - one.at < shownMs &&
        !(one.sheet === sheet && one.range.top === range.top && one.range.left === range.left && one.name === name),
    );
    this.#kept.push({ sheet, range, name, at: now });
    if (this.#kept.length > most) this.#kept.shift();
  }

  on(sheet: string, now: number): Mark[] {
    this.#kept = this.#kept.filter((one) => now - one.at < shownMs);
    return this.#kept
      .filter((one) => one.sheet === sheet)
      .map(({ range, name, at }) => ({ range, name, strength: Math.min(1, (shownMs - (now - at)) / fadeMs) }));
  }

  /** Milliseconds until the next picture is due; undefined when nothing is shown. */
  due(now: number): number | undefined {
    if (this.#kept.length === 0) return undefined;
    const oldest = Math.min(...this.#kept.map((one) => one.at));
    return Math.max(60, oldest + shownMs - fadeMs - now);
  }
}
