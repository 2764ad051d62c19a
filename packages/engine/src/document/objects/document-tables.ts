import { noTables, type TableShape, type TableSource } from '../../formula/table-reference.ts';
import type { SheetNames } from '../../formula/reference.ts';
import { CellError } from '../../base/values.ts';
import type { SheetDocument } from '../document.ts';
import type { Table } from './range-objects.ts';
import { rectOf } from './rect.ts';
import type { SubSheet } from './sub-sheet.ts';

/**
 * Gives formulas access to the tables of a document. The list of tables is rebuilt when the tables of a sub-sheet
 * change.
 */
export class DocumentTables implements TableSource {
  readonly #document: SheetDocument;
  #subSheets: readonly SubSheet[] = [];
  #tables: readonly (readonly Table[])[] = [];
  #shapes: readonly TableShape[] = noTables.list();
  #byId = new Map<number, TableShape>();
  #byName = new Map<string, TableShape>();

  constructor(document: SheetDocument) {
    this.#document = document;
  }

  list(): readonly TableShape[] {
    const { subSheets } = this.#document;
    const isKnown =
      subSheets === this.#subSheets && subSheets.every(({ tables }, index) => tables === this.#tables[index]);
    if (isKnown) return this.#shapes;
    this.#subSheets = subSheets;
    this.#tables = subSheets.map(({ tables }) => tables);
    const shapes = subSheets.flatMap((sub) => sub.tables.map((table) => shapeOf(table, sub.sheet.id)));
    if (JSON.stringify(shapes) === JSON.stringify(this.#shapes)) return this.#shapes;
    this.#shapes = shapes;
    this.#byId = new Map(shapes.map((one) => [one.id, one]));
    this.#byName = new Map(shapes.map((one) => [one.name.toUpperCase(), one]));
    return shapes;
  }

  table(id: number): TableShape | undefined {
    return this.list().length === 0 ? undefined : this.#byId.get(id);
  }

  tableNamed(name: string): TableShape | undefined {
    return this.list().length === 0 ? undefined : this.#byName.get(name.toUpperCase());
  }

  /**
   * Returns the column names of a table: the texts of its header cells, or its stored names if it has no header row. A
   * repeated name gets a number appended.
   */
  columnNames(table: TableShape): readonly string[] {
    const sub = table.heads > 0 ? this.#document.numbered(table.sheet) : undefined;
    const taken = new Set<string>();
    return table.names.map((own, place) => {
      const value = sub ? sub.sheet.read(table.rect.top, table.rect.left + place) : null;
      const said = value instanceof CellError ? value.text : value === null ? '' : String(value);
      return uniqueName(said || own || `Column${place + 1}`, taken);
    });
  }
}

function shapeOf({ number: id, name, regions, headings, totals, columns }: Table, sheet: number): TableShape {
  return {
    id,
    name,
    sheet,
    rect: rectOf(regions[0]!),
    heads: headings === false ? 0 : 1,
    totals: totals ? 1 : 0,
    columns: columns.map((one) => one.number),
    names: columns.map((one) => one.name),
  };
}

function uniqueName(name: string, taken: Set<string>): string {
  for (let number = 1; ; number++) {
    const own = number === 1 ? name : `${name}${number}`;
    if (taken.has(own.toLowerCase())) continue;
    taken.add(own.toLowerCase());
    return own;
  }
}

/**
 * Returns the name lookup for printing formulas in the form in which mutations (stored edits) and snapshots contain
 * them. In this form, formulas refer to tables by ids, which stay valid when names and headers change. `tableAs`, if
 * given, maps a table's id to the id of its copy, for formulas that are copied.
 */
export function namesForStoredFormulas({ workbook }: SheetDocument, tableAs?: (table: number) => number): SheetNames {
  return {
    sheetName: (id) => workbook.sheetName(id),
    sheetId: (name) => workbook.sheetId(name),
    tableForm: 'stored',
    ...(tableAs ? { tableAs } : {}),
  };
}

/**
 * Returns the document's tables with their current names. With the result, a caller that then renames a table can still
 * resolve formulas that contain the old name.
 */
export function captureTables({ workbook: { tables } }: SheetDocument): TableSource {
  const shapes = tables.list();
  return {
    list: () => shapes,
    table: (id) => shapes.find((one) => one.id === id),
    tableNamed: (name) => shapes.find((one) => one.name.toUpperCase() === name.toUpperCase()),
    columnNames: (table) => tables.columnNames(table),
  };
}

const word = /[\p{L}\p{N}_.\\?]/u;

/**
 * Adds the table's name to references such as `[@price]` in a formula that stands inside a table T: the result is
 * `T[@price]`. The formula then still refers to its table after it is moved out of the table. A formula outside all
 * tables is returned unchanged.
 */
export function qualifyTableReferences(
  document: SheetDocument,
  sub: SubSheet,
  row: number,
  col: number,
  text: string,
): string {
  const { tables } = document.workbook;
  const around = tables
    .list()
    .find(
      ({ sheet, rect }) =>
        sheet === sub.sheet.id && row >= rect.top && row <= rect.bottom && col >= rect.left && col <= rect.right,
    );
  if (!around) return text;
  const names = new Set(tables.columnNames(around).map((name) => name.toLowerCase()));
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

/** Returns the end of the token at `from`: a quoted text, a quoted name, a bracketed text, or a single character. */
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
