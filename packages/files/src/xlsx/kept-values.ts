import { columnName } from '@sheaf/engine';
import { wordAt, plainAt, quoteEnd } from './formula-scan.ts';

const shownCells = 5;

/** Collects the cells whose formulas could not be imported unchanged, grouped by reason. */
export class KeptValues {
  readonly #cells = new Map<string, string[]>();
  readonly #so: string;

  /** `so` says what happened to the formulas, for the warning. */
  constructor(so: string) {
    this.#so = so;
  }

  add(why: string, row: number, col: number): void {
    const cells = this.#cells.get(why);
    const cell = `${columnName(col)}${row + 1}`;
    if (cells) cells.push(cell);
    else this.#cells.set(why, [cell]);
  }

  warn(sheet: string, warnings: Set<string>): void {
    for (const [why, cells] of this.#cells) {
      const more = cells.length > shownCells ? ` and ${cells.length - shownCells} more` : '';
      warnings.add(`'${sheet}' ${cells.slice(0, shownCells).join(', ')}${more}: the formula ${why}; ${this.#so}`);
    }
  }
}

/** Returns the first of `names` (in lower case) that a formula uses. */
export function nameUsed(formula: string, names: ReadonlySet<string>): string | undefined {
  if (names.size === 0) return undefined;
  for (let at = 0; at < formula.length;) {
    if (formula[at] === '"' || formula[at] === "'") {
      at = quoteEnd(formula, at);
      continue;
    }
    const found = wordAt(formula, at);
    const next = at + (found ?? plainAt(formula, at)).length;
    if (found !== undefined && formula[next] !== '(' && formula[next] !== '!' && names.has(found.toLowerCase()))
      return found;
    at = next;
  }
  return undefined;
}
