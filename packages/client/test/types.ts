/**
 * Compares the types of the package's client (docs/api/client.d.ts, written from the operations' JSON schemas) with
 * those that the repository reads from the registry. Checked by tsc; the error names an operation that differs.
 */
import type { Client as Packaged } from '../../../docs/api/client.d.ts';
import type { Client as Derived } from '../src/index.ts';

/**
 * Spells out intersections and aliases, so that only what a caller can tell apart is compared. Any number is a number:
 * an enumeration that comes from a table is no more than that in the registry.
 */
type Plain<T> = T extends number
  ? number
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : T extends object
      ? { [Key in keyof T]: Plain<T[Key]> }
      : T;

/** Assignable both ways would overlook an optional field that one of them lacks. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

type InputOf<Call> = Call extends (input: infer Input, ...rest: never[]) => unknown ? Plain<Input> : never;
type OutputOf<Call> = Call extends (...all: never[]) => Promise<infer Output> ? Plain<Output> : never;

type Name<Module, Operation> = `${Module & string}.${Operation & string}`;
type Names<Api> = { [M in keyof Api]: Name<M, keyof Api[M]> }[keyof Api];
type At<Api, M, O> = M extends keyof Api ? (O extends keyof Api[M] ? Api[M][O] : never) : never;

type Different<What extends 'input' | 'output'> = {
  [M in keyof Derived]: {
    [O in keyof Derived[M]]: (
      What extends 'input'
        ? Same<InputOf<Derived[M][O]>, InputOf<At<Packaged, M, O>>>
        : Same<OutputOf<Derived[M][O]>, OutputOf<At<Packaged, M, O>>>
    ) extends true
      ? never
      : Name<M, O>;
  }[keyof Derived[M]];
}[keyof Derived];

type None<Names extends never> = Names;

export type MissingInPackage = None<Exclude<Names<Derived>, Names<Packaged>>>;
export type OnlyInPackage = None<Exclude<Names<Packaged>, Names<Derived>>>;
export type InputsThatDiffer = None<Different<'input'>>;
export type AnswersThatDiffer = None<Different<'output'>>;
