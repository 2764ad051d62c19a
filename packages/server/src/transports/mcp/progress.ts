import type { Progress } from '../../context.ts';
import { every } from '../../lib/background.ts';

const aliveMs = 2_000;
/** Of the way to the next step, told as done with every sign of life. */
const share = 0.1;

/**
 * Progress of one call as notifications. What is told always grows. While an operation works on a step it says nothing of it
 * comes a sign of life, a little nearer to the next step each time: clients wait on as long as they hear something.
 */
export class ProgressTeller {
  readonly #send: (notification: unknown) => void;
  readonly #token: string | number;
  readonly #timer: NodeJS.Timeout;
  #told = 0;
  #step: Progress = { done: 0 };

  constructor(token: string | number, send: (notification: unknown) => void) {
    this.#token = token;
    this.#send = send;
    this.#timer = every('telling that a call is under way', aliveMs, () => this.#alive()).unref();
  }

  tell(step: Progress): void {
    this.#step = step;
    if (step.done > this.#told) this.#notify(step.done);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #alive(): void {
    const next = Math.floor(this.#told) + 1;
    this.#notify(this.#told + (next - this.#told) * share);
  }

  #notify(progress: number): void {
    if (progress <= this.#told) return;
    this.#told = progress;
    const { total, message } = this.#step;
    this.#send({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: {
        progressToken: this.#token,
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      },
    });
  }
}
