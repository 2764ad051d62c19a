import type { OtherBook, SheetDocument } from '@sheaf/engine/internal/document';
import type { Theme } from './colors.ts';
import type { Keeper } from './kept/keeper.ts';
import type { Persons } from './kept/threads.ts';
import type { Look } from './read-styles.ts';
import type { Texts } from './read-texts.ts';
import type { Tables } from './table-references.ts';

/** Shared state while a workbook is read. */
export interface ReadingBook {
  readonly document: SheetDocument;
  readonly looks: readonly Look[];
  readonly texts: Texts;
  readonly theme: Theme;
  readonly date1904: boolean;
  /** True if the file marks dynamic arrays; other array formulas then fill their declared range. */
  readonly marksDynamic: boolean;
  readonly owner: string;
  readonly newId: (prefix: string) => string;
  readonly maxCells: number;
  /** What could not be imported, as messages for the user. */
  readonly warnings: Set<string>;
  readonly tables: Tables;
  /** External workbooks in the order of their numbers in formulas. */
  readonly otherBooks: readonly OtherBook[];
  readonly keeper: Keeper;
  readonly persons: Persons;
  /** Differential formats of conditional format rules, by number. */
  readonly formats: readonly string[];
  /** Names that could not be defined, in lower case. */
  readonly lostNames: Set<string>;
  cells: number;
}
