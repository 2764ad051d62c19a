import type { OtherBook, SheetDocument } from '@sheaf/engine/internal/document';
import type { Theme } from './colors.ts';
import type { PassthroughReader } from './passthrough/passthrough-reader.ts';
import type { Persons } from './comment-threads.ts';
import type { CellFormat } from './read-styles.ts';
import type { SharedStrings } from './read-shared-strings.ts';
import type { TableReferences } from './table-references.ts';

/** State shared by the readers of all parts while a workbook is imported. */
export interface ImportContext {
  readonly document: SheetDocument;
  readonly cellFormats: readonly CellFormat[];
  /** Ids of the document's styles by index of the cell format, set when a format is first used. */
  readonly styleIds: number[];
  readonly sharedStrings: SharedStrings;
  readonly theme: Theme;
  readonly date1904: boolean;
  /**
   * True if the file marks its dynamic array formulas. Array formulas without the mark then fill exactly their declared
   * range.
   */
  readonly marksDynamic: boolean;
  readonly owner: string;
  readonly newId: (prefix: string) => string;
  readonly maxCells: number;
  /** Messages to the user about content that could not be imported. */
  readonly warnings: Set<string>;
  readonly tables: TableReferences;
  /** External workbooks, in the order in which formulas number them. */
  readonly externalBooks: readonly OtherBook[];
  readonly passthrough: PassthroughReader;
  readonly persons: Persons;
  /** Differential formats as XML, by the index to which conditional formats refer. */
  readonly formats: readonly string[];
  /** Defined names that could not be imported, in lower case. */
  readonly undefinedNames: Set<string>;
  cells: number;
}
