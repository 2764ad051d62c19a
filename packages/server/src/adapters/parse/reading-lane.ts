import { Thread } from '../../lib/thread.ts';
import { Turns } from '../../lib/turns.ts';

export interface ReadingLaneOptions<Result> {
  script: string | URL;
  part: 'whole' | 'head';
  threads: number;
  /** CPU time limit per text. */
  timeoutMs: number;
  /** Fallback for a text that the thread could not parse: linear time, never throws. */
  rough: (markdown: string) => Result;
}

const idleMs = 30_000;
const heapMb = 512;

/** Threads that parse texts, scheduled fairly: one text per owner at a time, so that no owner occupies all threads. */
export class ReadingLane<Result> {
  readonly #options: ReadingLaneOptions<Result>;
  readonly #threads: Thread[];
  readonly #turns: Turns;

  constructor(options: ReadingLaneOptions<Result>) {
    const { script, threads } = options;
    const worker = { resourceLimits: { maxOldGenerationSizeMb: heapMb } };
    this.#options = options;
    this.#turns = new Turns({ places: threads, share: 1 });
    this.#threads = Array.from(
      { length: threads },
      () => new Thread({ name: 'note thread', script, worker, isIsolated: true, countsProcessorTime: true, idleMs }),
    );
  }

  read(markdown: string, owner: string): Promise<Result> {
    return this.#turns.use(owner, () => this.#read(markdown));
  }

  async #read(markdown: string): Promise<Result> {
    const { part, timeoutMs, rough } = this.#options;
    try {
      return await this.#threads.find(({ isIdle }) => isIdle)!.ask<Result>({ part, markdown }, { timeoutMs });
    } catch {
      // The text took too long or too much memory, no thread could start, or the server stops; the note must be saved
      // anyway.
      return rough(markdown);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}
