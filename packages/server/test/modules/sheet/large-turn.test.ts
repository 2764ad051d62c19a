/** [finding R7] What calls that calculate beside each other may take of the server's memory, all threads together. */
import { describe, expect, test } from 'vitest';
import { BudgetExceeded, StepBudget, within, WorkbookCore, type Allowance } from '@sheaf/engine';
import { newId } from '../../../src/lib/ids.ts';
import { WorkerDocuments } from '../../../src/modules/sheet/host/worker-documents.ts';
import type { AnswerJson, ToolRequest, WorkerAnswer } from '../../../src/modules/sheet/host/protocol.ts';
import { type CellValue, groupIntoRuns } from '../../../src/modules/sheet/cells/cell-input.ts';
import { tools } from '../../../src/modules/sheet/tools.ts';
import { LargeCallLock, LargeCallLockOwner } from '../../../src/modules/sheet/host/large-call-lock.ts';

function calculate(formula: string, allowance: Allowance): unknown {
  const workbook = new WorkbookCore();
  const sheet = workbook.addSheet('Sheet1');
  try {
    within(new StepBudget(allowance), () => {
      workbook.setFormula(sheet, 0, 0, formula);
      workbook.recalc();
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

  function twoThreads(): { turns: LargeCallLockOwner; first: LargeCallLock; second: LargeCallLock } {
    const turns = new LargeCallLockOwner();
    const [first, second] = [0, 1].map((index) => new LargeCallLock(turns.dataFor(index), 'slow', 5)) as [
      LargeCallLock,
      LargeCallLock,
    ];
    return { turns, first, second };
  }

  test('the second is refused until the first has ended, and small ones go on', () => {
    const { first, second } = twoThreads();
    expect(calculate(large, { large: first.forCall })).toBe(2_000_001_000_000);
    expect(calculate(large, { large: second.forCall })).toMatch(refused);
    expect(calculate('=SUM(SEQUENCE(1000))', { large: second.forCall })).toBe(500_500);
    second.release();
    expect(calculate(large, { large: second.forCall })).toMatch(refused);
    first.release();
    expect(calculate(large, { large: second.forCall })).toBe(2_000_001_000_000);
  });

  test('where others wait too a large one does not wait: it is to be tried in the slow lane, and nothing is changed', () => {
    const turns = new LargeCallLockOwner();
    new LargeCallLock(turns.dataFor(0), 'slow').forCall?.begin();
    const largeTurn = new LargeCallLock(turns.dataFor(1), 'quick');
    const thread = new WorkerDocuments(tools, newId, { largeCallLock: largeTurn, lane: 'quick' });
    thread.handle({ do: 'open', file: 'f', snapshot: undefined, version: 0, revisions: [] });
    const call = (tool: string, input: Record<string, unknown>): ToolRequest => ({
      tool,
      input,
      userId: 'u',
      isOwner: true,
      at: 0,
      seed: 1,
      isAtPage: false,
    });
    const run = (calls: ToolRequest[]) =>
      thread.handle({ do: 'run', file: 'f', committed: 0, calls }) as WorkerAnswer<'run'>;
    const added = run([call('add_sheet', { sheet_name: 'S' })]);
    const sheet = JSON.parse(String((added.answers[0] as { json: AnswerJson }).json)) as { sheet_id: string };
    const set = (cell: Omit<CellValue, 'row' | 'col'>) =>
      call('set_cell_value', { ...sheet, contents: groupIntoRuns([{ row: 0, col: 0, ...cell }], () => '') });
    const small = set({ value_type: 'NUMBER', number_value: 7 });
    const heavy = set({ value_type: 'FORMULA', formula: large });
    const seen = run([small, heavy, small]);
    expect(seen.answers.map(({ kind }) => kind)).toEqual(['write']);
    expect(seen.isTooMuch).toBe(true);
    turns.release(0);
    expect(run([heavy])).toMatchObject({ answers: [{ kind: 'write' }], isTooMuch: false });
  });

  test('replaying what was accepted before goes on in any case', () => {
    const { first, second } = twoThreads();
    calculate(large, { large: first.forCall });
    expect(calculate(large, { large: second.forReplay })).toBe(2_000_001_000_000);
  });

  test('a thread that is lost gives its turn back', () => {
    const { turns, first, second } = twoThreads();
    calculate(large, { large: first.forCall });
    turns.release(1);
    expect(calculate(large, { large: second.forCall })).toMatch(refused);
    turns.release(0);
    expect(calculate(large, { large: second.forCall })).toBe(2_000_001_000_000);
  });
});
