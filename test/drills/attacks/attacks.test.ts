/** Attacks of the outside reading, repeated against the built server at the sizes that were told. Prints what others noticed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heldBodies } from './held-bodies.ts';
import { partLists } from './part-list.ts';
import { startTarget, type Target } from './target.ts';
import { tinyValues } from './tiny-values.ts';
import { watch, type Figures } from './watch.ts';

/** A quiet machine is far below these: shared ones are not, and an attack that works is far above. */
function expectCalm(name: string, figures: Figures): void {
  process.stdout.write(`${name}: ${JSON.stringify(figures)}\n`);
  expect(figures.isAlive).toBe(true);
  expect(figures.peakMb).toBeLessThan(700);
  expect(figures.healthzMs).toBeLessThan(4_000);
  expect(figures.editMs).toBeLessThan(8_000);
  expect(figures.noteMs).toBeLessThan(8_000);
}

describe('attacks at the doors', () => {
  let target: Target;
  beforeAll(async () => {
    target = await startTarget({ heapMb: 512 });
  }, 120_000);
  afterAll(() => target?.stop());

  test('nothing, for comparison', async () => {
    expectCalm('nothing', await watch(target, () => new Promise((resolve) => setTimeout(resolve, 5_000))));
  }, 60_000);

  test('[finding R2] lists of parts', async () => {
    expectCalm('part lists', await watch(target, () => partLists(target)));
  }, 120_000);

  test('[finding R6] bodies without a key, held before their end', async () => {
    let left = -1;
    const figures = await watch(target, async () => {
      left = await heldBodies(target);
    });
    expectCalm('held bodies', figures);
    expect(left).toBe(0);
  }, 120_000);

  test('[finding R9] millions of tiny values, held by calls that wait', async () => {
    let statuses: Record<string, number> = {};
    const figures = await watch(target, async () => {
      statuses = await tinyValues(target, { atOnce: 8 });
    });
    process.stdout.write(`${JSON.stringify(statuses)}\n`);
    expectCalm('tiny values', figures);
    expect(statuses['200']).toBeGreaterThan(0);
  }, 240_000);
});
