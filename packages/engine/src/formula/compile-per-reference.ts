import { functionNamed } from '../functions/index.ts';
import type { FunctionDef } from '../functions/define.ts';
import { trimToUsed } from '../base/array-size-limit.ts';
import { isGrid, Matrix, type Grid, type Value } from '../base/values.ts';
import type { Node } from './ast.ts';
import { toOperand, elementAt } from './broadcast.ts';
import { compileCall, argumentKindAt, type Eval } from './compile-call.ts';

/** Functions that create a reference from numbers or texts. From array arguments they create several references. */
const referenceProducers = new Set(['OFFSET', 'INDIRECT']);

/** Functions that return one value per reference when an argument yields several references. */
const referenceConsumers = new Set(
  'SUBTOTAL AGGREGATE SUMIF SUMIFS COUNTIF COUNTIFS AVERAGEIF AVERAGEIFS COUNTBLANK N T'.split(' '),
);

/**
 * Returns the index of the first argument that is a call of OFFSET or INDIRECT, which may evaluate to several
 * references. Returns -1 if there is none, or if the function does not return one value per reference.
 */
export function multiReferenceArgument(name: string, args: readonly Node[]): number {
  return referenceConsumers.has(name)
    ? args.findIndex((arg) => arg.type === 'call' && referenceProducers.has(arg.name))
    : -1;
}

/**
 * Compiles a call such as `SUBTOTAL(9,OFFSET(A1,ROW(1:5),0))`: applies the outer function to each reference that the
 * inner function returns.
 */
export function compilePerReference(
  definition: FunctionDef,
  evals: readonly Eval[],
  at: number,
  maker: Extract<Node, { type: 'call' }>,
  makerEvals: readonly Eval[],
): Eval | undefined {
  const making = functionNamed(maker.name);
  if (!making) return undefined;
  const lifted = makerEvals.map((_, index) => argumentKindAt(making, index) !== 'ref');
  let given: readonly (Value | Grid)[] = [];
  let reference: Value = null;
  const make = compileCall(
    making,
    makerEvals.map((_, index) => () => (given[index] ?? null) as Value),
    true,
  );
  const take = compileCall(
    definition,
    evals.map((one, index) => (index === at ? () => reference : one)),
    true,
  );
  const one: Eval = (ev) => {
    const kept = reference;
    reference = make(ev);
    try {
      return take(ev);
    } finally {
      reference = kept;
    }
  };
  return (ev) => {
    const kept = given;
    const values = makerEvals.map((arg, index) => {
      const value = lifted[index] ? toOperand(ev, arg(ev), true) : arg(ev);
      return lifted[index] && isGrid(value) ? trimToUsed(value) : value;
    });
    const grids = values.filter((value, index) => lifted[index] && isGrid(value)).filter(isGrid);
    try {
      given = values;
      if (grids.length === 0) return one(ev);
      const rows = Math.max(...grids.map((grid) => grid.rows));
      const cols = Math.max(...grids.map((grid) => grid.cols));
      ev.reserve(rows, cols);
      return Matrix.build(rows, cols, (r, c) => {
        given = values.map((value, index) => (lifted[index] && isGrid(value) ? elementAt(value, r, c) : value));
        return ev.element(one(ev));
      });
    } finally {
      given = kept;
    }
  };
}
