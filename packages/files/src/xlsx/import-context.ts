import type { OtherBook, SheetDocument } from '@sheaf/engine/internal/document';
import type { Theme } from './colors.ts';
import type { PassthroughReader } from './passthrough/passthrough-reader.ts';
import type { Persons } from './comment-threads.ts';
import type { CellFormat } from './read-styles.ts';
import type { SharedStrings } from './read-shared-strings.ts';
import type { TableReferences } from './table-references.ts';

/** Shared state while a workbook is read. */
export interface ImportContext {
  readonly document: SheetDocument;
  readonly cellFormats: readonly CellFormat[];
  readonly sharedStrings: SharedStrings;
  readonly theme: Theme;
  readonly date1904: boolean;
  /** True if the file marks dynamic arrays; other array formulas then fill their declared range. */
  readonly marksDynamic: boolean;
  readonly owner: string;
  readonly newId: (prefix: string) => string;
  readonly maxCells: number;
  /** What could not be imported, as messages for the user. */
  readonly warnings: Set<string>;
  readonly tables: TableReferences;
  /** External workbooks in the order of their numbers in formulas. */
  readonly externalBooks: readonly OtherBook[];
  readonly passthrough: PassthroughReader;
  readonly persons: Persons;
  /** Differential formats of conditional format rules, by number. */
  readonly formats: readonly string[];
  /** Names that could not be defined, in lower case. */
  readonly undefinedNames: Set<string>;
  cells: number;
}
