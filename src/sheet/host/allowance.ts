import type { Allowance } from '../engine/index.ts';

/** Steps a call may take: about two seconds on a slow core. */
const callSteps = 40_000_000;
const callBytes = 256 * 2 ** 20;
/** Twice those two seconds by the clock: other threads may have had the processor. */
const callMs = 4_000;

/** What a call may use from now on. */
export function callAllowance(): Allowance {
  const deadline = performance.now() + callMs;
  return {
    steps: callSteps,
    bytes: callBytes,
    again: callAllowance,
    broken: () => (performance.now() > deadline ? `the ${callMs} ms allowed` : undefined),
  };
}
