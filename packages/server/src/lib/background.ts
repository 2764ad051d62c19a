import { toldError, type Log } from './log.ts';

const logs = new Set<Log>();

/**
 * Adds a log for failures of background tasks; returns a function that removes it. Without a log (worker threads) they
 * go to stderr.
 */
export function tellBackgroundFailures(log: Log): () => void {
  logs.add(log);
  return () => logs.delete(log);
}

/**
 * Runs a task that no caller awaits. A failure is logged with the task's name and goes no further, because an uncaught
 * exception or rejection would end the process. The promise resolves when the task has ended, even if it failed.
 */
export async function inBackground(task: string, work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    reportFailure(task, error);
  }
}

/** Repeats a background task at an interval; skips a run while the previous one is still running. */
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

/** Runs a background task once, after a delay. */
export function later(task: string, ms: number, work: () => unknown): NodeJS.Timeout {
  return setTimeout(inBackground, ms, task, work);
}

/** Runs a background task in the next turn of the event loop. */
export function nextTurn(task: string, work: () => unknown): NodeJS.Immediate {
  return setImmediate(inBackground, task, work);
}

/** Logs a failure that arrives as an event rather than an exception. */
export function reportFailure(task: string, error: unknown): void {
  try {
    for (const log of logs) log.error({ task, err: error }, 'a background task failed');
    if (logs.size > 0) return;
    process.stderr.write(`${JSON.stringify({ task, err: toldError(error), msg: 'a background task failed' })}\n`);
  } catch {
    // A log that fails (on a full disk, for instance) must not end the process.
  }
}
