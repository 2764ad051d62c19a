import { toNumber } from '../base/coerce.ts';
import { CellError, cellErrors, Lambda, RefUnion, isGrid, type Grid, type Value } from '../base/values.ts';

/**
 * Visits the numbers in the arguments of SUM and similar functions. Arguments written in the formula are converted;
 * text that is not a number gives #VALUE!. Cells and array elements count only if they are numbers. Stops at the first
 * error and returns it.
 */
export function eachNumber(args: readonly Value[], visit: (value: number) => void): CellError | undefined {
  return visitNumbers(args, numbersIn, visit);
}

/**
 * Visits the numbers in the arguments of AVERAGEA and similar functions. Cells with TRUE count as 1, FALSE and text as
 * 0. Stops at the first error and returns it.
 */
export function eachNumberA(args: readonly Value[], visit: (value: number) => void): CellError | undefined {
  return visitNumbers(args, numbersInA, visit);
}

type VisitGrid = (grid: Grid, visit: (value: number) => void) => CellError | undefined;

function visitNumbers(
  args: readonly Value[],
  visitGrid: VisitGrid,
  visit: (value: number) => void,
): CellError | undefined {
  for (const arg of args) {
    if (arg instanceof Lambda) return cellErrors.calc;
    if (isGrid(arg)) {
      const error = visitGrid(arg, visit);
      if (error) return error;
    } else if (arg instanceof RefUnion) {
      for (const area of arg.areas) {
        const error = visitGrid(area, visit);
        if (error) return error;
      }
    } else {
      const value = toNumber(arg);
      if (value instanceof CellError) return value;
      visit(value);
    }
  }
  return undefined;
}

function numbersIn(grid: Grid, visit: (value: number) => void): CellError | undefined {
  let failed: CellError | undefined;
  grid.eachFilled((value) => {
    if (typeof value === 'number') visit(value);
    else if (value instanceof CellError) {
      failed = value;
      return false;
    }
    return undefined;
  });
  return failed;
}

function numbersInA(grid: Grid, visit: (value: number) => void): CellError | undefined {
  let failed: CellError | undefined;
  grid.eachFilled((value) => {
    if (value instanceof CellError) {
      failed = value;
      return false;
    }
    visit(typeof value === 'number' ? value : value === true ? 1 : 0);
    return undefined;
  });
  return failed;
}

/** Returns the numbers in the arguments as a list, or the first error. */
export function numbersOf(args: readonly Value[]): number[] | CellError {
  const list: number[] = [];
  return eachNumber(args, (value) => list.push(value)) ?? list;
}
