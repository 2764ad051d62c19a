import type { OtherBook, SheetDocument } from '@sheaf/engine/internal/document';
import type { Theme } from './colors.ts';
import type { Keeper } from './kept/keeper.ts';
import type { Persons } from './kept/threads.ts';
import type { Look } from './read-styles.ts';
import type { Texts } from './read-texts.ts';
import type { Tables } from './table-references.ts';

/** A workbook while it is read: what its sheets need of each other and of the file. */
export interface ReadingBook {
  readonly document: SheetDocument;
  readonly looks: readonly Look[];
  readonly texts: Texts;
  readonly theme: Theme;
  readonly date1904: boolean;
  /** Cells whose arrays spill are marked; other array formulas fill what they name. */
  readonly marksDynamic: boolean;
  readonly owner: string;
  readonly newId: (prefix: string) => string;
  readonly maxCells: number;
  /** What could not be taken over, in words for a person. */
  readonly warnings: Set<string>;
  readonly tables: Tables;
  /** Other workbooks in the order in which formulas count them. */
  readonly otherBooks: readonly OtherBook[];
  readonly keeper: Keeper;
  readonly persons: Persons;
  /** Formats that rules of conditional formats set, by number. */
  readonly formats: readonly string[];
  /** In lower case: what could not be defined. */
  readonly lostNames: Set<string>;
  cells: number;
}
