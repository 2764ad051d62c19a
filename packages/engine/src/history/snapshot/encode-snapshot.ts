import type { Rect } from '../../base/address.ts';
import { splitLiteral } from '../../base/split-literal.ts';
import type { SheetDocument } from '../../document/document.ts';
import { columnCountOf } from '../../document/objects/cell-contents.ts';
import { wholeGrid, regionOf, type Region } from '../../document/objects/rect.ts';
import type { Style } from '../../document/objects/styles.ts';
import { namesForStoredFormulas } from '../../document/objects/document-tables.ts';
import type { SubSheet, SubSheetState } from '../../document/objects/sub-sheet.ts';
import type { SheetNames } from '../../formula/reference.ts';
import { storedMode } from '../../formula/array-evaluation-mode.ts';
import { blankTag, numberTag, textTag } from '../../store/chunk.ts';
import { ByteWriter } from './bytes.ts';
import {
  engineVersion,
  snapshotFormat,
  windowKind,
  snapshotMagic,
  windowRows,
  type Header,
  type SheetHeader,
  type StoredFormula,
} from './format.ts';

/**
 * Serializes a document. Equal documents give equal bytes, regardless of internal ids, chunk boundaries and edit order.
 * `engine` is the version that calculated the values.
 */
export function encodeSnapshot(document: SheetDocument, engine = engineVersion): Uint8Array {
  const out = new ByteWriter();
  out.u32(snapshotMagic);
  out.u32(snapshotFormat);
  out.text(JSON.stringify(headerOf(document, engine)));
  const cells = new CellWriter(document);
  const sheets = document.subSheets.map((sub) => cells.sheet(sub));
  out.text(JSON.stringify(cells.formulas));
  writeTexts(out, cells.texts);
  for (const { pieces, bytes } of sheets) {
    out.u32(pieces);
    out.u32(bytes.length);
    out.array(bytes);
    out.align();
  }
  return out.finish();
}

function headerOf(document: SheetDocument, engine: number): Header {
  const styles: Style[] = [];
  const places = new Map<number, number>();
  const sheets = document.subSheets.map((sub): SheetHeader => {
    const runs: number[] = [];
    for (const [col, start, end, id] of sub.styles.list(wholeGrid)) {
      let place = places.get(id);
      if (place === undefined) {
        place = styles.length;
        places.set(id, place);
        styles.push(document.styles.get(id));
      }
      runs.push(col, start, end, place);
    }
    const arrays = document.workbook.spills.areasOf(sub.sheet.id);
    const sorted = (areas: readonly Rect[]): Region[] => areas.map(regionOf).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    return {
      id: sub.id,
      type: sub.type,
      name: sub.name,
      number: sub.sheet.id,
      state: stored(sub.save()),
      styles: runs,
      filled: sorted(arrays.filled),
      blocked: sorted(arrays.blocked),
    };
  });
  return {
    engine,
    clock: document.clock,
    styles,
    names: document.names(namesForStoredFormulas(document)),
    pivots: document.pivots,
    outputs: document.pivots.flatMap(({ id }) => {
      const output = document.pivotOutputs.get(id);
      return output
        ? [[id, output.sheet, regionOf(output.rect), output.hidden ? 2 : output.blocked ? 1 : 0] as const]
        : [];
    }),
    sheets,
    ...(document.kept ? { kept: document.kept } : {}),
  };
}

/**
 * Properties that the state of a sub-sheet had in the first release. They are stored even if empty, so that snapshots
 * of older documents stay byte-identical.
 */
const alwaysStored: ReadonlySet<string> = new Set<keyof SubSheetState>(
  splitLiteral(
    'size merges rowSizes colSizes hiddenRows hiddenCols freeze links rich filters images charts protections',
  ),
);

function stored(state: SubSheetState): Partial<SubSheetState> {
  return Object.fromEntries(
    Object.entries(state).filter(([name, part]) => alwaysStored.has(name) || !isEmptyPart(part)),
  );
}

function isEmptyPart(part: object): boolean {
  return (Array.isArray(part) ? part : Object.keys(part)).length === 0;
}

function writeTexts(out: ByteWriter, texts: readonly string[]): void {
  out.u32(texts.length);
  out.array(Uint32Array.from(texts, (text) => text.length));
  out.text(texts.join(''));
}

/** Serializes the cells of sub-sheets. Texts and formulas are numbered in order of first use. */
class CellWriter {
  readonly texts: string[] = [];
  readonly formulas: StoredFormula[] = [];
  readonly #document: SheetDocument;
  readonly #names: SheetNames;
  readonly #textPlaces: Int32Array;
  readonly #formulaPlaces: Int32Array;
  readonly #tags = new Uint8Array(windowRows);
  readonly #nums = new Float64Array(windowRows);
  readonly #ids = new Int32Array(windowRows);

  constructor(document: SheetDocument) {
    this.#document = document;
    this.#names = namesForStoredFormulas(document);
    this.#textPlaces = new Int32Array(document.workbook.strings.highest + 1).fill(-1);
    this.#formulaPlaces = new Int32Array(document.workbook.templates.highest + 1);
  }

  sheet(sub: SubSheet): { pieces: number; bytes: Uint8Array } {
    const out = new ByteWriter();
    const { cells } = sub.sheet;
    let pieces = 0;
    const columns = columnCountOf(sub);
    for (let col = 0; col < columns; col++) {
      for (let start = 0; start < cells.extent; start += windowRows) if (this.#piece(out, sub, col, start)) pieces++;
    }
    return { pieces, bytes: out.finish() };
  }

  #piece(out: ByteWriter, sub: SubSheet, col: number, start: number): boolean {
    const tags = this.#tags;
    const nums = this.#nums;
    const ids = this.#ids;
    let first = windowRows;
    let last = -1;
    let anyFormula = false;
    sub.sheet.cells.eachPiece(col, start, start + windowRows - 1, (chunk, from, to, base) => {
      for (let i = from; i <= to; i++) {
        const tag = chunk.tags[i] as number;
        const id = chunk.formulas?.[i] ?? 0;
        if (tag === blankTag && id === 0) continue;
        const at = base + i - start;
        // Clear the rows between the previous cell and this one: the buffers are reused and may hold data of an earlier
        // window.
        if (last >= 0) for (let gap = last + 1; gap < at; gap++) tags[gap] = nums[gap] = ids[gap] = 0;
        if (at < first) first = at;
        last = at;
        tags[at] = tag;
        nums[at] = tag === textTag ? this.#textPlace(chunk.nums[i] as number) : (chunk.nums[i] as number);
        ids[at] = id > 0 ? this.#formulaPlace(id, base + i, col) : id;
        if (id !== 0) anyFormula = true;
      }
    });
    if (last < 0) return false;
    const count = last - first + 1;
    const kind = this.#kind(first, last);
    out.u32(col);
    out.u32(start + first);
    out.u32(count);
    out.u32(kind);
    const values = nums.subarray(first, last + 1);
    if (kind === windowKind.numbers) out.array(values);
    else if (kind === windowKind.integers) out.array(Int32Array.from(values));
    else if (kind === windowKind.texts) out.array(Uint32Array.from(values));
    else {
      out.array(tags.subarray(first, last + 1));
      out.array(values);
    }
    this.#formulaRuns(out, first, last, anyFormula);
    return true;
  }

  #kind(first: number, last: number): number {
    const tags = this.#tags;
    const nums = this.#nums;
    const tag = tags[first];
    for (let i = first + 1; i <= last; i++) if (tags[i] !== tag) return windowKind.mixed;
    if (tag === textTag) return windowKind.texts;
    if (tag !== numberTag) return windowKind.mixed;
    for (let i = first; i <= last; i++) if (((nums[i] as number) | 0) !== nums[i]) return windowKind.numbers;
    return windowKind.integers;
  }

  /**
   * Writes the number of runs of consecutive rows with the same formula, then the length and formula index of each run.
   */
  #formulaRuns(out: ByteWriter, first: number, last: number, any: boolean): void {
    const runs: number[] = [];
    if (any) {
      for (let i = first; i <= last;) {
        let end = i;
        while (end < last && this.#ids[end + 1] === this.#ids[i]) end++;
        runs.push(end - i + 1, this.#ids[i] as number);
        i = end + 1;
      }
    }
    out.u32(runs.length / 2);
    if (runs.length > 0) out.array(Int32Array.from(runs));
    out.align();
  }

  #textPlace(id: number): number {
    let place = this.#textPlaces[id] as number;
    if (place < 0) {
      place = this.texts.push(this.#document.workbook.strings.get(id)) - 1;
      this.#textPlaces[id] = place;
    }
    return place;
  }

  /** Returns the one-based index of a formula in `formulas`, adding it at its first use. */
  #formulaPlace(id: number, row: number, col: number): number {
    let place = this.#formulaPlaces[id] as number;
    if (place === 0) {
      const { workbook } = this.#document;
      const template = workbook.templates.get(id);
      place = this.formulas.push([
        row,
        col,
        (template && storedMode(template.mode)) ?? 0,
        template?.text(row, col, this.#names) ?? '=0',
      ]);
      this.#formulaPlaces[id] = place;
    }
    return place;
  }
}
