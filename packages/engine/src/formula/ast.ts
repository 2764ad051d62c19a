import type { BinaryOperator } from '../base/operators.ts';
import type { CellError } from '../base/values.ts';
import type { RefPart, SheetKey } from './reference.ts';
import type { TablePart } from './table-reference.ts';

export type Node =
  /**
   * If a constant has a `slot`, its value is taken from the list of constants of the formula. Formulas that differ only
   * in such constants share one syntax tree.
   */
  | { readonly type: 'number'; readonly value: number; readonly slot?: number | undefined }
  | { readonly type: 'text'; readonly value: string; readonly slot?: number | undefined }
  | { readonly type: 'logical'; readonly value: boolean }
  | { readonly type: 'error'; readonly value: CellError }
  /** An argument left empty, as in `IF(A1,,2)`. */
  | { readonly type: 'missing' }
  | { readonly type: 'ref'; readonly part: RefPart }
  | { readonly type: 'name'; readonly name: string; readonly sheet: SheetKey | undefined }
  /** An optional parameter of LAMBDA, written `[name]`. */
  | { readonly type: 'optional'; readonly name: string }
  /** A structured reference to a table, such as `T[price]`. */
  | { readonly type: 'table'; readonly part: TablePart }
  | { readonly type: 'array'; readonly rows: readonly (readonly Node[])[] }
  | { readonly type: 'call'; readonly name: string; readonly args: readonly Node[] }
  | { readonly type: 'apply'; readonly target: Node; readonly args: readonly Node[] }
  | { readonly type: 'unary'; readonly op: '+' | '-'; readonly arg: Node }
  | { readonly type: 'percent'; readonly arg: Node }
  | { readonly type: 'single'; readonly arg: Node }
  | { readonly type: 'spilled'; readonly arg: Node }
  | { readonly type: 'binary'; readonly op: BinaryOperator; readonly left: Node; readonly right: Node }
  | { readonly type: 'span'; readonly left: Node; readonly right: Node }
  | { readonly type: 'intersection'; readonly left: Node; readonly right: Node }
  | { readonly type: 'union'; readonly items: readonly Node[] };
