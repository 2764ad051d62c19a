import type { Translation } from '@sheaf/search/query/translate-query';
import { WorkerThread } from '../../lib/worker-thread.ts';

/** Translates the words of a search query. Used if the query finds too few matches in its own language. */
export interface QueryTranslator {
  translate(question: string): Promise<readonly Translation[]>;
  close(): Promise<void>;
}

export interface DictionaryOptions {
  /** Path of the dictionary file, in the text format of CC-CEDICT (a Chinese-English dictionary), plain or gzip. */
  path: string;
  /** Path of the worker's bundle, dist/workers/dictionary.js. */
  worker: string;
  /** Called when the dictionary cannot be used. Searches then continue without it. */
  onError: (error: unknown) => void;
}

/** Idle time in milliseconds after which the dictionary's thread ends. This frees the dictionary's memory. */
const idleMs = 10 * 60_000;
/** CPU time limit in milliseconds for translating one query. The first query also reads the dictionary file. */
const timeoutMs = 10_000;
/** Heap limit of the thread in MiB. The file's bytes are outside the heap and limited by `maxDictionaryBytes`. */
const maxHeapMiB = 128;
/** Time in milliseconds for which the dictionary is not used after it failed. */
const pauseMs = 60_000;

/** Reads and queries a Chinese-English dictionary file, supplied by the operator, in a separate thread. */
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
