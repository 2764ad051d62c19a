import { toLogical, toNumber, toText } from '../base/coerce.ts';
import type { BaseKind, FunctionDef } from '../functions/define.ts';
import {
  CellError,
  cellErrors,
  Lambda,
  Matrix,
  type RangeRef,
  RefUnion,
  isGrid,
  isReference,
  type Grid,
  type Scalar,
  type Value,
} from '../base/values.ts';
import { toOperand, elementAt } from './broadcast.ts';
import { trimToUsed } from '../base/array-size-limit.ts';
import type { Evaluation } from './evaluation-context.ts';

export type Eval = (ev: Evaluation) => Value;

export function argumentKindAt(definition: FunctionDef, index: number): BaseKind {
  const fixed = definition.kinds.length - definition.group;
  const at = index < fixed ? index : fixed + ((index - fixed) % definition.group);
  return definition.kinds[at] ?? 'any';
}

function acceptsCount(definition: FunctionDef, count: number): boolean {
  if (count < definition.required || count > definition.most) return false;
  const fixed = definition.kinds.length - definition.group;
  return definition.group < 2 || count <= fixed || (count - fixed) % definition.group === 0;
}

const liftedKinds: ReadonlySet<BaseKind> = new Set(['number', 'text', 'logical', 'scalar', 'any']);

function convert(kind: BaseKind, value: Scalar): Scalar {
  switch (kind) {
    case 'number':
      return toNumber(value);
    case 'text':
      return toText(value);
    case 'logical':
      return toLogical(value);
    default:
      return value;
  }
}

/**
 * Converts an argument that the function receives as a whole, such as a range, instead of element by element. If the
 * value has the wrong kind, returns a CellError, with which the call ends.
 */
function convertUnlifted(kind: BaseKind, value: Value): unknown {
  switch (kind) {
    case 'grid':
    case 'array':
      if (isGrid(value)) return value;
      if (value instanceof CellError) return value;
      if (value instanceof RefUnion) return value.areas.length === 1 ? value.areas[0] : cellErrors.value;
      if (value instanceof Lambda) return cellErrors.calc;
      return new Matrix(1, 1, [value]);
    case 'ref':
      return isReference(value) || value instanceof CellError ? value : cellErrors.value;
    case 'lambda':
      return value instanceof Lambda || value instanceof CellError ? value : cellErrors.value;
    default:
      return value;
  }
}

/**
 * Steps charged to the calculation budget for each element when a function is applied to an array element by element.
 * The cells that the function reads are charged in addition.
 */
const callCost = 4;
/** Texts longer than this many characters are charged to the calculation budget by their length. */
const longText = 256;

type Run = (ev: Evaluation, ...args: unknown[]) => Value;

function finish(ev: Evaluation, value: Value): Value {
  if (typeof value === 'number') return value - value === 0 ? value + 0 : cellErrors.num;
  if (typeof value === 'string') {
    if (value.length > longText) {
      ev.budget.spend(value.length >> 4);
      ev.budget.take(value.length * 2);
    }
    return value;
  }
  return value === undefined ? null : value;
}

/**
 * Compiles a call of a built-in function. The compiled code converts the arguments, propagates errors, and applies the
 * function to arrays element by element, so that the implementations of functions need not do this.
 */
export function compileCall(definition: FunctionDef, args: readonly Eval[], lift: boolean): Eval {
  const count = args.length;
  if (!acceptsCount(definition, count)) return () => cellErrors.value;
  const kinds = args.map((_, index) => argumentKindAt(definition, index));
  const run = definition.run as unknown as Run;
  const { noLift } = definition.options;
  const lifts = kinds.map((kind) => liftedKinds.has(kind));

  const spread = (ev: Evaluation, values: unknown[]): Value => {
    let rows = 1;
    let cols = 1;
    for (let i = 0; i < count; i++) {
      const value = values[i];
      if (!lifts[i] || !isGrid(value)) continue;
      const grid = trimToUsed(value);
      values[i] = grid;
      rows = Math.max(rows, grid.rows);
      cols = Math.max(cols, grid.cols);
    }
    ev.reserve(rows, cols);
    const item: unknown[] = values.slice();
    return Matrix.build(rows, cols, (r, c) => {
      // Charge a fixed cost for each call. The function itself charges any further cost.
      ev.budget.spend(callCost);
      for (let i = 0; i < count; i++) {
        const value = values[i];
        if (!lifts[i] || !isGrid(value)) continue;
        const kind = kinds[i] as BaseKind;
        const converted = convert(kind, elementAt(value as Grid, r, c));
        if (kind !== 'any' && converted instanceof CellError) return converted;
        if (typeof converted === 'string' && converted.length > longText) ev.budget.spend(converted.length >> 4);
        item[i] = converted;
      }
      try {
        return ev.element(finish(ev, run(ev, ...item)));
      } catch (error) {
        if (error instanceof CellError) return error;
        throw error;
      }
    });
  };

  return (ev) => {
    const values: unknown[] = [];
    let arrays = false;
    try {
      for (let i = 0; i < count; i++) {
        const kind = kinds[i] as BaseKind;
        const eval_ = args[i] as Eval;
        if (kind === 'lazy') {
          values[i] = () => eval_(ev);
          continue;
        }
        const value = eval_(ev);
        if (kind === 'value') {
          values[i] = value;
          continue;
        }
        if (!lifts[i]) {
          const given = convertUnlifted(kind, value);
          if (given instanceof CellError) return given;
          values[i] = given;
          continue;
        }
        let single: Scalar | Matrix | RangeRef = toOperand(ev, value, lift);
        if (isGrid(single)) {
          if (!noLift) {
            values[i] = single;
            arrays = true;
            continue;
          }
          single = single.at(0, 0);
        }
        const converted = convert(kind, single);
        if (kind !== 'any' && converted instanceof CellError) return converted;
        if (typeof converted === 'string' && converted.length > longText) ev.budget.spend(converted.length >> 4);
        values[i] = converted;
      }
      if (arrays) return spread(ev, values);
      switch (count) {
        case 0:
          return finish(ev, run(ev));
        case 1:
          return finish(ev, run(ev, values[0]));
        case 2:
          return finish(ev, run(ev, values[0], values[1]));
        case 3:
          return finish(ev, run(ev, values[0], values[1], values[2]));
        default:
          return finish(ev, run(ev, ...values));
      }
    } catch (error) {
      if (error instanceof CellError) return error;
      throw error;
    }
  };
}
