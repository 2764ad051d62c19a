import { serializeError, type Logger } from './logger.ts';

const logs = new Set<Logger>();

/**
 * Adds a logger for failures of background tasks and returns a function that removes it. In a process or worker thread
 * without a logger, failures are written to stderr.
 */
export function addBackgroundErrorLog(log: Logger): () => void {
  logs.add(log);
  return () => logs.delete(log);
}

/**
 * Runs a task that no caller awaits. A failure is logged with the task's name and not rethrown, because an unhandled
 * rejection would end the process. The promise resolves when the task has ended, even if it failed.
 */
export async function runInBackground(task: string, work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    reportBackgroundError(task, error);
  }
}

/** Repeats a background task at an interval. Skips a run while the previous one is still running. */
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

export function runDelayed(task: string, ms: number, work: () => unknown): NodeJS.Timeout {
  return setTimeout(runInBackground, ms, task, work);
}

export function runInNextTurn(task: string, work: () => unknown): NodeJS.Immediate {
  return setImmediate(runInBackground, task, work);
}

/** Logs a failure of a background task, or writes it to stderr if there is no log. */
export function reportBackgroundError(task: string, error: unknown): void {
  try {
    for (const log of logs) log.error({ task, err: error }, 'a background task failed');
    if (logs.size > 0) return;
    process.stderr.write(`${JSON.stringify({ task, err: serializeError(error), msg: 'a background task failed' })}\n`);
  } catch {
    // Ignore the failure of a logger, for instance on a full disk, because it must not end the process.
  }
}
