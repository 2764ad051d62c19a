import { noTables, type TableShape, type TableSource } from '../../formula/table-part.ts';
import { CellError } from '../../base/values.ts';
import type { SheetDocument } from '../document.ts';
import type { Carried } from './kept.ts';
import { rectOf } from './rect.ts';
import type { SubSheet } from './sub-sheet.ts';

/**
 * The tables of a document, read from what its sub-sheets carry: they follow every edit there. A table and its columns are
 * known by the places of their texts, which never change.
 */
export class DocumentTables implements TableSource {
  readonly #document: SheetDocument;
  #subSheets: readonly SubSheet[] = [];
  #carried: readonly (readonly Carried[])[] = [];
  #shapes: readonly TableShape[] = noTables.list();
  #byId = new Map<number, TableShape>();
  #byName = new Map<string, TableShape>();

  constructor(document: SheetDocument) {
    this.#document = document;
  }

  list(): readonly TableShape[] {
    const { subSheets } = this.#document;
    const isKnown =
      subSheets === this.#subSheets && subSheets.every(({ carried }, index) => carried === this.#carried[index]);
    if (isKnown) return this.#shapes;
    this.#subSheets = subSheets;
    this.#carried = subSheets.map(({ carried }) => carried);
    const shapes = subSheets.flatMap((sub) => this.#of(sub));
    if (JSON.stringify(shapes) === JSON.stringify(this.#shapes)) return this.#shapes;
    this.#shapes = shapes;
    this.#byId = new Map(shapes.toReversed().map((one) => [one.id, one]));
    this.#byName = new Map(shapes.toReversed().map((one) => [one.name.toUpperCase(), one]));
    return shapes;
  }

  #of(sub: SubSheet): TableShape[] {
    const tables = sub.carried.filter((one) => one.kind === 'table');
    if (tables.length === 0) return [];
    return tables.flatMap(({ text: id, regions }) => {
      const [region] = regions ?? [];
      const [attributes = '', name] = this.#pieces(id);
      if (!region || name === undefined) return [];
      const rect = rectOf(region);
      const columns = Array.from({ length: rect.right - rect.left + 1 }, () => 0);
      for (const one of sub.carried) {
        const place = one.kind === 'tableColumn' ? (one.regions?.[0]?.[1] ?? -1) - rect.left : -1;
        if (place >= 0 && place < columns.length && this.#pieces(one.text)[2] === name) columns[place] = one.text + 1;
      }
      const heads = / headerRowCount="0"/.test(attributes) ? 0 : 1;
      const totals = Number(/ totalsRowCount="(\d+)"/.exec(attributes)?.[1] ?? 0) > 0 ? 1 : 0;
      return [{ id, name, sheet: sub.sheet.id, rect, heads, totals, columns }];
    });
  }

  #pieces(text: number): readonly string[] {
    return this.#document.kept?.texts[text]?.pieces ?? [];
  }

  table(id: number): TableShape | undefined {
    this.list();
    return this.#byId.get(id);
  }

  tableNamed(name: string): TableShape | undefined {
    return this.list().length === 0 ? undefined : this.#byName.get(name.toUpperCase());
  }

  /** Headings are what the cells say; a table without them, or with a blank one, has the names of the file. */
  columnName(table: TableShape, place: number): string {
    const sub = this.#document.numbered(table.sheet);
    const value = sub && table.heads > 0 ? sub.sheet.read(table.rect.top, table.rect.left + place) : null;
    if (value !== null && value !== '') return value instanceof CellError ? value.text : String(value);
    const id = table.columns[place] ?? 0;
    return (id > 0 ? this.#pieces(id - 1)[1] : undefined) ?? `Column${place + 1}`;
  }
}

const word = /[\p{L}\p{N}_.\\?]/u;

/** `[@price]` inside a table is `T[@price]`: formulas say which table they mean, wherever they go later. */
export function withTableNames(document: SheetDocument, sub: SubSheet, row: number, col: number, text: string): string {
  const { tables } = document.workbook;
  const around = tables
    .list()
    .find(
      ({ sheet, rect }) =>
        sheet === sub.sheet.id && row >= rect.top && row <= rect.bottom && col >= rect.left && col <= rect.right,
    );
  if (!around) return text;
  const names = new Set(around.columns.map((_, place) => tables.columnName(around, place).toLowerCase()));
  let out = '';
  for (let at = 0; at < text.length;) {
    const end = pieceEnd(text, at);
    const piece = text.slice(at, end);
    const inner = piece.startsWith('[') ? piece.slice(1, -1) : undefined;
    const isOwn =
      inner !== undefined &&
      !word.test(text[at - 1] ?? '') &&
      !/^[\p{L}_'!]/u.test(text.slice(end)) &&
      (/^[@#[]/.test(inner) || names.has(inner.toLowerCase()));
    out += isOwn ? around.name + piece : piece;
    at = end;
  }
  return out;
}

/** Texts, quoted names and what stands in brackets are one piece each, everything else is single characters. */
function pieceEnd(text: string, from: number): number {
  const first = text[from];
  if (first === '"' || first === "'") {
    const end = text.indexOf(first, from + 1);
    return end < 0 ? text.length : end + 1;
  }
  if (first !== '[') return from + 1;
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    if (text[i] === "'") i++;
    else if (text[i] === '[') depth++;
    else if (text[i] === ']' && --depth === 0) return i + 1;
  }
  return text.length;
}
