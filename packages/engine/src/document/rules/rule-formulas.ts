import { currentBudget } from '../../base/budget.ts';
import { SeededRandom } from '../../base/seeded-random.ts';
import { CellError, cellErrors, Matrix, type Scalar } from '../../base/values.ts';
import { cellResult } from '../../formula/compile.ts';
import { Evaluation } from '../../formula/evaluation-context.ts';
import { FormulaSyntaxError } from '../../formula/token.ts';
import type { Template } from '../../formula/formula-template.ts';
import type { RecalcOptions } from '../../workbook/workbook-core.ts';
import type { SheetDocument } from '../document.ts';
import type { RangeObject } from '../objects/range-objects.ts';
import type { SubSheet } from '../objects/sub-sheet.ts';

/**
 * Evaluates the formulas of conditional formats and validations as if each stood in the cell to which the rule is
 * applied. An instance caches the parsed formulas, so each read of the document must use a new instance.
 */
export class RuleFormulas {
  readonly #document: SheetDocument;
  readonly #sub: SubSheet;
  readonly #evaluation: Evaluation;
  readonly #random: SeededRandom;
  readonly #known = new Map<string, Template | undefined>();

  constructor(document: SheetDocument, sub: SubSheet, options: RecalcOptions) {
    this.#document = document;
    this.#sub = sub;
    this.#random = new SeededRandom(options.seed ?? 0);
    const now = options.now ?? document.clock.now;
    this.#evaluation = new Evaluation(document.workbook, sub.sheet, currentBudget(), now, this.#random.next);
  }

  /** Returns the value of a rule's formula evaluated at a cell; #NAME? if the formula cannot be parsed. */
  at(rule: RangeObject, index: number, row: number, col: number): Scalar {
    return this.reader(rule, index)(row, col);
  }

  /**
   * Returns a function that evaluates the rule's formula at any cell, as `at` does, but looks the formula up only once.
   */
  reader(rule: RangeObject, index: number): (row: number, col: number) => Scalar {
    const template = this.#templateOf(rule, index);
    if (!template) return () => cellErrors.name;
    return (row, col) => {
      const result = this.#run(template, row, col);
      return result instanceof Matrix ? (result.at(0, 0) ?? null) : result;
    };
  }

  matrix(rule: RangeObject, index: number, row: number, col: number): Scalar | Matrix {
    const template = this.#templateOf(rule, index);
    return template ? this.#run(template, row, col) : cellErrors.name;
  }

  #run(template: Template, row: number, col: number): Scalar | Matrix {
    const ev = this.#evaluation;
    ev.begin();
    ev.row = row;
    ev.col = col;
    ev.constants = template.constants;
    this.#random.at(this.#sub.sheet.id, row, col);
    try {
      const result = cellResult(ev, template.pattern.run(ev), true);
      return result instanceof Matrix ? result : (result ?? null);
    } catch (error) {
      if (error instanceof CellError) return error;
      throw error;
    }
  }

  #templateOf({ id, regions, formulas }: RangeObject, index: number): Template | undefined {
    const key = `${id} ${index}`;
    if (this.#known.has(key)) return this.#known.get(key);
    const [top = 0, left = 0] = regions[0] ?? [];
    let made: Template | undefined;
    try {
      made = this.#document.workbook.templates.of(`=${formulas?.[index] ?? ''}`, top, left);
    } catch (error) {
      if (!(error instanceof FormulaSyntaxError)) throw error;
    }
    this.#known.set(key, made);
    return made;
  }
}
