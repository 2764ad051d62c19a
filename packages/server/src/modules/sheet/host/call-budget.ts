import { type Allowance, BudgetExceeded } from '@sheaf/engine';
import type { Lane } from './protocol.ts';

/**
 * Thrown when a call exceeds a limit that threads for slow documents do not have. The call is then run again in such a
 * thread, where it does not delay fast documents.
 */
export class ExceedsLaneBudget extends BudgetExceeded {}

/** Maximum calculation steps of a call: about two seconds of work on a slow core. */
export const maxCallSteps = 40_000_000;
/** Maximum memory of a call, enough for an array of eight million cells. */
const maxCallBytes = 128 * 2 ** 20;
/**
 * Time limit of a call, shorter than the timeout after which a hung thread is ended. The step limit is the main limit,
 * because it is the same on every machine.
 */
const maxCallMs = 10_000;
/**
 * Time limit of a call in the reserve thread. That thread serves fast documents while their own thread is busy. A call
 * that exceeds the limit is repeated in a thread for slow documents.
 */
const maxReserveMs = 500;

interface CallResources {
  readonly large?: Allowance['large'];
  /**
   * Shared memory in which the thread stores how many calculation steps the current call has taken. The main thread
   * reads it to report progress.
   */
  readonly gauge?: Int32Array | undefined;
  /** Called periodically with the number of calculation steps that the call has taken so far. */
  readonly onSteps?: ((steps: number) => void) | undefined;
}

/** Creates the budget of a call. Its time limit starts now. */
export function createCallBudget(lane: Lane, given: CallResources = {}): Allowance {
  const { large, gauge, onSteps } = given;
  const ms = lane === 'reserve' ? maxReserveMs : maxCallMs;
  const deadline = performance.now() + ms;
  return {
    steps: maxCallSteps,
    bytes: maxCallBytes,
    large,
    again: () => createCallBudget(lane, given),
    broken(stepsLeft) {
      if (gauge) Atomics.store(gauge, 0, maxCallSteps - stepsLeft);
      onSteps?.(maxCallSteps - stepsLeft);
      if (performance.now() <= deadline) return undefined;
      if (lane === 'reserve') throw new ExceedsLaneBudget(`the ${ms} ms allowed`);
      return `the ${ms} ms allowed`;
    },
  };
}
