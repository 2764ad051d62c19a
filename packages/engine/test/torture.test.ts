import { expect, test } from 'vitest';
import { functionCases, known, scalarCases } from './torture/cases.ts';
import { torture } from './torture/run.ts';

/** A fraction of a call's budget: what ends by it ends sooner, and what it does not reach takes as long. */
const steps = Number(process.env['SHEAF_TORTURE_STEPS'] ?? 100_000);
const bytes = 128 * 2 ** 20;
/** Generous, for a crowded machine: metered work of that size takes some hundredths of a second. */
const patienceMs = 60_000;

test(
  '[finding R7] every function ends by itself or by its budget, whatever its arguments',
  { timeout: 1_800_000 },
  async () => {
    const cases = [...known, ...scalarCases(), ...functionCases()];
    const outcomes = await torture(cases, { steps, bytes, patienceMs });
    if (process.env['SHEAF_TORTURE_FIGURES']) {
      const slowest = cases
        .map((one, index) => ({ ...one, ...outcomes[index]! }))
        .sort((a, b) => b.ms - a.ms)
        .slice(0, 60);
      for (const one of slowest)
        console.log(`${one.ms.toFixed(0).padStart(7)} ms  ${one.ended.padEnd(12)} ${one.formula.slice(0, 150)}`);
      console.log(`${cases.length} cases, ${outcomes.reduce((sum, one) => sum + one.ms, 0).toFixed(0)} ms`);
    }
    const failed = cases.flatMap(({ name, formula }, index) => {
      const { ended } = outcomes[index]!;
      return ended.startsWith('did not end') || ended.startsWith('broke')
        ? [`${name} ${ended}: ${formula.slice(0, 200)}`]
        : [];
    });
    expect(failed).toEqual([]);
  },
);
