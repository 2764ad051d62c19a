import type { Rect } from '../../base/address.ts';
import { Runs } from './run-length.ts';

/** Style of a cell. An absent property is unset. A border is written as `style:RRGGBB`. */
export interface Style {
  readonly bold?: true;
  readonly italic?: true;
  readonly fontFamily?: string;
  readonly fontSize?: number;
  /** Color as AARRGGBB. */
  readonly fontColor?: string;
  readonly bgColor?: string;
  readonly horizontalAlign?: string;
  readonly verticalAlign?: string;
  readonly wrapText?: true;
  readonly strikeThrough?: true;
  readonly underline?: string;
  readonly numberFormat?: string;
  readonly borderTop?: string;
  readonly borderBottom?: string;
  readonly borderLeft?: string;
  readonly borderRight?: string;
  readonly indent?: number;
  /** Text rotation: 0 to 90 degrees upwards, 91 to 180 for 1 to 90 degrees downwards, 255 for stacked letters. */
  readonly rotation?: number;
  readonly shrinkToFit?: true;
  /**
   * XML of a fill with more than one color, such as a gradient or pattern, from the imported file. An export writes it
   * back; `bgColor` approximates it.
   */
  readonly fill?: string;
  /** Name of the named cell style that this style is based on. */
  readonly cellStyle?: string;
  /**
   * The imported cell format that this style was read from, as a number in `KeptBook.looks`, counted from 1. Properties
   * that are still equal to that format are exported with the XML of the imported file.
   */
  readonly source?: number;
}

export type StyleKey = keyof Style;

/** Style properties to set; `null` clears a property. */
export type StylePatch = { readonly [K in StyleKey]?: Style[K] | null };

const formatKeys = [
  'bold',
  'italic',
  'fontFamily',
  'fontSize',
  'fontColor',
  'bgColor',
  'horizontalAlign',
  'verticalAlign',
  'wrapText',
  'strikeThrough',
  'underline',
  'numberFormat',
] as const satisfies readonly StyleKey[];
const borderKeys = ['borderTop', 'borderBottom', 'borderLeft', 'borderRight'] as const satisfies readonly StyleKey[];
/**
 * Style keys that were added later. Stored styles list their properties in the order of these lists, so append new keys
 * here: then existing styles keep their stored form.
 */
const laterKeys = [
  'indent',
  'rotation',
  'shrinkToFit',
  'fill',
  'cellStyle',
  'source',
] as const satisfies readonly StyleKey[];
const styleKeys: readonly StyleKey[] = [...formatKeys, ...borderKeys, ...laterKeys];

const switchKeys = new Set<StyleKey>(['bold', 'italic', 'wrapText', 'strikeThrough', 'shrinkToFit']);
const numberKeys = new Set<StyleKey>(['fontSize', 'indent', 'rotation', 'source']);

export function checkPatch(patch: StylePatch): void {
  for (const [key, value] of Object.entries(patch)) {
    if (!(styleKeys as readonly string[]).includes(key)) throw new RangeError(`style: there is no property '${key}'`);
    if (value === null || value === undefined) continue;
    const right = switchKeys.has(key as StyleKey)
      ? value === true
      : numberKeys.has(key as StyleKey)
        ? typeof value === 'number' && value > 0 && Number.isFinite(value)
        : typeof value === 'string' && value !== '';
    if (!right) throw new RangeError(`style: '${key}' cannot be ${JSON.stringify(value)}`);
  }
}

/** The distinct styles of a document. Equal styles share one id, and cells store only the id. Id 0 means no style. */
export class StyleTable {
  readonly #styles: Style[] = [{}];
  readonly #shown: (Style | undefined)[] = [];
  readonly #ids = new Map<string, number>([['{}', 0]]);

  get(id: number): Style {
    return this.#styles[id] ?? {};
  }

  /** Returns the visible properties of a style: all except `source`, the reference to the imported cell format. */
  shown(id: number): Style {
    const known = this.#shown[id];
    if (known) return known;
    const { source: _, ...shown } = this.get(id);
    this.#shown[id] = shown;
    return shown;
  }

  intern(style: StylePatch): number {
    const plain: Record<string, unknown> = {};
    for (const key of styleKeys) {
      const value = style[key];
      if (value !== undefined && value !== null) plain[key] = value;
    }
    const text = JSON.stringify(plain);
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.#styles.length;
      this.#styles.push(plain as Style);
      this.#ids.set(text, id);
    }
    return id;
  }

  /** Returns a function that maps a style id to the id of the patched style. Results are cached per id. */
  patching(patch: StylePatch): (id: number) => number {
    // Setting a background color replaces a multi-color fill.
    const own = 'bgColor' in patch && !('fill' in patch) ? { ...patch, fill: null } : patch;
    return this.changing((style) => ({ ...style, ...own }));
  }

  changing(change: (style: Style) => StylePatch): (id: number) => number {
    const known = new Map<number, number>();
    return (id) => {
      let next = known.get(id);
      if (next === undefined) {
        next = this.intern(change(this.get(id)));
        known.set(id, next);
      }
      return next;
    };
  }

  /**
   * Returns a function that maps a style id to the id of the style that remains after properties are removed. `all`
   * removes every property, `format` every property except the borders, and `border` only the borders.
   */
  clearing(what: 'all' | 'format' | 'border'): (id: number) => number {
    if (what === 'all') return () => 0;
    const gone: StylePatch = Object.fromEntries(
      (what === 'format' ? [...formatKeys, ...laterKeys] : borderKeys).map((key) => [key, null]),
    );
    return this.patching(gone);
  }
}

/** Style ids of a sub-sheet, stored as runs per column: a styled column of a million rows is one run. */
export class StyleGrid {
  readonly #columns = new Map<number, Runs>();

  at(row: number, col: number): number {
    return this.#columns.get(col)?.get(row) ?? 0;
  }

  column(col: number): Runs | undefined {
    return this.#columns.get(col);
  }

  /** Returns the columns that have styles, in ascending order. */
  used(): number[] {
    return [...this.#columns.keys()].sort((a, b) => a - b);
  }

  #need(col: number): Runs {
    let runs = this.#columns.get(col);
    if (!runs) {
      runs = new Runs();
      this.#columns.set(col, runs);
    }
    return runs;
  }

  set(col: number, first: number, last: number, id: number): void {
    this.#updateColumn(col, first, last, () => id);
  }

  update(rect: Rect, change: (id: number) => number): void {
    for (let col = rect.left; col <= rect.right; col++) this.#updateColumn(col, rect.top, rect.bottom, change);
  }

  /** Returns whether `change` maps every style id in the rectangle to itself. */
  isUnchangedBy(rect: Rect, change: (id: number) => number): boolean {
    let kept = true;
    for (let col = rect.left; kept && col <= rect.right; col++) {
      const runs = this.#columns.get(col);
      if (runs) runs.each(rect.top, rect.bottom, (_start, _end, id) => void (kept &&= change(id) === id));
      else kept = change(0) === 0;
    }
    return kept;
  }

  #updateColumn(col: number, first: number, last: number, change: (id: number) => number): void {
    if (!this.#columns.has(col) && change(0) === 0) return;
    const runs = this.#need(col);
    runs.update(first, last, change);
    if (runs.isEmpty) this.#columns.delete(col);
  }

  /**
   * Returns the runs of rows with the same style in a rectangle, column by column. Cells without a style are omitted.
   */
  list(rect: Rect): [col: number, start: number, end: number, id: number][] {
    const found: [number, number, number, number][] = [];
    for (const col of this.used()) {
      if (col < rect.left || col > rect.right) continue;
      for (const [start, end, id] of this.#columns.get(col)?.list(rect.top, rect.bottom) ?? [])
        found.push([col, start, end, id]);
    }
    return found;
  }

  /** Applies `change` to the style runs of each styled column from `first` to `last`. */
  alongRows(change: (runs: Runs) => void, first = 0, last = Infinity): void {
    for (const [col, runs] of this.#columns) {
      if (col < first || col > last) continue;
      change(runs);
      if (runs.isEmpty) this.#columns.delete(col);
    }
  }

  /** Moves the styles of each column to the column that `place` returns; drops them if `place` returns undefined. */
  alongCols(place: (col: number) => number | undefined): void {
    const before = [...this.#columns];
    this.#columns.clear();
    for (const [col, runs] of before) {
      const to = place(col);
      if (to !== undefined) this.#columns.set(to, runs);
    }
  }

  /**
   * Moves the styles of rows `first` to `last` to the columns that `place` returns; drops them if `place` returns
   * undefined.
   */
  alongColsWithin(first: number, last: number, place: (col: number) => number | undefined): void {
    const taken = this.list({ top: first, left: 0, bottom: last, right: Infinity });
    for (const col of this.used()) this.set(col, first, last, 0);
    for (const [col, start, end, id] of taken) {
      const to = place(col);
      if (to !== undefined) this.set(to, start, end, id);
    }
  }
}
