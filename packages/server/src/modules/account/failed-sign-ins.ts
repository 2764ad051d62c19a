import { runDelayed } from '../../lib/background-tasks.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Clock } from '../../ports/clock.ts';
import { systemStamp, type Stamp } from '../../ports/audit-stamp.ts';

const flushMs = 60_000;

/**
 * Records refused sign-ins in the audit log as counts, in at most one row per minute. With one row per sign-in, anyone
 * could fill the disk.
 */
export class FailedSignInLog {
  readonly #record: (stamp: Stamp, target: string) => Promise<void>;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #counts = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(record: (stamp: Stamp, target: string) => Promise<void>, clock: Clock, log: Logger) {
    this.#record = record;
    this.#clock = clock;
    this.#log = log;
  }

  add(what: 'links' | 'passwords'): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
    this.#timer ??= runDelayed('writing down refused sign-ins', flushMs, () => this.flush()).unref();
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#counts.size === 0) return;
    const target = [...this.#counts].map(([what, count]) => `${count} ${what}`).join(', ');
    this.#counts.clear();
    try {
      await this.#record(systemStamp(this.#clock.now(), 'page.sign_in_refused'), target);
    } catch (error) {
      this.#log.warn({ err: error, target }, 'refused sign-ins could not be recorded');
    }
  }
}
