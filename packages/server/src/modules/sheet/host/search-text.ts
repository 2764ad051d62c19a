import type { Rect, Scalar } from '@sheaf/engine';
import { shownText, type SheetDocument, type SubSheet } from '@sheaf/engine/internal/document';
import type { TextTable } from '@sheaf/search/passages/split-passages';
import type { SourceText } from '../../../ports/search-source.ts';
import { formatSheetPrefix } from '../calls/address.ts';
import { formatForEditing } from '../cells/user-input.ts';
import { detectTables, readHeadings, type DetectedTable } from '../reading/detect-tables.ts';

/** Number of detected tables above which a sub-sheet is indexed as a single table. */
const maxTables = 40;

/**
 * Returns a document's text for the search index: the names of its sub-sheets, and one line per row with tabs between
 * the cells. Cells appear as displayed; numbers and dates whose display differs from what a user would type also appear
 * as typed. Texts and numbers have a limit of `limit` characters each, so that numbers cannot crowd out texts.
 */
export function extractSearchText(document: SheetDocument, limit: number): SourceText {
  const writer = new SheetTextWriter(limit);
  for (const sub of document.subSheets) {
    writer.startSheet(sub.name);
    const used = document.usedRange(sub);
    if (!used) continue;
    const found = detectTables(document, sub, maxTables);
    const tables = found.length < maxTables ? found : [{ rect: used, header: undefined }];
    for (const table of tables) writer.addTable(document, sub, table);
    if (writer.isFull) break;
  }
  return writer.done();
}

class SheetTextWriter {
  readonly #names: string[] = [];
  readonly #pages: { label: string; offset: number }[] = [];
  readonly #tables: TextTable[] = [];
  readonly #parts: string[] = [];
  #length = 0;
  #textsLeft: number;
  #numbersLeft: number;

  constructor(limit: number) {
    this.#textsLeft = limit;
    this.#numbersLeft = limit;
  }

  get isFull(): boolean {
    return this.#textsLeft <= 0;
  }

  startSheet(name: string): void {
    this.#names.push(name);
    this.#pages.push({ label: name, offset: this.#length });
    this.#line(name);
  }

  addTable(document: SheetDocument, sub: SubSheet, table: DetectedTable): void {
    const { rect, header } = table;
    const body = header === undefined ? rect : { ...rect, top: header + 1 };
    // Add the row of the column headings, and the titles above it, as lines outside of the table.
    if (header !== undefined)
      this.#addRows(document, sub, { ...rect, bottom: header }, (line) => {
        this.#line(line);
      });
    const from = this.#length;
    const rows: number[] = [];
    this.#addRows(document, sub, body, (line, row) => {
      this.#line(line);
      rows.push(row);
    });
    if (rows.length === 0) return;
    const headings = header === undefined ? [] : readHeadings(document, sub, table).map(inOneLine);
    const place = { sheet: formatSheetPrefix(sub), left: rect.left, rows };
    this.#tables.push({ from, to: this.#length, headings, place });
  }

  done(): SourceText {
    return {
      body: this.#parts.join(''),
      headings: this.#names.join('\n'),
      outline: { headings: [], pages: this.#pages, tables: this.#tables },
    };
  }

  #addRows(document: SheetDocument, sub: SubSheet, rect: Rect, add: (line: string, row: number) => void): void {
    let row = -1;
    let cells: string[] = [];
    const flush = (): void => {
      if (cells.length > 0) add(cells.join('\t'), rect.top + row);
      cells = [];
    };
    sub.sheet.eachFilled(rect.top, rect.left, rect.bottom, rect.right, (value, down, right) => {
      if (down !== row) flush();
      row = down;
      const left = typeof value === 'string' ? this.#textsLeft : this.#numbersLeft;
      if (left > 0) {
        const text = cellText(document, sub, value, rect.top + down, rect.left + right).slice(0, left);
        while (cells.length < right) cells.push('');
        cells.push(text);
        if (typeof value === 'string') this.#textsLeft -= text.length + 1;
        else this.#numbersLeft -= text.length + 1;
      }
      return this.#textsLeft > 0 ? undefined : false;
    });
    flush();
  }

  #line(text: string): void {
    this.#parts.push(text, '\n');
    this.#length += text.length + 1;
  }
}

/**
 * Returns a cell's displayed text. If the digits of a displayed number or date differ from what a user would type, the
 * typed form follows in parentheses, so that searches find it.
 */
function cellText(document: SheetDocument, sub: SubSheet, value: Scalar, row: number, col: number): string {
  const pattern = document.hasFormats(sub, col) ? document.numberFormat(sub, row, col) : 'General';
  const text = shownText(value, pattern);
  if (typeof value !== 'number') return inOneLine(text);
  // Most numbers are displayed with all their digits. This case must be fast, because the text of the whole
  // spreadsheet is extracted again after edits.
  if (text === String(value)) return text;
  const shown = inOneLine(text);
  // Round to fifteen digits, the most that a user can have typed. Further digits come from the binary representation.
  const typed = formatForEditing(Number(value.toPrecision(15)), undefined, pattern);
  const plain = shown.replaceAll(/[^\d.%-]/g, '').replace(/\.0+(?=%|$)/, '');
  return plain === typed ? shown : `${shown} (${typed})`;
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
