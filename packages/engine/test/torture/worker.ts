import { parentPort, workerData } from 'node:worker_threads';
import { BudgetExceeded, StepBudget, within } from '../../src/base/budget.ts';
import { loadColumn } from '../../src/workbook/bulk-load.ts';
import { CellError } from '../../src/base/values.ts';
import { WorkbookCore } from '../../src/workbook/workbook-core.ts';
import type { Case } from './cases.ts';

/** Computes the cases from `from` on, one after the other, and tells before and after each. */
const { cases, from, steps, bytes } = workerData as {
  cases: readonly Case[];
  from: number;
  steps: number;
  bytes: number;
};

const workbook = new WorkbookCore();
const sheet = workbook.addSheet('Data');
const formulas = workbook.addSheet('Formulas');
const rows = 100_000;
for (let col = 0; col < 10; col++)
  loadColumn(
    workbook,
    sheet,
    0,
    col,
    Float64Array.from({ length: rows }, (_, row) => (row * 7919 + col) % 10_007),
  );
loadColumn(
  workbook,
  sheet,
  0,
  11,
  Array.from({ length: 20_000 }, (_, row) => (row < 100 ? `${'a'.repeat(32_700)}${row}` : `word ${row}`)),
);
loadColumn(
  workbook,
  sheet,
  0,
  12,
  Array.from({ length: 20_000 }, (_, row) => `*a?${row % 1000}b*`),
);
workbook.acceptValues();

for (let index = from; index < cases.length; index++) {
  parentPort!.postMessage({ begun: index });
  const started = performance.now();
  let ended: string;
  try {
    workbook.setFormula(formulas, 0, 0, cases[index]!.formula.replaceAll(/\b([A-Z]+\d*:[A-Z]+\d*|L1)\b/g, 'Data!$1'));
    within(new StepBudget({ steps, bytes }), () => workbook.recalc({ now: 45_000.5 }));
    const value = formulas.read(0, 0);
    ended = value instanceof CellError ? value.text : typeof value;
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    ended = 'budget';
  }
  const ms = performance.now() - started;
  workbook.setValue(formulas, 0, 0, null);
  workbook.recalc();
  parentPort!.postMessage({ done: index, ended, ms });
}
parentPort!.postMessage({ finished: true });
