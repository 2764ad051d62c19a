import { currentBudget } from '../../base/budget.ts';
import type { SheetDocument } from '../document.ts';
import type { Node } from '../../formula/ast.ts';
import { cellResult } from '../../formula/compile.ts';
import { Evaluation } from '../../formula/evaluation-context.ts';
import { parseFormula } from '../../formula/parser.ts';
import { FormulaSyntaxError } from '../../formula/token.ts';
import { SeededRandom } from '../../base/seeded-random.ts';
import { CellError, cellErrors, Matrix, type Scalar } from '../../base/values.ts';
import type { RecalcOptions } from '../../workbook/workbook-core.ts';

/**
 * A calculated field of a pivot table. In its formula, a field name means the sum of that field over the source
 * records that an output cell summarizes.
 */
export interface CalculatedField {
  /** Source fields that the formula uses, in the order of `sums`. */
  readonly fields: readonly number[];
  compute(sums: readonly Scalar[]): Scalar;
}

const wordPattern = /[\p{L}\p{N}_.]/u;

/**
 * Replaces the field names in a formula by placeholders and appends the indexes of these fields to `used`. A name may
 * be written plain, in single quotes or in brackets: `unit price*2`, `'unit price'*2` or `[unit price]*2`. Text in
 * double quotes is left unchanged.
 */
function withPlaceholders(formula: string, names: readonly string[], used: number[]): string {
  const source = formula.startsWith('=') ? formula.slice(1) : formula;
  const longest = names
    .map((name, field) => ({ name: name.toLowerCase(), field }))
    .filter(({ name }) => name !== '')
    .sort((a, b) => b.name.length - a.name.length);
  const lower = source.toLowerCase();
  let out = '';
  for (let i = 0; i < source.length;) {
    if (source[i] === '"') {
      const end = source.indexOf('"', i + 1);
      const stop = end < 0 ? source.length : end + 1;
      out += source.slice(i, stop);
      i = stop;
      continue;
    }
    const quoted = source[i] === "'" || source[i] === '[';
    const from = quoted ? i + 1 : i;
    const close = source[i] === '[' ? ']' : "'";
    const begins = quoted || !wordPattern.test(source[i - 1] ?? ' ');
    const found = begins
      ? longest.find(({ name }) => {
          if (!lower.startsWith(name, from)) return false;
          const next = source[from + name.length] ?? '';
          return quoted ? next === close : !wordPattern.test(next) && next !== '(';
        })
      : undefined;
    if (!found) {
      out += source[i];
      i++;
      continue;
    }
    let place = used.indexOf(found.field);
    if (place < 0) place = used.push(found.field) - 1;
    out += `_f_${place}_`;
    i = from + found.name.length + (quoted ? 1 : 0);
  }
  return out;
}

/**
 * Compiles the formula of a calculated field of a pivot table. `names` are the fields to which it can refer. Throws
 * FormulaSyntaxError if it cannot be parsed.
 */
export function compileCalculated(
  document: SheetDocument,
  formula: string,
  names: readonly string[],
  options: RecalcOptions,
): CalculatedField {
  const { workbook } = document;
  const fields: number[] = [];
  const body = withPlaceholders(formula, names, fields);
  const text = fields.length === 0 ? `=${body}` : `=LET(${fields.map((_, i) => `_f_${i}_,0,`).join('')}${body})`;
  const template = workbook.templates.of(text, 0, 0);
  const [sheet] = workbook.sheets;
  const rest = template.constants.slice(fields.length);
  const random = new SeededRandom(options.seed ?? 0);
  return {
    fields,
    compute: (sums) => {
      const error = sums.find((sum) => sum instanceof CellError);
      if (error !== undefined) return error;
      if (!sheet) return cellErrors.ref;
      const ev = new Evaluation(workbook, sheet, currentBudget(), options.now ?? 0, random.next);
      random.at(0, 0, 0);
      ev.constants = [...sums.map((sum) => (typeof sum === 'number' ? sum : 0)), ...rest];
      try {
        const result = cellResult(ev, template.pattern.run(ev), true);
        return result instanceof Matrix ? (result.at(0, 0) ?? 0) : (result ?? 0);
      } catch (error) {
        if (error instanceof CellError) return error;
        throw error;
      }
    },
  };
}

/** Returns the names in a formula that stand for no pivot field, defined name, or variable of LET or LAMBDA. */
export function unknownNames(document: SheetDocument, formula: string, names: readonly string[]): string[] {
  const body = withPlaceholders(formula, names, []);
  const { ast } = parseFormula(`=${body}`, 0, 0, document.workbook);
  const found = new Set<string>();
  const visit = (node: Node, bound: ReadonlySet<string>): void => {
    if (node.type === 'name') {
      const isKnown =
        /^_f_\d+_$/i.test(node.name) ||
        bound.has(node.name.toUpperCase()) ||
        document.names().some((one) => one.name.toUpperCase() === node.name.toUpperCase());
      if (!isKnown) found.add(node.name);
      return;
    }
    const binds = node.type === 'call' && (node.name === 'LET' || node.name === 'LAMBDA');
    const inside = binds
      ? new Set([...bound, ...node.args.flatMap((arg) => (arg.type === 'name' ? [arg.name.toUpperCase()] : []))])
      : bound;
    for (const child of childrenOf(node)) visit(child, inside);
  };
  visit(ast, new Set());
  return [...found];
}

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node)
    .flat(2)
    .filter((one): one is Node => typeof one === 'object' && one !== null && 'type' in one);
}

/** Compiles the formula of a calculated field. A formula that cannot be parsed evaluates to #NAME?. */
export function compileOrNameError(
  document: SheetDocument,
  formula: string,
  names: readonly string[],
  options: RecalcOptions,
): CalculatedField {
  try {
    return compileCalculated(document, formula, names, options);
  } catch (error) {
    if (!(error instanceof FormulaSyntaxError)) throw error;
    return { fields: [], compute: () => cellErrors.name };
  }
}
