import { errorOfText } from '../../base/values.ts';
import { IndexedSheet } from '../../store/indexed-sheet.ts';
import type { ExternalSheetSource } from '../../workbook/workbook-core.ts';
import type { SheetDocument } from '../document.ts';
import type { OtherBook } from './passthrough.ts';

/**
 * Sheets of other workbooks, with the cell values cached in the imported file. Formulas read them like other sheets;
 * they never change.
 */
export class ExternalSheets implements ExternalSheetSource {
  readonly #document: SheetDocument;
  #books: readonly OtherBook[] | undefined;
  #sheets = new Map<string, IndexedSheet>();

  constructor(document: SheetDocument) {
    this.#document = document;
  }

  find(key: string): IndexedSheet | undefined {
    return key.startsWith('[') ? this.#made().get(key.toUpperCase()) : undefined;
  }

  list(): Iterable<IndexedSheet> {
    return this.#sheets.values();
  }

  #made(): ReadonlyMap<string, IndexedSheet> {
    const { kept, workbook } = this.#document;
    if (this.#books === kept?.books) return this.#sheets;
    this.#books = kept?.books;
    this.#sheets = new Map();
    for (const book of this.#books ?? [])
      for (const { name, cells } of book.sheets) {
        if (!cells) continue;
        const key = `[${book.name}]${name}`;
        // The ids are negative, so that they differ from the ids of the document's own sub-sheets.
        const sheet = new IndexedSheet(-1 - this.#sheets.size, key, workbook.strings);
        for (const [row, col, value] of cells)
          sheet.cells.write(row, col, typeof value === 'object' ? (errorOfText(value.error) ?? null) : value);
        this.#sheets.set(key.toUpperCase(), sheet);
      }
    return this.#sheets;
  }
}
