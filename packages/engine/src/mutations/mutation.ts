import type { Rect } from '../base/address.ts';
import type { SheetDocument } from '../document/document.ts';

/** One change of a document: its kind's type number, and plain data. */
export interface Mutation {
  readonly type: number;
  readonly data: unknown;
}

/**
 * What a kind changes. `cells`: content and style of cells; `layout`: positions and sizes of rows, columns and cells;
 * `objects`: objects on a sub-sheet and names; `sheets`: the list of sub-sheets.
 */
export type Scope = 'cells' | 'layout' | 'objects' | 'sheets';

/** One thing that a mutation would change. */
export interface Touch {
  /** If absent, nothing that a sub-sheet's protections cover. */
  readonly sheet?: string;
  /** If absent, no cells, only the sub-sheet as a whole; protections of the whole sub-sheet apply. */
  readonly rect?: Rect;
  /** Touches only ranges that extend across this line: rows or columns inserted next to a range do not touch it. */
  readonly across?: { readonly axis: 'row' | 'col'; readonly at: number };
  /** Cells that are covered, hidden or resized without being changed; only protections consider them. */
  readonly over?: Rect;
  /** The contents of the cells in `rect` are replaced. */
  readonly writesContents?: true;
  /** Key of something that is set as a whole, unique within its sub-sheet: a chart, a name, the row sizes. */
  readonly object?: string;
  /** Formulas may be written to `rect`. */
  readonly writesFormulas?: true;
}

/** Rows or columns that are inserted, deleted (negative count), or moved before `to`. */
export interface LineShift {
  readonly sheet: string;
  readonly axis: 'row' | 'col';
  readonly at: number;
  readonly count: number;
  readonly to?: number;
}

/**
 * Whether a kind allows undoing an earlier change while later changes remain. Mutations are "apart" if they touch no
 * common cell or object.
 */
export interface Beside {
  /** As part of the undone change. `dropped`: it is left out if there are later changes. */
  readonly undone: 'when apart' | 'dropped' | 'never';
  /** As one of the later changes. */
  readonly later: 'when apart' | 'never';
}

interface CommonFacts<Data> {
  /** Stored in logs: never changed, never reused. */
  readonly type: number;
  readonly name: string;
  /** Everything that it would change, given the document before it; protection checks rely on this alone. */
  readonly touches: (data: Data, document: SheetDocument) => readonly Touch[];
  /** True if it would leave the document unchanged. A call that consists only of no-ops creates no revision. */
  readonly isNoOp: (data: Data, document: SheetDocument) => boolean;
  readonly beside: Beside;
  /** The cells to show a user as its location; if absent, the touched cells. */
  readonly place?: (data: Data) => readonly Touch[];
  /** Changes the document; if it throws, nothing has changed. Returns the inverse mutations, to be applied in order. */
  readonly apply: (document: SheetDocument, data: Data) => Mutation[];
}

interface LayoutFacts<Data> {
  readonly scope: 'layout';
  /** How whole rows or columns move; undefined if they stay. */
  readonly shift: (data: Data) => LineShift | undefined;
}

interface OtherFacts {
  readonly scope: Exclude<Scope, 'layout'>;
  readonly shift?: undefined;
}

/**
 * The complete definition of a kind. There are no defaults, so a kind that does not declare what it touches does not
 * compile.
 */
export type MutationFacts<Data> = CommonFacts<Data> & (LayoutFacts<Data> | OtherFacts);

export type MutationKind<Data> = MutationFacts<Data> & { readonly of: (data: Data) => Mutation };

/** `NoInfer` makes `Data` come from the declared type, not from a helper such as `touches` that needs only part of it. */
export function defineMutation<Data>(facts: MutationFacts<NoInfer<Data>>): MutationKind<Data> {
  return { ...facts, of: (data) => ({ type: facts.type, data }) };
}
