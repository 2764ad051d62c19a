import type { Rect } from '../base/address.ts';
import type { SheetDocument } from '../document/document.ts';

/** A change of a document: the type number of its kind, and plain data. */
export interface Mutation {
  readonly type: number;
  readonly data: unknown;
}

/**
 * The kind of content that a mutation changes. `cells`: content and style of cells; `layout`: positions and sizes of
 * rows, columns and cells; `objects`: objects on a sub-sheet, and defined names; `sheets`: the list of sub-sheets.
 */
export type Scope = 'cells' | 'layout' | 'objects' | 'sheets';

/** A part of the document that a mutation would change: cells, a sub-sheet or an object. */
export interface Touch {
  /**
   * The affected sub-sheet. If absent, the change belongs to no existing sub-sheet (such as a defined name or a new
   * sub-sheet), and no protection restricts it.
   */
  readonly sheet?: string;
  /**
   * The affected cells. If `rect`, `across` and `over` are all absent, only protections of the whole sub-sheet restrict
   * the change.
   */
  readonly rect?: Rect;
  /**
   * Position at which rows or columns are inserted or to which they are moved. Only ranges that extend across this
   * position are affected; a range next to it is not.
   */
  readonly across?: { readonly axis: 'row' | 'col'; readonly at: number };
  /** Cells that are covered, hidden or resized but not changed. Only protection checks consider them. */
  readonly over?: Rect;
  /** True if the contents of the cells in `rect` are replaced. */
  readonly writesContents?: true;
  /**
   * Key of an object that is set as a whole, such as a chart, a name or the row sizes. It is unique within the
   * sub-sheet.
   */
  readonly object?: string;
  /** True if formulas may be written to `rect`. */
  readonly writesFormulas?: true;
}

/**
 * Rows or columns, beginning at `at`, that are inserted (positive count), deleted (negative count), or moved before
 * `to`.
 */
export interface LineShift {
  readonly sheet: string;
  readonly axis: 'row' | 'col';
  readonly at: number;
  readonly count: number;
  readonly to?: number;
}

/**
 * Rules for undoing a single revision while later revisions stay. Two mutations are "apart" if they change no common
 * cell or object.
 */
export interface Beside {
  /**
   * Whether the undo of a single revision may apply a mutation of this kind: only if it and the later revisions change
   * no common cell or object ("apart"), or never. `dropped` means that the undo leaves out this mutation if there are
   * later revisions.
   */
  readonly undone: 'when apart' | 'dropped' | 'never';
  /**
   * Whether an earlier revision can be undone while a later mutation of this kind stays: never, or only if the two
   * touch no common cell or object.
   */
  readonly later: 'when apart' | 'never';
}

interface CommonFacts<Data> {
  /** Number that identifies the kind of mutation in stored revisions. It must never be changed or reused. */
  readonly type: number;
  readonly name: string;
  /**
   * Returns everything that the mutation would change in the given document. Protection checks rely only on this
   * result.
   */
  readonly touches: (data: Data, document: SheetDocument) => readonly Touch[];
  /**
   * Returns whether the mutation would leave the document unchanged. A request whose mutations are all no-ops creates
   * no revision.
   */
  readonly isNoOp: (data: Data, document: SheetDocument) => boolean;
  readonly beside: Beside;
  /** Returns the cells to show to a user as the mutation's location. If this is absent, the touched cells are shown. */
  readonly place?: (data: Data) => readonly Touch[];
  /**
   * Changes the document. If it throws, the document is unchanged. Returns the inverse mutations, in the order in which
   * they must be applied.
   */
  readonly apply: (document: SheetDocument, data: Data) => Mutation[];
}

interface LayoutFacts<Data> {
  readonly scope: 'layout';
  /** Returns how the mutation inserts, deletes or moves whole rows or columns; undefined if it does not. */
  readonly shift: (data: Data) => LineShift | undefined;
}

interface OtherFacts {
  readonly scope: Exclude<Scope, 'layout'>;
  readonly shift?: undefined;
}

/**
 * The complete definition of a mutation kind. Properties have no defaults, so the compiler rejects a kind that does not
 * declare the cells and objects it changes.
 */
export type MutationFacts<Data> = CommonFacts<Data> & (LayoutFacts<Data> | OtherFacts);

export type MutationKind<Data> = MutationFacts<Data> & { readonly of: (data: Data) => Mutation };

/**
 * Defines a mutation kind. With `NoInfer`, `Data` is inferred from the declared type, not from a helper such as
 * `touches` that needs only part of it.
 */
export function defineMutation<Data>(facts: MutationFacts<NoInfer<Data>>): MutationKind<Data> {
  return { ...facts, of: (data) => ({ type: facts.type, data }) };
}
