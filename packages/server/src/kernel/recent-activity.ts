import type { EventBus } from '../ports/event-bus.ts';
import { changesTopic } from './change-signal.ts';

/**
 * Time in milliseconds without writes on any node after which background pollers query the database less often. It is
 * longer than the minute within which an edited spreadsheet is indexed, so that polling is still frequent then.
 */
const quietAfterMs = 90_000;

/**
 * Tells whether any node wrote data recently, from the events that nodes publish about their writes. While nothing is
 * written, the pollers for background jobs and webhooks query the database less often. They never stop polling, because
 * an event can be lost.
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

  /** Registers a listener that is called at the first write after each quiet period. */
  onResume(listener: () => void): void {
    this.#resumed.add(listener);
  }
}
