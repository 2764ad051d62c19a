import { toldError, type Log } from './log.ts';

const logs = new Set<Log>();

/** Says where failures of background tasks are told, until the answer is called. Without any (worker threads) it is stderr. */
export function tellBackgroundFailures(log: Log): () => void {
  logs.add(log);
  return () => logs.delete(log);
}

/**
 * Runs what nobody waits for. A failure is told with the task's name and the error's stack and ends there: thrown from a
 * timer, or rejected without a listener, it would end the process. The promise resolves when the work has ended, either way.
 */
export async function inBackground(task: string, work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    reportFailure(task, error);
  }
}

/** Repeats a background task. While one run is under way the next does not begin. */
export function every(task: string, ms: number, work: () => unknown): NodeJS.Timeout {
  let isRunning = false;
  return setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    const done = (): void => {
      isRunning = false;
    };
    inBackground(task, work).then(done, done);
  }, ms);
}

/** Runs a background task once, after a while. */
export function later(task: string, ms: number, work: () => unknown): NodeJS.Timeout {
  return setTimeout(inBackground, ms, task, work);
}

/** Runs a background task in the next turn of the event loop. */
export function nextTurn(task: string, work: () => unknown): NodeJS.Immediate {
  return setImmediate(inBackground, task, work);
}

/** For what fails in an event instead of a call. */
export function reportFailure(task: string, error: unknown): void {
  try {
    for (const log of logs) log.error({ task, err: error }, 'a background task failed');
    if (logs.size > 0) return;
    process.stderr.write(`${JSON.stringify({ task, err: toldError(error), msg: 'a background task failed' })}\n`);
  } catch {
    // Nowhere is left to tell it: a log that fails (on a full disk, for instance) must not end the process either.
  }
}
