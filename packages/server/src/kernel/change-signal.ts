import type { Services } from '../context.ts';
import { runDelayed } from '../lib/background-tasks.ts';

/** Topic that tells every node that something was written. Its events say nothing else. */
export const changesTopic = 'changes';

/** Time in milliseconds within which the writes of a node are told once. */
const quietMs = 500;

/** Publishes after writes that there are changes to read, at most twice a second. */
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
