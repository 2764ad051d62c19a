import { serializeError, type Logger } from './logger.ts';

const logs = new Set<Logger>();

/**
 * Adds a log for failures of background tasks; returns a function that removes it. Without a log (worker threads) they
 * go to stderr.
 */
export function addBackgroundErrorLog(log: Logger): () => void {
  logs.add(log);
  return () => logs.delete(log);
}

/**
 * Runs a task that no caller awaits. A failure is logged with the task's name and goes no further, because an uncaught
 * exception or rejection would end the process. The promise resolves when the task has ended, even if it failed.
 */
export async function runInBackground(task: string, work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    reportBackgroundError(task, error);
  }
}

/** Repeats a background task at an interval; skips a run while the previous one is still running. */
export function runEvery(task: string, ms: number, work: () => unknown): NodeJS.Timeout {
  let isRunning = false;
  return setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    const done = (): void => {
      isRunning = false;
    };
    runInBackground(task, work).then(done, done);
  }, ms);
}

/** Runs a background task once, after a delay. */
export function runDelayed(task: string, ms: number, work: () => unknown): NodeJS.Timeout {
  return setTimeout(runInBackground, ms, task, work);
}

/** Runs a background task in the next turn of the event loop. */
export function runInNextTurn(task: string, work: () => unknown): NodeJS.Immediate {
  return setImmediate(runInBackground, task, work);
}

/** Logs a failure that arrives as an event rather than an exception. */
export function reportBackgroundError(task: string, error: unknown): void {
  try {
    for (const log of logs) log.error({ task, err: error }, 'a background task failed');
    if (logs.size > 0) return;
    process.stderr.write(`${JSON.stringify({ task, err: serializeError(error), msg: 'a background task failed' })}\n`);
  } catch {
    // A log that fails (on a full disk, for instance) must not end the process.
  }
}
