import type { Rect } from '../base/address.ts';
import { cellErrors, type CellError } from '../base/values.ts';
import type { RefPart, SheetNames } from './reference.ts';

/** A table as formulas see it: its range, and its columns by ids that do not change when columns move. */
export interface TableShape {
  readonly id: number;
  readonly name: string;
  /** Numeric id of the sub-sheet that the table is on. */
  readonly sheet: number;
  readonly rect: Rect;
  readonly heads: number;
  readonly totals: number;
  /** Column ids from left to right. */
  readonly columns: readonly number[];
  /** Stored column names, used for columns without a header text. */
  readonly names: readonly string[];
}

export interface TableSource {
  table(id: number): TableShape | undefined;
  tableNamed(name: string): TableShape | undefined;
  /**
   * Returns the column names from left to right. They come from the header cells, or from the stored names where a
   * header text is missing.
   */
  columnNames(table: TableShape): readonly string[];
  /** Returns all tables; a new array whenever a table has changed, so callers can compare by identity. */
  list(): readonly TableShape[];
}

export const noTables: TableSource = {
  table: () => undefined,
  tableNamed: () => undefined,
  columnNames: () => [],
  list: () => emptyList,
};
const emptyList: readonly TableShape[] = [];

/** Bit flags for the parts of a table that a reference selects. */
const parts = { headers: 1, data: 2, totals: 4, thisRow: 8 } as const;
const words = new Map<string, number>([
  ['#headers', parts.headers],
  ['#data', parts.data],
  ['#totals', parts.totals],
  ['#all', parts.headers | parts.data | parts.totals],
  ['#this row', parts.thisRow],
]);

/**
 * A structured reference to a table, such as `Sales[Price]`, as stored in a formula template (a formula that several
 * cells share).
 */
export interface TablePart {
  /**
   * Id of the table. If undefined, the table or column was not found, and only `written`, the text of the reference, is
   * valid.
   */
  readonly table: number | undefined;
  readonly written: string;
  readonly items: number;
  /** Ids of the first and last column; 0 means all columns. */
  readonly first: number;
  readonly last: number;
}

export function isTable(part: object | string): part is TablePart {
  return typeof part !== 'string' && 'items' in part;
}

export function tableKey({ table, written, items, first, last }: TablePart): string {
  return table === undefined ? written : `\u0006${table}:${items}:${first}:${last}\u0006`;
}

/**
 * Form of table references in saved documents (snapshots): `⟦`, table id, flags of the selected parts, ids of first and
 * last column, `⟧`. Unlike names, ids can be read before the names and headers of the tables are loaded.
 */
const storedForm = /^⟦(\d+):(\d+):(\d+):(\d+)⟧/;

export function readStored(text: string, at: number): { part: TablePart; end: number } | undefined {
  const found = storedForm.exec(text.slice(at, at + 60));
  if (!found) return undefined;
  const [table = 0, items = 0, first = 0, last = 0] = found.slice(1).map(Number);
  return { part: { table, written: found[0], items, first, last }, end: at + found[0].length };
}

/**
 * Resolves the table reference `name[inner]`, whose full text is `written`. If the table or a column is not found, the
 * result has no table and only keeps the text.
 */
export function bindTable(name: string, inner: string, written: string, tables: TableSource): TablePart {
  const unbound: TablePart = { table: undefined, written, items: 0, first: 0, last: 0 };
  const table = tables.tableNamed(name);
  const wanted = wantedOf(inner);
  if (!table || !wanted) return unbound;
  const columns = wanted.columns.map((column) => columnAt(table, column, tables));
  if (columns.some((column) => column === undefined)) return unbound;
  const places = columns as number[];
  const idAt = (place: number): number => table.columns[place] ?? 0;
  const first = places.length > 0 ? idAt(Math.min(...places)) : 0;
  const last = places.length > 0 ? idAt(Math.max(...places)) : 0;
  return { table: table.id, written: '', items: wanted.items, first, last };
}

function wantedOf(inner: string): { items: number; columns: string[] } | undefined {
  let items = 0;
  const columns: string[] = [];
  let rest = inner.trim();
  if (rest.startsWith('@')) {
    items |= parts.thisRow;
    rest = rest.slice(1).trim();
  }
  const pieces = rest.startsWith('[') ? bracketed(rest) : rest === '' ? [] : [rest];
  for (const piece of pieces) {
    if (piece.startsWith('#')) {
      const item = words.get(piece.toLowerCase());
      if (item === undefined) return undefined;
      items |= item;
    } else if (piece.startsWith('@')) {
      items |= parts.thisRow;
      columns.push(unescaped(piece.slice(1)));
    } else columns.push(unescaped(piece));
  }
  return columns.length > 2 ? undefined : { items: items === parts.data ? 0 : items, columns };
}

function unescaped(name: string): string {
  return name.replaceAll(/'(.)/gsu, '$1');
}

function bracketed(text: string): string[] {
  const found: string[] = [];
  let start = -1;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "'") i++;
    else if (text[i] === '[') start = i + 1;
    else if (text[i] === ']' && start >= 0) {
      found.push(text.slice(start, i));
      start = -1;
    }
  }
  return found;
}

function columnAt(table: TableShape, name: string, tables: TableSource): number | undefined {
  const folded = name.toLowerCase();
  const names = tables.columnNames(table).map((one) => one.toLowerCase());
  const exact = names.indexOf(folded);
  // Files write line breaks in headers in different ways. Without an exact match, names are therefore compared with
  // line breaks and other white space replaced by single spaces.
  const found = exact >= 0 ? exact : names.findIndex((one) => withSpaces(one) === withSpaces(folded));
  return found < 0 ? undefined : found;
}

function withSpaces(text: string): string {
  return text
    .replaceAll(/_x([0-9a-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

export function printTable(part: TablePart, { tables = noTables, tableForm, tableAs }: SheetNames): string {
  const { table: id, written, items, first, last } = part;
  if (id === undefined) return written;
  if (tableForm === 'stored') return `⟦${tableAs?.(id) ?? id}:${items}:${first}:${last}⟧`;
  const table = tables.table(id);
  if (!table) return '#REF!';
  const nameOf = (column: number): string => {
    const name = tables.columnNames(table)[table.columns.indexOf(column)];
    return name === undefined ? '#REF!' : name.replaceAll(/['[\]#@]/g, "'$&");
  };
  const column = first === 0 ? '' : first === last ? `[${nameOf(first)}]` : `[${nameOf(first)}]:[${nameOf(last)}]`;
  if (items === 0 && first === 0) return table.name;
  // A column name that starts or ends with white space needs its own brackets. Without them, the white space is
  // dropped.
  if (items === 0) return `${table.name}${first !== last || /^\[\s|\s\]$/u.test(column) ? `[${column}]` : column}`;
  if (items === parts.thisRow && tableForm !== 'file') {
    const plain = first !== 0 && first === last && /^\[[\p{L}\p{N}_.]+\]$/u.test(column);
    return `${table.name}[@${plain ? column.slice(1, -1) : column}]`;
  }
  const named =
    items === 7
      ? ['[#All]']
      : [...words].filter(([, bit]) => bit !== 7 && (items & bit) !== 0).map(([word]) => `[${titled(word)}]`);
  if (named.length === 1 && column === '') return `${table.name}${named[0]}`;
  return `${table.name}[${[...named, ...(column === '' ? [] : [column])].join(',')}]`;
}

function titled(word: string): string {
  return word === '#this row' ? '#This Row' : `#${word.charAt(1).toUpperCase()}${word.slice(2)}`;
}

/**
 * Returns the cells that a table reference covers. `row` is the row of the formula, which a reference to "this row"
 * selects. Returns an error value if the table has no such cells.
 */
export function tableRect(table: TableShape, { items, first, last }: TablePart, row: number): Rect | CellError {
  const { rect, heads, totals, columns } = table;
  const [from, to] = first === 0 ? [0, rect.right - rect.left] : [columns.indexOf(first), columns.indexOf(last)];
  if (from < 0 || to < 0) return cellErrors.ref;
  const left = rect.left + Math.min(from, to);
  const right = rect.left + Math.max(from, to);
  const top = rect.top + heads;
  const bottom = rect.bottom - totals;
  if ((items & parts.thisRow) !== 0)
    return row < top || row > bottom ? cellErrors.value : { top: row, left, bottom: row, right };
  const wanted = items === 0 ? parts.data : items;
  const all = wanted === 7;
  const withHeads = (wanted & parts.headers) !== 0;
  const withTotals = (wanted & parts.totals) !== 0;
  if (!all && ((withHeads && heads === 0) || (withTotals && totals === 0))) return cellErrors.ref;
  const data = (wanted & parts.data) !== 0;
  const start = withHeads ? rect.top : data ? top : bottom + 1;
  const end = withTotals ? rect.bottom : data ? bottom : top - 1;
  return start > end ? cellErrors.ref : { top: start, left, bottom: end, right };
}

/**
 * Converts a table reference such as `T[price]` to ordinary references, so that the dependency graph recalculates the
 * formula when the cells of the table change.
 */
export function tableRefs(part: TablePart, tables: TableSource): RefPart[] {
  const table = part.table === undefined ? undefined : tables.table(part.table);
  const isRow = (part.items & parts.thisRow) !== 0;
  const rect = table && tableRect(table, part, table.rect.top + table.heads);
  if (!table || !rect || !('top' in rect)) return [];
  const relative = isRow ? { top: 0, bottom: 0 } : {};
  return [
    {
      shape: 'area',
      sheet: table.sheet,
      lastSheet: undefined,
      ...rect,
      ...relative,
      topAbs: !isRow,
      leftAbs: true,
      bottomAbs: !isRow,
      rightAbs: true,
    },
  ];
}
