import { Thread } from '../../lib/thread.ts';
import { Turns } from '../../lib/turns.ts';

export interface ReadingLaneOptions<Result> {
  script: string | URL;
  part: 'whole' | 'head';
  threads: number;
  /** How much of a processor's time one text may take. */
  timeoutMs: number;
  /** Reads a text that its thread did not: linear, never throws. */
  rough: (markdown: string) => Result;
}

const idleMs = 30_000;
const heapMb = 512;

/** Threads that read texts, in turns by owner: an owner has one text being read at a time, so nobody fills the lane alone. */
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
      // It took too long or too much memory, there is no thread to be had, or the server stops: the note is kept all the same.
      return rough(markdown);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}
