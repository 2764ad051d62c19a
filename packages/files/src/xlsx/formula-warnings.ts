import { columnName } from '@sheaf/engine';
import { identifierAt, tokenAt, quoteEnd } from './formula-lexer.ts';

const maxListedCells = 5;

/** Collects cells whose formulas could not be imported unchanged, grouped by reason, for one warning per reason. */
export class FormulaWarnings {
  readonly #cells = new Map<string, string[]>();
  readonly #outcome: string;

  /** `so` describes what happened to the formulas; it is the last part of each warning. */
  constructor(so: string) {
    this.#outcome = so;
  }

  add(why: string, row: number, col: number): void {
    const cells = this.#cells.get(why);
    const cell = `${columnName(col)}${row + 1}`;
    if (cells) cells.push(cell);
    else this.#cells.set(why, [cell]);
  }

  warn(sheet: string, warnings: Set<string>): void {
    for (const [why, cells] of this.#cells) {
      const more = cells.length > maxListedCells ? ` and ${cells.length - maxListedCells} more` : '';
      warnings.add(
        `'${sheet}' ${cells.slice(0, maxListedCells).join(', ')}${more}: the formula ${why}; ${this.#outcome}`,
      );
    }
  }
}

/**
 * Returns the first name in the formula that is in `names` (lower case), or undefined if there is none. Used to find
 * names that could not be imported.
 */
export function findUsedName(formula: string, names: ReadonlySet<string>): string | undefined {
  if (names.size === 0) return undefined;
  for (let at = 0; at < formula.length;) {
    if (formula[at] === '"' || formula[at] === "'") {
      at = quoteEnd(formula, at);
      continue;
    }
    const found = identifierAt(formula, at);
    const next = at + (found ?? tokenAt(formula, at)).length;
    if (found !== undefined && formula[next] !== '(' && formula[next] !== '!' && names.has(found.toLowerCase()))
      return found;
    at = next;
  }
  return undefined;
}
