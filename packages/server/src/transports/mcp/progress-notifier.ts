import type { Progress } from '../../context.ts';
import { runEvery } from '../../lib/background-tasks.ts';

const heartbeatMs = 2_000;
/**
 * Each heartbeat advances the progress by this share of the remaining distance to the next step (the next whole
 * number).
 */
const share = 0.1;

/**
 * Sends the progress of one call as notifications with strictly increasing values. During a long step it sends
 * heartbeats whose values approach the next step, because clients wait as long as they receive notifications.
 */
export class ProgressNotifier {
  readonly #send: (notification: unknown) => void;
  readonly #token: string | number;
  readonly #timer: NodeJS.Timeout;
  #told = 0;
  #step: Progress = { done: 0 };

  constructor(token: string | number, send: (notification: unknown) => void) {
    this.#token = token;
    this.#send = send;
    this.#timer = runEvery('telling that a call is under way', heartbeatMs, () => this.#alive()).unref();
  }

  report(step: Progress): void {
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
