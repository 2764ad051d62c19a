import type { Allowance } from '../engine/index.ts';

/** Steps a call may take: about two seconds on a slow core. */
const callSteps = 40_000_000;
const callBytes = 256 * 2 ** 20;
/**
 * Steps are the measure, alike on every machine. The clock ends what steps count too low, well before a silent thread is
 * ended, and late enough for a crowded machine on which others have the processor most of the time.
 */
const callMs = 10_000;

/** What a call may use from now on. */
export function callAllowance(large?: Allowance['large']): Allowance {
  const deadline = performance.now() + callMs;
  return {
    steps: callSteps,
    bytes: callBytes,
    large,
    again: () => callAllowance(large),
    broken: () => (performance.now() > deadline ? `the ${callMs} ms allowed` : undefined),
  };
}
