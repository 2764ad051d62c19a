const delaysMs = [1000, 2000, 4000, 8000];

const waiting = new Set<RetryTimer>();
// Registered when the module is loaded, and so before the query client's listener: queued edits are sent before the
// query client refetches its data. The call is optional (`?.`), because tests run without a window.
globalThis.addEventListener?.('online', () => {
  // A retry may fail and wait again: go through a copy.
  const timers = [...waiting];
  for (const timer of timers) timer.runNow();
});

/**
 * Retries work that failed because the server is unreachable, after increasing delays or when the browser is online
 * again.
 */
export class RetryTimer {
  readonly #run: () => void;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(run: () => void) {
    this.#run = run;
  }

  get isWaiting(): boolean {
    return this.#timer !== undefined;
  }

  /** True from the first failure until `succeed` is called. */
  get hasFailed(): boolean {
    return this.#failures > 0;
  }

  schedule(): void {
    this.cancel();
    this.#timer = setTimeout(
      () => {
        this.cancel();
        this.#run();
      },
      delaysMs[Math.min(this.#failures, delaysMs.length - 1)],
    );
    this.#failures += 1;
    waiting.add(this);
  }

  /** Runs the work at once, without regard to earlier failures. Called when the server can probably be reached again. */
  runNow(): void {
    this.cancel();
    this.#failures = 0;
    this.#run();
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    waiting.delete(this);
  }

  succeed(): void {
    this.#failures = 0;
  }
}
