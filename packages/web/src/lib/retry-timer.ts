const delaysMs = [1000, 2000, 4000, 8000];

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
    this.#timer = setTimeout(this.runNow, delaysMs[Math.min(this.#failures, delaysMs.length - 1)]);
    this.#failures += 1;
    // The call is optional (`?.`), because tests run without a window.
    globalThis.addEventListener?.('online', this.runNow);
  }

  runNow = (): void => {
    this.cancel();
    this.#run();
  };

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    globalThis.removeEventListener?.('online', this.runNow);
  }

  succeed(): void {
    this.#failures = 0;
  }
}
