import type { SheetDocument, SubSheet } from '@sheaf/engine/internal/document';
import {
  evaluateFormula,
  BudgetExceeded,
  CellError,
  cellErrors,
  FormulaSyntaxError,
  functionNamed,
  readInput,
  StepBudget,
  within,
  type Scalar,
} from '@sheaf/engine';
import { parseFormulaParts, type FormulaPart } from './formula-parts.ts';
import { shorten } from './shorten.ts';

/** Maximum calculation steps for finding the cause of one error. */
const maxSteps = 50_000;
const maxBytes = 2 ** 22;
const longestFormula = 1000;
const longestPart = 40;
const longestValue = 24;
const maxArguments = 4;
const lookups = new Set(['VLOOKUP', 'HLOOKUP', 'XLOOKUP', 'LOOKUP', 'MATCH', 'XMATCH']);

type Evaluated = Scalar | readonly Scalar[];

/**
 * Describes the smallest part of a formula that by itself gives the same error, with the argument or operand that
 * causes the error. Returns undefined if there is no such part, if the formula is too long, or if the search takes too
 * many steps.
 */
export function findErrorCause(
  document: SheetDocument,
  sub: SubSheet,
  formula: string,
  cellError: CellError,
): string | undefined {
  if (formula.length > longestFormula) return undefined;
  try {
    return within(new StepBudget({ steps: maxSteps, bytes: maxBytes }), () => {
      const search = new CauseSearch(document, sub, cellError);
      return search.find(parseFormulaParts(formula.replace(/^=/, '')));
    });
  } catch (error) {
    if (error instanceof BudgetExceeded) return undefined;
    throw error;
  }
}

class CauseSearch {
  readonly #document: SheetDocument;
  readonly #sub: SubSheet;
  readonly #error: CellError;

  constructor(document: SheetDocument, sub: SubSheet, error: CellError) {
    this.#document = document;
    this.#sub = sub;
    this.#error = error;
  }

  /**
   * Describes the cause of the error within a part of the formula. Returns undefined if the part does not give the
   * error.
   */
  find(part: FormulaPart): string | undefined {
    const name = part.kind === 'call' ? part.name : '';
    if (name !== '' && functionNamed(name)?.options.isClosed)
      return `${name} reaches outside of the document, which formulas may not`;
    // Parts inside LET and LAMBDA cannot be evaluated alone, because the names that LET and LAMBDA define have no value
    // outside of them.
    if (name === 'LET' || name === 'LAMBDA' || this.#valueOf(part) !== this.#error) return undefined;
    for (const child of this.#taken(part)) {
      const found = this.find(child);
      if (found !== undefined) return found;
    }
    return part.kind === 'call' ? this.#describeCall(part) : this.#describeOperands(part);
  }

  /**
   * Returns those operands or arguments of a formula part that its evaluation uses: for IF, the condition and the
   * selected branch; otherwise all.
   */
  #taken(part: FormulaPart): readonly FormulaPart[] {
    if (part.kind !== 'call' || part.name !== 'IF') return part.parts;
    const [condition, then, otherwise] = part.parts;
    if (!condition) return [];
    const holds = this.#valueOf(condition);
    const branch = holds === true || (typeof holds === 'number' && holds !== 0) ? then : otherwise;
    return branch ? [condition, branch] : [condition];
  }

  #describeCall({ name, text, parts }: FormulaPart): string | undefined {
    const kinds = functionNamed(name)?.kinds ?? [];
    const given = parts.map((one, index) => ({
      number: index + 1,
      text: one.text,
      value: this.#valueOf(one),
      kind: kinds[index] ?? kinds.at(-1),
    }));
    const [first] = given;
    if (this.#error === cellErrors.na && lookups.has(name) && first && !Array.isArray(first.value))
      return `${name} finds no ${show(first.value)}${parts[1] ? ` in ${shorten(parts[1].text, longestPart)}` : ''}`;
    const unfit = given.filter(({ value, kind }) => kind === 'number' && isUnfitText(value));
    const chosen = this.#error === cellErrors.value && unfit.length > 0 ? unfit : given;
    if (chosen.length === 0) return undefined;
    const list = chosen
      .slice(0, maxArguments)
      .map((one) => `argument ${one.number}${describePart(one.text, one.value)}`);
    const rule = chosen === unfit ? ', not a number' : '';
    return `in ${shorten(text, longestPart)}: ${list.join(', ')}${rule}`;
  }

  #describeOperands({ parts, operators }: FormulaPart): string | undefined {
    if (parts.length === 0) return undefined;
    const given = parts.map((one, index) => ({
      text: one.text,
      value: this.#valueOf(one),
      operator: operators[index - 1],
    }));
    const found =
      this.#error === cellErrors.div0
        ? given.filter(({ operator, value }) => operator === '/' && (value === 0 || value === null))
        : this.#error === cellErrors.value
          ? given.filter(({ value }) => isUnfitText(value))
          : given.filter(({ value }) => typeof value === 'number');
    const list = found.slice(0, maxArguments).map(({ text, value }) => describePart(text, value).trim());
    if (list.length === 0) return undefined;
    if (this.#error === cellErrors.div0) return describeDivisor(found[0]!);
    return `${list.join(', ')}${this.#error === cellErrors.value ? ', not a number' : ''}`;
  }

  #valueOf({ text }: FormulaPart): Evaluated {
    if (text === '') return null;
    try {
      return evaluateFormula(this.#document.workbook, this.#sub.sheet, text);
    } catch (error) {
      if (error instanceof FormulaSyntaxError) return null;
      throw error;
    }
  }
}

function describeDivisor({ text, value }: { readonly text: string; readonly value: Evaluated }): string {
  const shown = show(value);
  return `divides by ${text === shown ? shown : `${shorten(text, longestPart)}, which is ${shown}`}`;
}

function isUnfitText(value: Evaluated): boolean {
  if (typeof value !== 'string') return false;
  const read = readInput(value);
  return !('value' in read && typeof read.value === 'number');
}

/** Returns a text such as ` B2 is -4` for a reference or expression, and ` is -4` for a constant. */
function describePart(text: string, value: Evaluated): string {
  const shown = show(value);
  const written = shorten(text, longestPart);
  return written === shown ? ` is ${shown}` : ` ${written} is ${shown}`;
}

function show(value: Evaluated): string {
  if (Array.isArray(value)) return `${(value as readonly Scalar[]).length} values`;
  if (value === null) return 'blank';
  if (value instanceof CellError) return value.text;
  if (typeof value === 'string') return JSON.stringify(shorten(value, longestValue));
  return typeof value === 'boolean' ? (value ? 'TRUE' : 'FALSE') : String(value as number);
}
