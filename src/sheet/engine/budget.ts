import type { Budget } from './functions/call.ts';

/** The calculation was cut off; the workbook is as it was before it began. */
export class BudgetExceeded extends Error {
  readonly limit: number;
  constructor(limit: number) {
    super(`the calculation needs more than the ${limit} steps allowed`);
    this.name = 'BudgetExceeded';
    this.limit = limit;
  }
}

export class StepBudget implements Budget {
  readonly limit: number;
  private left: number;

  constructor(limit = Infinity) {
    this.limit = limit;
    this.left = limit;
  }

  spend(units: number): void {
    this.left -= units;
    if (this.left < 0) throw new BudgetExceeded(this.limit);
  }
}

/** Cells walked in the store count too, whichever function asked for them; outside calculations nothing is counted. */
export class Meter {
  budget: Budget | undefined;

  spend(cells: number): void {
    this.budget?.spend(cells);
  }
}
