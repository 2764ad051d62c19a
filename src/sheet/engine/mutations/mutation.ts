import type { SheetDocument } from '../document/document.ts';

/** One change of a document: the number of its kind and plain data. */
export interface Mutation {
  readonly type: number;
  readonly data: unknown;
}

export interface MutationKind<Data> {
  /** Written into logs: never changed, never given again. */
  readonly type: number;
  readonly name: string;
  /** Changes the document, or throws and changes nothing. Returns what undoes it, to be applied in order. */
  readonly apply: (document: SheetDocument, data: Data) => Mutation[];
  readonly of: (data: Data) => Mutation;
}

export function defineMutation<Data>(
  type: number,
  name: string,
  apply: (document: SheetDocument, data: Data) => Mutation[],
): MutationKind<Data> {
  return { type, name, apply, of: (data) => ({ type, data }) };
}
