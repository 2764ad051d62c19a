import type { Rect } from '../base/address.ts';
import type { SheetDocument } from '../document/document.ts';

/** One change of a document: the number of its kind and plain data. */
export interface Mutation {
  readonly type: number;
  readonly data: unknown;
}

/**
 * What a kind changes: what cells hold and look like; where rows, columns and cells are and how they are laid out; what
 * stands on a sub-sheet or has a name; the list of sub-sheets.
 */
export type Scope = 'cells' | 'layout' | 'objects' | 'sheets';

/** One thing a mutation would change. */
export interface Touch {
  /** Absent: nothing that the protections of a sub-sheet guard. */
  readonly sheet?: string;
  /** Absent: no cell, only the sub-sheet as a whole; protections of the whole sub-sheet count. */
  readonly rect?: Rect;
  /** Only what reaches over this line is touched: rows or columns inserted beside a range leave it whole. */
  readonly across?: { readonly axis: 'row' | 'col'; readonly at: number };
  /** Cells that it lies over, hides or resizes without changing them: only protections look at these. */
  readonly over?: Rect;
  /** What the cells of `rect` hold is replaced. */
  readonly writesContents?: true;
  /** What is set as a whole, named as no other thing of its sub-sheet is: a chart, a name, the sizes of rows. */
  readonly object?: string;
  /** Formulas may be put into `rect`. */
  readonly writesFormulas?: true;
}

/** Rows or columns that are inserted, deleted (a negative count), or moved to stand before `to`. */
export interface LineShift {
  readonly sheet: string;
  readonly axis: 'row' | 'col';
  readonly at: number;
  readonly count: number;
  readonly to?: number;
}

/** What a kind may run beside, when a change is undone under later ones. Two are apart when they touch no common cell or object. */
export interface Beside {
  /** As part of what is undone. `dropped`: it is left out when there are later changes. */
  readonly undone: 'when apart' | 'dropped' | 'never';
  /** As one of the later changes. */
  readonly later: 'when apart' | 'never';
}

interface CommonFacts<Data> {
  /** Written into logs: never changed, never given again. */
  readonly type: number;
  readonly name: string;
  /** Everything it would change, on the document as it is before it: protection is decided by this alone. */
  readonly touches: (data: Data, document: SheetDocument) => readonly Touch[];
  /** Whether it would leave the document as it is. A call of nothing else makes no revision. */
  readonly isNoOp: (data: Data, document: SheetDocument) => boolean;
  readonly beside: Beside;
  /** The cells to show people who ask where it worked; those it touches when absent. */
  readonly place?: (data: Data) => readonly Touch[];
  /** Changes the document, or throws and changes nothing. Returns what undoes it, to be applied in order. */
  readonly apply: (document: SheetDocument, data: Data) => Mutation[];
}

interface LayoutFacts<Data> {
  readonly scope: 'layout';
  /** How whole rows or columns change their places; undefined when they stay. */
  readonly shift: (data: Data) => LineShift | undefined;
}

interface OtherFacts {
  readonly scope: Exclude<Scope, 'layout'>;
  readonly shift?: undefined;
}

/** All that is known of a kind. Nothing has a default: a kind that forgets to say what it touches does not compile. */
export type MutationFacts<Data> = CommonFacts<Data> & (LayoutFacts<Data> | OtherFacts);

export type MutationKind<Data> = MutationFacts<Data> & { readonly of: (data: Data) => Mutation };

/** `Data` is what the kind says it is; a helper that asks for less of it, as `touches`, does not make it less. */
export function defineMutation<Data>(facts: MutationFacts<NoInfer<Data>>): MutationKind<Data> {
  return { ...facts, of: (data) => ({ type: facts.type, data }) };
}
