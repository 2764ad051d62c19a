import { WorkerThread } from '../../lib/worker-thread.ts';
import { FairScheduler } from '../../lib/fair-scheduler.ts';

export interface MarkdownThreadPoolOptions<Result> {
  script: string | URL;
  part: 'whole' | 'head';
  threads: number;
  /** CPU time limit per text, in milliseconds. */
  timeoutMs: number;
  /** Parses a text after a thread failed to parse it. Must take linear time and never throw. */
  fallback: (markdown: string) => Result;
}

const idleMs = 30_000;
const heapMb = 512;

/**
 * Parses Markdown texts in threads. Each owner (the user who saves or reads the text) can have only one text parsed at
 * a time, so that no owner occupies all threads.
 */
export class MarkdownThreadPool<Result> {
  readonly #options: MarkdownThreadPoolOptions<Result>;
  readonly #threads: WorkerThread[];
  readonly #scheduler: FairScheduler;

  constructor(options: MarkdownThreadPoolOptions<Result>) {
    const { script, threads } = options;
    const worker = { resourceLimits: { maxOldGenerationSizeMb: heapMb } };
    this.#options = options;
    this.#scheduler = new FairScheduler({ slots: threads, maxPerOwner: 1 });
    this.#threads = Array.from(
      { length: threads },
      () => new WorkerThread({ name: 'note thread', script, worker, isIsolated: true, measuresCpuTime: true, idleMs }),
    );
  }

  parse(markdown: string, owner: string): Promise<Result> {
    return this.#scheduler.run(owner, () => this.#parse(markdown));
  }

  async #parse(markdown: string): Promise<Result> {
    const { part, timeoutMs, fallback } = this.#options;
    try {
      return await this.#threads.find(({ isIdle }) => isIdle)!.run<Result>({ part, markdown }, { timeoutMs });
    } catch {
      // Use the fallback if the text took too much time or memory, no thread could start, or the server stops, because
      // the note must be saved in any case.
      return fallback(markdown);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}
