import { columnName, parseRect, type Rect, needsQuotes } from '@sheaf/engine';
import { bracketEnd, tokenAt, quoteEnd, identifierAt } from './formula-lexer.ts';
import { eachElement } from '../containers/package-parts.ts';

/** Position and columns of a table, used to replace structured references, such as `Sales[Price]`, by cell ranges. */
interface Table {
  readonly name: string;
  readonly sheet: string;
  readonly rect: Rect;
  readonly heads: number;
  readonly totals: number;
  readonly columns: readonly string[];
}

/** The cell that contains the formula being read. */
interface FormulaCell {
  readonly sheet: string;
  readonly row: number;
  readonly col: number;
}

const noReference = '#REF!';
const knownParts = new Set(['#all', '#data', '#headers', '#totals', '#this row']);

/**
 * Thrown for a structured reference to an unknown table, column or part. The message completes a sentence that begins
 * with "the formula".
 */
export class UnknownTablePart extends Error {}

export class TableReferences {
  readonly #byName = new Map<string, Table>();

  /** Adds a table, given the XML of the part that defines the table. */
  add(xml: string, part: string, sheet: string): void {
    const columns: string[] = [];
    let name = '';
    let rect: Rect | undefined;
    let heads = 1;
    let totals = 0;
    eachElement(xml, part, {
      open(element) {
        const { attributes, path } = element;
        // Only the root element counts, because the extension for alternative text also contains an element named
        // `table`.
        if (element.name === 'table' && path.length === 0) {
          name = attributes.get('displayName') ?? attributes.get('name') ?? '';
          rect = parseRect(attributes.get('ref') ?? '');
          heads = Number(attributes.get('headerRowCount') ?? 1);
          totals = Number(attributes.get('totalsRowCount') ?? 0);
        } else if (element.name === 'tableColumn' && path.length === 2)
          columns.push(fold(unescape(attributes.get('name') ?? '')));
      },
    });
    if (rect && name !== '') this.#byName.set(fold(name), { name, sheet, rect, heads, totals, columns });
  }

  /**
   * Replaces structured references in a formula by ranges. Throws UnknownTablePart for an unknown table, column or
   * table part.
   */
  replace(text: string, place: FormulaCell): string {
    return this.#rewrite(text, place, (table, inner) => rangeOf(table, inner, place));
  }

  /**
   * Adds the table name to references without one, such as `[price]`, which becomes `T[price]` in a cell inside of
   * table T.
   */
  qualified(text: string, place: FormulaCell): string {
    if (!/(?:^|[^\p{L}\p{N}_.\\?\])])\[/u.test(text)) return text;
    return this.#rewrite(text, place, (table, inner, written) =>
      written.startsWith('[') ? `${table.name}[${inner}]` : written,
    );
  }

  #rewrite(text: string, place: FormulaCell, print: (table: Table, inner: string, written: string) => string): string {
    if (this.#byName.size === 0 && !text.includes('[')) return text;
    let out = '';
    let at = 0;
    while (at < text.length) {
      const char = text[at] as string;
      if (char === '"' || char === "'") {
        const end = quoteEnd(text, at);
        out += text.slice(at, end);
        at = end;
        continue;
      }
      const name = identifierAt(text, at);
      if (name !== undefined) {
        const next = at + name.length;
        // A word after `!` is a name or table of another workbook, or a name limited to a sheet: copy it unchanged.
        if (text[at - 1] === '!') {
          const end = text[next] === '[' ? bracketEnd(text, next) : next;
          out += text.slice(at, end);
          at = end;
          continue;
        }
        const table = text[next] === '(' || text[next] === '!' ? undefined : this.#byName.get(fold(name));
        if (!table && text[next] === '[')
          throw new UnknownTablePart(`names the table ${name.slice(0, 60)}, which the file does not have`);
        const end = table && text[next] === '[' ? bracketEnd(text, next) : next;
        const inner = end > next ? text.slice(next + 1, end - 1) : '';
        out += table ? print(table, inner, text.slice(at, end)) : text.slice(at, end);
        at = end;
        continue;
      }
      if (char === '[') {
        const end = bracketEnd(text, at);
        const inner = text.slice(at + 1, end - 1);
        // `[1]Sheet!A1` refers to an external workbook by number. Any other name in brackets is a column of the table
        // around the cell.
        const table = /^\d+$/.test(inner) ? undefined : this.#around(place);
        out += table ? print(table, inner, text.slice(at, end)) : text.slice(at, end);
        at = end;
        continue;
      }
      const piece = tokenAt(text, at);
      out += piece;
      at += piece.length;
    }
    return out;
  }

  #around({ sheet, row, col }: FormulaCell): Table | undefined {
    for (const table of this.#byName.values()) {
      const { top, bottom, left, right } = table.rect;
      if (table.sheet === sheet && row >= top && row <= bottom && col >= left && col <= right) return table;
    }
    return undefined;
  }
}

interface ColumnSelection {
  readonly parts: ReadonlySet<string>;
  readonly columns: readonly string[];
}

/** Parses the content of a structured reference: items such as `#Headers`, and a column or a range of columns. */
function parseSelection(inner: string): ColumnSelection {
  const parts = new Set<string>();
  const columns: string[] = [];
  let rest = inner.trim();
  if (rest.startsWith('@')) {
    parts.add('#this row');
    rest = rest.slice(1).trim();
  }
  const items = rest.startsWith('[') ? split(rest) : rest === '' ? [] : [rest];
  for (const item of items) {
    const name = fold(unescape(item.replaceAll(/'(.)/gsu, '$1')));
    if (item.startsWith('#')) parts.add(name);
    else if (item.startsWith('@')) {
      parts.add('#this row');
      columns.push(name.slice(1));
    } else columns.push(name);
  }
  return { parts, columns };
}

function split(text: string): string[] {
  const items: string[] = [];
  for (let i = 0; i < text.length; i++) {
    if (text[i] !== '[') continue;
    const end = bracketEnd(text, i);
    items.push(text.slice(i + 1, end - 1));
    i = end - 1;
  }
  return items;
}

function rangeOf(table: Table, inner: string, place: FormulaCell): string {
  const { parts, columns } = parseSelection(inner);
  const { rect } = table;
  // `#REF!` marks a reference to deleted cells.
  if (parts.has('#ref!')) return noReference;
  const unknown = [...parts].find((part) => !knownParts.has(part));
  if (unknown !== undefined) throw new UnknownTablePart(`uses the part ${unknown} of a table, which is not known`);
  const places = columns.map((name) => columnIndex(table, name));
  const first = rect.left + Math.min(...(places.length > 0 ? places : [0]));
  const last = places.length > 0 ? rect.left + Math.max(...places) : rect.right;
  const prefix =
    table.sheet === place.sheet
      ? ''
      : `${needsQuotes(table.sheet) ? `'${table.sheet.replaceAll("'", "''")}'` : table.sheet}!`;
  if (parts.has('#this row')) {
    if (place.row < rect.top + table.heads || place.row > rect.bottom - table.totals) return '#VALUE!';
    return `${prefix}$${columnName(first)}${place.row + 1}${last > first ? `:$${columnName(last)}${place.row + 1}` : ''}`;
  }
  const all = parts.has('#all');
  const heads = all || parts.has('#headers');
  const totals = all || parts.has('#totals');
  const data = all || parts.has('#data') || (!heads && !totals);
  if (!all && ((heads && table.heads === 0) || (totals && table.totals === 0))) return noReference;
  const top = heads ? rect.top : data ? rect.top + table.heads : rect.bottom - table.totals + 1;
  const bottom = totals ? rect.bottom : data ? rect.bottom - table.totals : rect.top + table.heads - 1;
  if (top > bottom) return noReference;
  const corner = (row: number, col: number): string => `$${columnName(col)}$${row + 1}`;
  return prefix + corner(top, first) + (top === bottom && first === last ? '' : `:${corner(bottom, last)}`);
}

function columnIndex(table: Table, name: string): number {
  const place = table.columns.indexOf(name);
  if (place >= 0) return place;
  // Programs write line breaks in headers differently, so compare the names with all white space as spaces.
  const loose = table.columns.findIndex((column) => withSpaces(column) === withSpaces(name));
  if (loose < 0)
    throw new UnknownTablePart(`names the column [${name.slice(0, 60)}], which the table ${table.name} does not have`);
  return loose;
}

function withSpaces(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

function fold(text: string): string {
  return text.toLowerCase();
}

/** Decodes `_xHHHH_`, the file's escape for line breaks in column headers. */
function unescape(text: string): string {
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
