import { toLogical } from '../base/coerce.ts';
import { compareScalars } from '../base/compare.ts';
import { CellError, cellErrors, Lambda, RefUnion, isGrid, type Grid, type Scalar, type Value } from '../base/values.ts';
import type { CallContext } from './call-context.ts';
import { define, type Definition } from './define.ts';
import { firstScalarOf, isMultiCell } from './array-arguments.ts';

/**
 * Visits the boolean values of the arguments of AND, OR and XOR. Arguments written in the formula are converted; cells
 * and array elements count only if they are numbers or booleans. Throws #VALUE! if no value counts.
 */
function eachLogical(args: readonly Value[], visit: (flag: boolean) => void): void {
  let seen = 0;
  const take = (flag: boolean): void => {
    seen++;
    visit(flag);
  };
  for (const arg of args) {
    if (arg instanceof Lambda) throw cellErrors.value;
    const areas: readonly Grid[] = isGrid(arg) ? [arg] : arg instanceof RefUnion ? arg.areas : [];
    for (const area of areas) {
      area.eachFilled((value) => {
        if (typeof value === 'boolean') take(value);
        else if (typeof value === 'number') take(value !== 0);
        else if (value instanceof CellError) throw value;
      });
    }
    // An empty text argument is ignored; other text is converted.
    if (areas.length > 0 || arg === '') continue;
    const flag = toLogical(arg as Scalar);
    if (flag instanceof CellError) throw flag;
    take(flag);
  }
  if (seen === 0) throw cellErrors.value;
}

/**
 * Implements IFERROR and IFNA: returns the result of `other` if `counts` accepts `value`, otherwise `value` itself. For
 * an array, this is decided for each element. For a single value, `other` is evaluated only if it is needed.
 */
function withFallback(call: CallContext, value: Value, counts: (item: Scalar) => boolean, other: () => Value): Value {
  if (value instanceof Lambda || value instanceof RefUnion) return value;
  if (!isMultiCell(value)) return counts(firstScalarOf(value)) ? other() : value;
  return call.broadcast([value, other()], (item, alternative) => (counts(item) ? alternative : item));
}

/**
 * Implements IFS from index `at` on: returns the result of the first pair whose condition is true. An array of
 * conditions is evaluated element by element.
 */
function firstTrue(call: CallContext, pairs: readonly (() => Value)[], at: number): Value {
  const condition = pairs[at];
  const result = pairs[at + 1];
  if (condition === undefined || result === undefined) return cellErrors.na;
  const value = condition();
  if (isMultiCell(value)) {
    return call.broadcast([value, result(), firstTrue(call, pairs, at + 2)], (item, yes, no) => {
      const flag = toLogical(item);
      return flag instanceof CellError ? flag : flag ? yes : no;
    });
  }
  const flag = toLogical(firstScalarOf(value));
  if (flag instanceof CellError) return flag;
  return flag ? result() : firstTrue(call, pairs, at + 2);
}

function switchOn(call: CallContext, subject: Value, rest: readonly (() => Value)[], at: number): Value {
  const candidate = rest[at];
  if (candidate === undefined) return cellErrors.na;
  const result = rest[at + 1];
  if (result === undefined) return candidate();
  const value = candidate();
  const matches = (item: Scalar, wanted: Scalar): boolean | CellError => {
    if (item instanceof CellError) return item;
    return wanted instanceof CellError ? wanted : compareScalars(item, wanted) === 0;
  };
  if (isMultiCell(subject) || isMultiCell(value)) {
    return call.broadcast(
      [subject, value, result(), switchOn(call, subject, rest, at + 2)],
      (item, wanted, yes, no) => {
        const same = matches(item, wanted);
        return same instanceof CellError ? same : same ? yes : no;
      },
    );
  }
  const same = matches(firstScalarOf(subject), firstScalarOf(value));
  if (same instanceof CellError) return same;
  return same ? result() : switchOn(call, subject, rest, at + 2);
}

export const logicalFunctions: readonly Definition[] = [
  define('TRUE', '', () => true),
  define('FALSE', '', () => false),
  define('NOT', 'logical', (_call, flag) => !flag),
  define('AND', 'value...', (_call, ...args) => {
    let all = true;
    eachLogical(args, (flag) => {
      all &&= flag;
    });
    return all;
  }),
  define('OR', 'value...', (_call, ...args) => {
    let any = false;
    eachLogical(args, (flag) => {
      any ||= flag;
    });
    return any;
  }),
  define('XOR', 'value...', (_call, ...args) => {
    let odd = false;
    eachLogical(args, (flag) => {
      odd = odd !== flag;
    });
    return odd;
  }),
  define(
    'IFERROR',
    'lazy lazy',
    (call, value, other) => withFallback(call, value(), (item) => item instanceof CellError, other),
    { returnsRef: true },
  ),
  define(
    'IFNA',
    'lazy lazy',
    (call, value, other) => withFallback(call, value(), (item) => item === cellErrors.na, other),
    { returnsRef: true },
  ),
  define('IFS', 'lazy... lazy...', (call, ...pairs) => firstTrue(call, pairs, 0), { returnsRef: true }),
  define(
    'SWITCH',
    'lazy lazy lazy lazy? lazy...',
    (call, subject, ...rest) =>
      switchOn(
        call,
        subject(),
        rest.filter((item) => item !== undefined),
        0,
      ),
    { returnsRef: true },
  ),
];
