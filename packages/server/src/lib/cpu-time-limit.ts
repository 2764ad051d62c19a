import { runDelayed } from './background-tasks.ts';

export interface CpuTimeLimit {
  /** Name of this time limit in log entries, for example "ending a slow parser". */
  name: string;
  limitMs: number;
  /**
   * Returns the CPU time used so far, or undefined if the system does not report it. Without it, elapsed time is
   * limited instead.
   */
  readCpuMs: () => number | undefined;
  onExceeded: () => void;
}

/** Limit of a task's elapsed time, as a multiple of its CPU time limit. A task beyond it is presumably blocked. */
const maxElapsedFactor = 12;
/** Minimum interval in milliseconds between checks of a task's CPU time. */
const minCheckMs = 50;

/**
 * Calls `onExceeded` once a task has used `limitMs` of CPU time, counted from now, or once `maxElapsedFactor` times
 * `limitMs` have elapsed. The limit of elapsed time is higher, because elapsed time grows with the load of the machine.
 * Returns a function that stops the check.
 */
export function limitCpuTime({ name, limitMs, readCpuMs, onExceeded }: CpuTimeLimit): () => void {
  const began = performance.now();
  const before = readCpuMs() ?? 0;
  let timer: NodeJS.Timeout;
  const look = (ms: number): void => {
    timer = runDelayed(name, ms, () => {
      const used = readCpuMs();
      const left = used === undefined ? 0 : limitMs - (used - before);
      if (left > 0 && performance.now() - began < maxElapsedFactor * limitMs) look(Math.max(left, minCheckMs));
      else onExceeded();
    });
  };
  look(limitMs);
  return () => clearTimeout(timer);
}
