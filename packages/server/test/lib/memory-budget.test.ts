import { expect, test } from 'vitest';
import { MemoryBudget } from '../../src/lib/memory-budget.ts';

/** Work that goes on until it is ended. */
function hold(
  budget: MemoryBudget,
  caller: string,
  amount: number,
  order: string[],
  name: string,
): () => Promise<void> {
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => (end = resolve));
  const done = budget.use(caller, amount, () => {
    order.push(name);
    return over;
  });
  return () => {
    end();
    return done;
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('[finding R10] nobody has more than half of a budget, and callers take turns', async () => {
  const budget = new MemoryBudget(100);
  const order: string[] = [];
  const ends = ['a1', 'a2', 'a3'].map((name) => hold(budget, 'a', 30, order, name));
  ends.push(hold(budget, 'b', 30, order, 'b1'), hold(budget, 'c', 40, order, 'c1'));
  await turn();
  expect(order).toEqual(['a1', 'b1', 'c1']);
  await ends[0]!();
  await turn();
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2']);
  await Promise.all([1, 3, 4].map((i) => ends[i]!()));
  await ends[2]!();
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
});

test('what is more than half, or more than all, is lent when its caller has nothing else', async () => {
  const budget = new MemoryBudget(100);
  const order: string[] = [];
  const small = hold(budget, 'a', 10, order, 'small');
  const large = hold(budget, 'a', 500, order, 'large');
  const other = hold(budget, 'b', 10, order, 'other');
  await turn();
  expect(order).toEqual(['small', 'other']);
  await small();
  await other();
  await turn();
  expect(order).toEqual(['small', 'other', 'large']);
  await large();
});

test('what is large is not overtaken for ever', async () => {
  const budget = new MemoryBudget(100);
  const order: string[] = [];
  let running = hold(budget, 'b', 10, order, 'b');
  const large = hold(budget, 'a', 100, order, 'large');
  for (let i = 0; i < 300 && !order.includes('large'); i++) {
    const next = hold(budget, `b${i}`, 10, order, 'b');
    await running();
    running = next;
    // Blocked behind the large one: that has to be first.
    if (order.filter((name) => name === 'b').length < i + 1) break;
  }
  await turn();
  expect(order).toContain('large');
  await large();
  await running();
});
