import type { Services } from '../context.ts';
import { runDelayed } from '../lib/background-tasks.ts';

/** Topic of the events that tell every node that data was written. The events do not say what was written. */
export const changesTopic = 'changes';

/** Delay in milliseconds between a write and its event. All writes during the delay share one event. */
const quietMs = 500;

/** Publishes an event after writes, at most twice a second. Listeners then read the changes from the database. */
export class ChangeSignal {
  readonly #services: Pick<Services, 'events' | 'log'>;
  #isWaiting = false;

  constructor(services: Pick<Services, 'events' | 'log'>) {
    this.#services = services;
  }

  noteWrite(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    runDelayed('telling that something changed', quietMs, () => {
      this.#isWaiting = false;
      return this.#services.events
        .publish(changesTopic, {})
        .catch((error: unknown) => this.#services.log.warn({ err: error }, 'news of changes'));
    }).unref();
  }
}
