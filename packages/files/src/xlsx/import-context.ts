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
  /**
   * Id of the document's style for each cell format of the file, by the format's index. An id is set when a cell uses
   * the format for the first time.
   */
  readonly styleIds: number[];
  readonly sharedStrings: SharedStrings;
  readonly theme: Theme;
  readonly date1904: boolean;
  /**
   * True if the file marks dynamic array formulas, whose results may fill any number of cells. Array formulas without
   * the mark then fill exactly their declared range.
   */
  readonly marksDynamic: boolean;
  readonly owner: string;
  readonly newId: (prefix: string) => string;
  readonly maxCells: number;
  /** Messages to the user about content that could not be imported. */
  readonly warnings: Set<string>;
  readonly tables: TableReferences;
  /** External workbooks in the order of their numbers in formulas. */
  readonly externalBooks: readonly OtherBook[];
  readonly passthrough: PassthroughReader;
  readonly persons: Persons;
  /** XML of the differential formats (`dxf` elements). Conditional formats refer to them by index. */
  readonly formats: readonly string[];
  /** Defined names that could not be imported, in lower case. */
  readonly undefinedNames: Set<string>;
  cells: number;
}
