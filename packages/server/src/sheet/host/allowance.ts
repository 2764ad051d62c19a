import { type Allowance, BudgetExceeded } from '@sheaf/engine';
import type { Lane } from './protocol.ts';

/** The call was cut off, but not refused: in the slow lane nobody else waits for it. */
export class BelongsInSlowLane extends BudgetExceeded {}

/** Steps a call may take: about two seconds on a slow core. */
export const callSteps = 40_000_000;
/** An array of eight million cells, or a few of a million: one such calculation at a time has to fit beside all the rest. */
const callBytes = 128 * 2 ** 20;
/**
 * Steps are the measure, alike on every machine. The clock ends what steps count too low, well before a silent thread is
 * ended, and late enough for a crowded machine on which others have the processor most of the time.
 */
const callMs = 10_000;
/** In the refuge a call that was taken for quick and is not goes where it may take its time. */
const refugeMs = 500;

/** What the thread has for its calls. */
interface CallMeans {
  readonly large?: Allowance['large'];
  /** Shared with the main thread: the steps that the call under way has taken. */
  readonly gauge?: Int32Array | undefined;
  /** Told now and then how many steps the call has taken. */
  readonly worked?: ((steps: number) => void) | undefined;
}

/** What a call may use from now on. */
export function callAllowance(lane: Lane, given: CallMeans = {}): Allowance {
  const { large, gauge, worked } = given;
  const ms = lane === 'refuge' ? refugeMs : callMs;
  const deadline = performance.now() + ms;
  return {
    steps: callSteps,
    bytes: callBytes,
    large,
    again: () => callAllowance(lane, given),
    broken(stepsLeft) {
      if (gauge) Atomics.store(gauge, 0, callSteps - stepsLeft);
      worked?.(callSteps - stepsLeft);
      if (performance.now() <= deadline) return undefined;
      if (lane === 'refuge') throw new BelongsInSlowLane(`the ${ms} ms allowed`);
      return `the ${ms} ms allowed`;
    },
  };
}
