import type { Translation } from '@sheaf/search/query/translate-query';
import { WorkerThread } from '../../lib/worker-thread.ts';

/** Translates the words of a question that no document answers in its own language. */
export interface QueryTranslator {
  translate(question: string): Promise<readonly Translation[]>;
  close(): Promise<void>;
}

export interface DictionaryOptions {
  /** File in CC-CEDICT's text format, plain or gzip. */
  path: string;
  /** Worker's bundle, dist/workers/dictionary.js. */
  worker: string;
  /** Called when the dictionary cannot be used; searches then go on without it. */
  onError: (error: unknown) => void;
}

/** The thread ends after this time without a question, which frees the dictionary's memory. */
const idleMs = 10 * 60_000;
/** Processor time for one question, including reading the file for the first one. */
const timeoutMs = 10_000;
/** Heap of the thread. The file's bytes lie outside of it and are bounded by `maxDictionaryBytes`. */
const maxHeapMiB = 128;
/** Time for which a dictionary that failed is not asked again. */
const pauseMs = 60_000;

/** A dictionary of the installation's owner, read and searched in a thread of its own. */
export class Dictionary implements QueryTranslator {
  readonly #thread: WorkerThread;
  readonly #onError: (error: unknown) => void;
  #pausedUntil = 0;

  constructor({ path, worker, onError }: DictionaryOptions) {
    this.#onError = onError;
    this.#thread = new WorkerThread({
      name: 'dictionary thread',
      script: worker,
      worker: { workerData: { path }, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB } },
      idleMs,
      measuresCpuTime: true,
    });
  }

  async translate(question: string): Promise<readonly Translation[]> {
    if (Date.now() < this.#pausedUntil) return [];
    try {
      return await this.#thread.run<Translation[]>(question, { timeoutMs });
    } catch (error) {
      this.#pausedUntil = Date.now() + pauseMs;
      this.#onError(error);
      return [];
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
