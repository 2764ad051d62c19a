import { splitLiteral, type SplitLiteral } from '../base/split-literal.ts';
import type { CellError, Grid, Lambda, Reference, Scalar, Value } from '../base/values.ts';
import type { CallContext } from './call-context.ts';

/**
 * JavaScript types of the arguments that the implementation of a spreadsheet function receives, by kind of argument. A
 * function is defined as data with `define`. Its caller (`formula/compile-call.ts`) converts the arguments, propagates
 * errors and applies the function to the elements of arrays; implementations do none of this.
 *
 * One example for each kind of argument:
 *     number   define('ROUND', 'number number', (call, x, digits) => ...)      text "3" and blanks are converted
 *     text     define('LEN', 'text', (call, text) => text.length)
 *     logical  define('NOT', 'logical', (call, flag) => !flag)
 *     scalar   define('T', 'scalar', (call, x) => ...)      number | string | boolean | null; errors propagate
 *     any      define('ISERROR', 'any', (call, x) => isError(x))      like scalar, but receives errors too
 *     grid     define('ROWS', 'grid', (call, grid) => grid.rows)      array or reference; a scalar becomes 1x1
 *     array    define('MMULT', 'array array', ...)      like grid, but always evaluated as an array
 *     value    define('SUM', 'value...', (call, ...args) => ...)      unconverted: see functions/numeric-arguments.ts
 *     ref      define('AREAS', 'ref', (call, ref) => ...)      anything but a reference gives #VALUE!
 *     lambda   define('MAP', 'array lambda', (call, grid, f) => call.callLambda(f, [x]))
 *     lazy     define('IFERROR', 'lazy lazy', (call, a, b) => a())      a function that evaluates the argument
 *
 * Suffixes of a kind:
 *     '?'      optional: `undefined` if omitted; blank (0, "", FALSE, null) if left empty between commas
 *     '...'    repeating, at the end, received as rest arguments; several together repeat as a group:
 *              define('SUMIFS', 'grid grid... any...', (call, sum, ...pairs) => ...)
 *              where pairs[0] is a Grid and pairs[1] a Scalar
 *
 * If the argument for one of the kinds number, text, logical, scalar and any is an array, the function is called once
 * for each element, and the results form an array. If it is a reference to a single cell, the function gets the cell's
 * value. Other kinds are passed as a whole.
 *
 * A numeric result that is not finite becomes #NUM!. A function may return or throw a CellError, with the same effect.
 * Names are given without the prefixes `_xlfn.` and `_xlws.` of XLSX files. IF, LET, LAMBDA and ISOMITTED are not
 * defined this way; the compiler of formulas implements them.
 */
interface Runtime {
  number: number;
  text: string;
  logical: boolean;
  scalar: Exclude<Scalar, CellError>;
  any: Scalar;
  grid: Grid;
  array: Grid;
  value: Value;
  ref: Reference;
  lambda: Lambda;
  lazy: () => Value;
}

export type BaseKind = keyof Runtime;
export type Kind = BaseKind | `${BaseKind}?` | `${BaseKind}...`;

type RuntimeOf<K> = K extends `${infer B extends BaseKind}...`
  ? Runtime[B]
  : K extends `${infer B extends BaseKind}?`
    ? Runtime[B] | undefined
    : K extends BaseKind
      ? Runtime[K]
      : never;

type ArgumentsOf<S extends readonly string[]> = S extends readonly [infer H, ...infer T extends readonly string[]]
  ? H extends `${string}...`
    ? RuntimeOf<S[number] & `${string}...`>[]
    : [RuntimeOf<H>, ...ArgumentsOf<T>]
  : [];

export type Family =
  | 'math'
  | 'engineering'
  | 'date'
  | 'statistical'
  | 'distributions'
  | 'financial'
  | 'database'
  | 'text'
  | 'lookup'
  | 'array'
  | 'logical'
  | 'information'
  | 'lambda';

export interface FunctionOptions {
  /** If true, formulas that use the function are calculated in every recalculation (NOW, RAND, OFFSET, INDIRECT). */
  volatile?: boolean;
  aliases?: readonly string[];
  /** The function may return a reference (INDEX, OFFSET, CHOOSE), which can be an operand of `:`. */
  returnsRef?: boolean;
  /**
   * Indexes of arguments whose cells the function does not read. The function uses only their position, size or
   * formulas.
   */
  unread?: readonly number[];
  /**
   * If true, the function is called only once even if an argument is an array. An array in place of a single value
   * (kinds number, text, logical, scalar, any) is then replaced by its first element.
   */
  noLift?: boolean;
  /**
   * True if the real function would access something outside the workbook. The engine does not implement it: it reports
   * the function as unknown and never evaluates its arguments.
   */
  isClosed?: boolean;
  /** Default value, by index, of an argument that is left empty between commas; blank if absent. */
  whenEmpty?: Readonly<Record<number, Scalar>>;
}

export interface FunctionDef {
  readonly name: string;
  readonly family: Family;
  readonly kinds: readonly BaseKind[];
  readonly required: number;
  /** Maximum number of arguments; Infinity if the last ones repeat. */
  readonly most: number;
  /**
   * Number of argument kinds at the end of `kinds` that repeat as a group, such as 2 for the pairs of condition and
   * value in IFS; 0 if none repeat.
   */
  readonly group: number;
  readonly options: FunctionOptions;
  readonly run: (call: CallContext, ...args: never[]) => Value;
}

/** Definition of a function without its family (a group such as statistics), which `index.ts` adds. */
export type Definition = Omit<FunctionDef, 'family'>;

/** Defines a function. `signature` lists the kinds of its arguments, separated by spaces. */
export function define<S extends string>(
  name: string,
  signature: S & (SplitLiteral<S> extends readonly Kind[] ? unknown : never),
  run: (call: CallContext, ...args: ArgumentsOf<SplitLiteral<S>>) => Value,
  options: FunctionOptions = {},
): Definition {
  const kinds: readonly string[] = splitLiteral<string>(signature);
  const bases: BaseKind[] = [];
  let required = 0;
  let group = 0;
  for (const kind of kinds) {
    bases.push(kind.replace(/\?$|\.\.\.$/, '') as BaseKind);
    if (kind.endsWith('...')) group++;
    else if (group > 0) throw new Error(`${name}: '${kind}' stands after a repeating argument`);
    else if (!kind.endsWith('?')) required++;
  }
  // Repeating arguments must occur at least once, unless optional arguments precede them.
  if (group > 0 && required === kinds.length - group) required = kinds.length;
  return {
    name,
    kinds: bases,
    required,
    most: group > 0 ? Infinity : kinds.length,
    group,
    options,
    run: run as unknown as Definition['run'],
  };
}
