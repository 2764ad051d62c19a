import type { EventBus } from '../ports/event-bus.ts';
import { changesTopic } from './change-signal.ts';

/**
 * Time in milliseconds without writes on any node after which pollers slow down. It is longer than the delay for
 * indexing a spreadsheet's changes.
 */
const quietAfterMs = 90_000;

/**
 * Reports whether data was written recently on any node. Pollers for jobs and changes use it to query the database less
 * often while nothing happens. They still poll slowly, because an event can be lost.
 */
export class RecentActivity {
  #at = performance.now();
  readonly #resumed = new Set<() => void>();
  readonly #quietAfterMs: number;

  constructor(events: Pick<EventBus, 'subscribe' | 'onGap'>, afterMs = quietAfterMs) {
    this.#quietAfterMs = afterMs;
    events.subscribe(changesTopic, () => this.note());
    events.onGap(() => this.note());
  }

  get isQuiet(): boolean {
    return performance.now() - this.#at >= this.#quietAfterMs;
  }

  note(): void {
    const wasQuiet = this.isQuiet;
    this.#at = performance.now();
    if (wasQuiet) for (const listener of this.#resumed) listener();
  }

  /** Calls the listener at the first write after a quiet period. */
  onResume(listener: () => void): void {
    this.#resumed.add(listener);
  }
}
