import type { Node } from '../formula/ast.ts';
import type { WorkbookHost } from '../formula/workbook-host.ts';
import { power } from '../base/operators.ts';
import type { Pattern } from '../formula/formula-pattern.ts';
import type { RefPart } from '../formula/reference.ts';
import type { Template, Templates } from '../formula/formula-template.ts';
import type { IndexedSheet } from '../store/indexed-sheet.ts';
import { bandRows, blankTag, errorTag, logicalTag, numberTag } from '../store/chunk.ts';
import { maxCols, maxRows } from '../base/grid-size.ts';

/** Consecutive formula cells of one column, from `row` on, that are calculated together. */
export interface FormulaBlock {
  readonly sheet: IndexedSheet;
  readonly host: WorkbookHost;
  readonly templates: Templates;
  readonly col: number;
  row: number;
  count: number;
  /** Template id of each row's formula. The template holds the constants of the formula. */
  ids: Int32Array;
}

/**
 * Function that calculates all rows of a block and writes the results to `out`. It returns false if a row needs more
 * than arithmetic on numbers; the caller then calculates the rows one by one.
 */
export type Kernel = (block: FormulaBlock, out: Float64Array) => boolean;

const kernels = new WeakMap<Pattern, Kernel | null>();

/**
 * Returns a kernel that calculates a block of rows over typed arrays. The formulas of these rows share the pattern,
 * that is, they differ only in position and constants. Returns null if the pattern is too long or not plain arithmetic.
 */
export function kernelOf(pattern: Pattern): Kernel | null {
  let kernel = kernels.get(pattern);
  if (kernel === undefined) {
    const { type } = pattern.ast;
    const arithmetic = type === 'binary' || type === 'unary' || type === 'percent';
    kernel = arithmetic && pattern.weight < 200 ? build(pattern.ast, pattern.templates) : null;
    kernels.set(pattern, kernel);
  }
  return kernel;
}

function build(node: Node, templates: ReadonlyMap<string, Template>): Kernel | null {
  switch (node.type) {
    case 'number':
      return constant(node.value, node.slot, templates);
    case 'ref':
      return node.part.shape === 'cell' && node.part.lastSheet === undefined ? cell(node.part) : null;
    case 'percent': {
      const arg = build(node.arg, templates);
      return arg && map(arg, (value) => value / 100);
    }
    case 'unary': {
      const arg = build(node.arg, templates);
      return arg && node.op === '-' ? map(arg, (value) => 0 - value) : null;
    }
    case 'binary': {
      const left = build(node.left, templates);
      const right = left && build(node.right, templates);
      return left && right && binary(node.op, left, right);
    }
    default:
      return null;
  }
}

/**
 * Builds the kernel that writes a constant for every row of a block. Without `slot`, every row has the constant
 * `value`. Otherwise the constant of a row is at index `slot` in the template of its formula; if `all` holds only one
 * template, the constant is read only once.
 */
function constant(value: number, slot: number | undefined, all: ReadonlyMap<string, Template>): Kernel {
  if (slot === undefined) {
    return (block, out) => {
      out.fill(value, 0, block.count);
      return true;
    };
  }
  return (block, out) => {
    const { ids, templates, count } = block;
    if (all.size === 1) {
      const only = templates.get(ids[0] as number)?.constants[slot];
      if (typeof only !== 'number') return false;
      out.fill(only, 0, count);
      return true;
    }
    let last = 0;
    let number = 0;
    for (let i = 0; i < count; i++) {
      const id = ids[i] as number;
      if (id !== last) {
        const found = templates.get(id)?.constants[slot];
        if (typeof found !== 'number') return false;
        last = id;
        number = found;
      }
      out[i] = number;
    }
    return true;
  };
}

function cell(part: RefPart): Kernel {
  const { top, left, topAbs, leftAbs, sheet } = part;
  return (block, out) => {
    const other =
      sheet === undefined
        ? block.sheet
        : typeof sheet === 'number'
          ? (block.host.sheetById(sheet) as IndexedSheet | undefined)
          : undefined;
    if (!other) return false;
    const { cells } = other;
    const col = leftAbs ? left : left + block.col;
    const { count } = block;
    if (col < 0 || col >= maxCols) return false;
    if (topAbs) {
      const value = cells.read(top, col);
      if (typeof value !== 'number' && value !== null) return false;
      out.fill(value ?? 0, 0, count);
      return true;
    }
    const first = top + block.row;
    if (first < 0 || first + count > maxRows) return false;
    let done = 0;
    while (done < count) {
      const band = cells.bandAt(first + done);
      if (!band) {
        out.fill(0, done, count);
        return true;
      }
      const from = first + done - band.start;
      const length = Math.min(count - done, band.height - from);
      const chunk = band.chunks[col];
      if (!chunk) out.fill(0, done, done + length);
      else {
        const { tags, nums } = chunk;
        const held = Math.min(length, tags.length - from);
        if (held > 0 && holdsNumbers(tags, from, from + held)) out.set(nums.subarray(from, from + held), done);
        else
          for (let i = 0; i < held; i++) {
            const tag = tags[from + i];
            if (tag === numberTag || tag === logicalTag) out[done + i] = nums[from + i] as number;
            else if (tag === blankTag) out[done + i] = 0;
            else return false;
          }
        if (held < length) out.fill(0, done + Math.max(0, held), done + length);
      }
      done += length;
    }
    return true;
  };
}

/**
 * Returns whether all type tags in `[from, to)` are those of numbers or booleans. The native `indexOf` is fast even
 * before the JIT compiler has optimized this code.
 */
function holdsNumbers(tags: Uint8Array, from: number, to: number): boolean {
  for (let tag = blankTag; tag <= errorTag; tag++) {
    if (tag === numberTag || tag === logicalTag) continue;
    const at = tags.indexOf(tag, from);
    if (at >= 0 && at < to) return false;
  }
  return true;
}

function map(arg: Kernel, each: (value: number) => number): Kernel {
  return (block, out) => {
    if (!arg(block, out)) return false;
    for (let i = 0; i < block.count; i++) out[i] = each(out[i] as number);
    return true;
  };
}

const noNumbers = new Float64Array(0);

function binary(op: string, left: Kernel, right: Kernel): Kernel | null {
  let spare = noNumbers;
  const both = (block: FormulaBlock, out: Float64Array): boolean => {
    if (spare === noNumbers) spare = new Float64Array(bandRows);
    return left(block, out) && right(block, spare);
  };
  switch (op) {
    case '+':
      return (block, out) => {
        if (!both(block, out)) return false;
        for (let i = 0; i < block.count; i++) out[i]! += spare[i] as number;
        return true;
      };
    case '-':
      return (block, out) => {
        if (!both(block, out)) return false;
        for (let i = 0; i < block.count; i++) out[i]! -= spare[i] as number;
        return true;
      };
    case '*':
      return (block, out) => {
        if (!both(block, out)) return false;
        for (let i = 0; i < block.count; i++) out[i]! *= spare[i] as number;
        return true;
      };
    case '/':
      return (block, out) => {
        if (!both(block, out)) return false;
        for (let i = 0; i < block.count; i++) {
          const by = spare[i] as number;
          // A zero or infinite divisor is left to the general evaluator: dividing by infinity here would give 0 and
          // hide the overflow.
          if (by === 0 || by - by !== 0) return false;
          out[i]! /= by;
        }
        return true;
      };
    case '^':
      return (block, out) => {
        if (!both(block, out)) return false;
        for (let i = 0; i < block.count; i++) {
          const value = power(out[i] as number, spare[i] as number);
          if (typeof value !== 'number') return false;
          out[i] = value;
        }
        return true;
      };
    default:
      return null;
  }
}
