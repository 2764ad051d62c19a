/** [finding R7] What calls that calculate beside each other may take of the server's memory, all threads together. */
import { describe, expect, test } from 'vitest';
import { BudgetExceeded, StepBudget, within, type Allowance } from '../../src/sheet/engine/index.ts';
import { LargeTurn, LargeTurns } from '../../src/sheet/host/large-turn.ts';
import { book } from './engine/support.ts';

function calculate(formula: string, allowance: Allowance): unknown {
  const wb = book();
  const { sheet } = wb.place('A1');
  try {
    within(new StepBudget(allowance), () => {
      wb.workbook.setFormula(sheet, 0, 0, formula);
      wb.workbook.recalc();
    });
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    return error.message;
  }
  return sheet.read(0, 0);
}

const oneMiB = 2 ** 20;
const tooMuch = 'the calculation needs more than the 1048576 bytes of memory allowed';

describe('[finding R7] memory of arrays', () => {
  test.each([
    '=SUM(SEQUENCE(100000))',
    '=SUM(MAP(SEQUENCE(50000),LAMBDA(x,x)))',
    '=SUM(SCAN(0,SEQUENCE(50000),LAMBDA(a,b,a+b)))',
    '=ROWS(VSTACK(SEQUENCE(40000),SEQUENCE(40000)))',
    '=SUM(SEQUENCE(40000)*2)',
    '=SUM(MMULT(SEQUENCE(300,2),SEQUENCE(2,300)))',
  ])('%s counts what its functions make', (formula) => {
    expect(calculate(formula, { bytes: oneMiB })).toBe(tooMuch);
  });

  test('what a LAMBDA made on the way is free again after each call', () => {
    expect(calculate('=SUM(MAP(SEQUENCE(1000),LAMBDA(x,SUM(SEQUENCE(1000)))))', { bytes: oneMiB })).toBe(500_500_000);
  });

  test('a large one asks once, small ones never', () => {
    let asked = 0;
    const allowance = { large: { from: oneMiB, begin: () => void asked++ } };
    calculate('=SUM(SEQUENCE(10000))', allowance);
    expect(asked).toBe(0);
    expect(calculate('=SUM(SEQUENCE(100000))+SUM(SEQUENCE(100000))', allowance)).toBe(10_000_100_000);
    expect(asked).toBe(1);
  });
});

describe('[finding R7] one large call at a time', () => {
  const refused = /^the calculation needs more than the 16777216 bytes of memory allowed while another large one/;
  const large = '=SUM(SEQUENCE(2000,1000))';

  function twoThreads(): { turns: LargeTurns; first: LargeTurn; second: LargeTurn } {
    const turns = new LargeTurns();
    const [first, second] = [0, 1].map((index) => new LargeTurn(turns.dataFor(index), 5)) as [LargeTurn, LargeTurn];
    return { turns, first, second };
  }

  test('the second is refused until the first has ended, and small ones go on', () => {
    const { first, second } = twoThreads();
    expect(calculate(large, { large: first.forCall })).toBe(2_000_001_000_000);
    expect(calculate(large, { large: second.forCall })).toMatch(refused);
    expect(calculate('=SUM(SEQUENCE(1000))', { large: second.forCall })).toBe(500_500);
    second.end();
    expect(calculate(large, { large: second.forCall })).toMatch(refused);
    first.end();
    expect(calculate(large, { large: second.forCall })).toBe(2_000_001_000_000);
  });

  test('replaying what was accepted before goes on in any case', () => {
    const { first, second } = twoThreads();
    calculate(large, { large: first.forCall });
    expect(calculate(large, { large: second.forReplay })).toBe(2_000_001_000_000);
  });

  test('a thread that is lost gives its turn back', () => {
    const { turns, first, second } = twoThreads();
    calculate(large, { large: first.forCall });
    turns.lost(1);
    expect(calculate(large, { large: second.forCall })).toMatch(refused);
    turns.lost(0);
    expect(calculate(large, { large: second.forCall })).toBe(2_000_001_000_000);
  });
});
