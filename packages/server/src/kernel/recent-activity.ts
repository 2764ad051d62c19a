import type { EventBus } from '../ports/event-bus.ts';
import { changesTopic } from './change-signal.ts';

/**
 * Time in milliseconds without a write on any node after which pollers may slow down. It is longer than the time for
 * which a spreadsheet's changes wait to be indexed.
 */
const quietAfterMs = 90_000;

/**
 * Tells whether anything was written lately, on any node. Pollers that find jobs or changes for this node ask it, so
 * that an idle installation sends its database few statements. What a lost event does not tell is found by a slow poll.
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

  /** Calls the listener at the first activity after a quiet time. */
  onResume(listener: () => void): void {
    this.#resumed.add(listener);
  }
}
