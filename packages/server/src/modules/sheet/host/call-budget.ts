import { type Allowance, BudgetExceeded } from '@sheaf/engine';
import type { Lane } from './protocol.ts';

/** The call exceeded the budget of its lane; it is repeated in the slow lane, where it blocks nobody. */
export class ExceedsLaneBudget extends BudgetExceeded {}

/** Maximum calculation steps of a call: about two seconds on a slow core. */
export const maxCallSteps = 40_000_000;
/** Maximum memory of a call: an array of eight million cells, or a few of a million. */
const maxCallBytes = 128 * 2 ** 20;
/**
 * Time limit of a call. Steps are the primary limit because they are the same on every machine; the time limit catches
 * work whose steps are underestimated. It ends before a silent thread is killed, and leaves time on an overloaded
 * machine.
 */
const maxCallMs = 10_000;
/** Time limit in the reserve thread (`reserve`): a call that exceeds it moves to the slow lane. */
const maxReserveMs = 500;

/** The thread's resources for calls. */
interface CallResources {
  readonly large?: Allowance['large'];
  /** Shared with the main thread: the steps of the current call. */
  readonly gauge?: Int32Array | undefined;
  /** Called occasionally with the steps of the call. */
  readonly onSteps?: ((steps: number) => void) | undefined;
}

/** The budget of a call that starts now. */
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
