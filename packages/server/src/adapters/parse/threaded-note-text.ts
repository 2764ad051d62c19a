import { FairScheduler } from '../../lib/fair-scheduler.ts';
import { ThreadTerminated, WorkerThread } from '../../lib/worker-thread.ts';
import { TextTooComplex, type NoteText } from '../../ports/note-text.ts';

/** Synchronous versions of NoteText's methods, without the argument `owner`. Their first argument is Markdown text. */
export type TextFunctions = {
  [Name in keyof NoteText]: NoteText[Name] extends (owner: string, ...args: infer Args) => Promise<infer Result>
    ? (...args: Args) => Result
    : never;
};

export interface ThreadedNoteTextOptions {
  /** Path of the worker thread's bundle. The worker handles messages of the form { part: 'text', name, args }. */
  script: string | URL;
  /** Functions that process short texts directly in the main thread. */
  functions: TextFunctions;
}

/**
 * Maximum total length of the texts in a call's arguments for a call that runs in the main thread. A call of this
 * length takes about a millisecond.
 */
const maxInlineLength = 8192;
const timeoutMs = 5000;
const idleMs = 30_000;
const heapMb = 512;

/** Runs operations on long texts in a worker thread, one at a time. The owners (calling users) take turns. */
export class ThreadedNoteText implements NoteText {
  readonly edit = this.#runner('edit');
  readonly setTask = this.#runner('setTask');
  readonly replace = this.#runner('replace');
  readonly relink = this.#runner('relink');
  readonly diff = this.#runner('diff');
  readonly outline = this.#runner('outline');
  readonly scan = this.#runner('scan');
  readonly anchorQuote = this.#runner('anchorQuote');
  readonly locateQuotes = this.#runner('locateQuotes');
  readonly #functions: TextFunctions;
  readonly #thread: WorkerThread;
  readonly #scheduler = new FairScheduler({ slots: 1 });

  constructor({ script, functions }: ThreadedNoteTextOptions) {
    this.#functions = functions;
    const worker = { resourceLimits: { maxOldGenerationSizeMb: heapMb } };
    this.#thread = new WorkerThread({
      name: 'note thread',
      script,
      worker,
      isIsolated: true,
      measuresCpuTime: true,
      idleMs,
    });
  }

  #runner<Name extends keyof NoteText>(name: Name): NoteText[Name] {
    const run = async (owner: string, ...args: unknown[]): Promise<unknown> => {
      if (lengthOf(args) <= maxInlineLength)
        return (this.#functions[name] as (...given: unknown[]) => unknown)(...args);
      return this.#scheduler.run(owner, () => this.#runInThread(name, args));
    };
    return run as NoteText[Name];
  }

  async #runInThread(name: string, args: readonly unknown[]): Promise<unknown> {
    try {
      return await this.#thread.run({ part: 'text', name, args }, { timeoutMs });
    } catch (error) {
      if (error instanceof ThreadTerminated && (error.loss === 'took too long' || error.loss === 'crashed'))
        throw new TextTooComplex('the text takes too long to process', { cause: error });
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }
}

/** Returns the total length of all strings in a value, including those in nested objects and arrays. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, one) => sum + lengthOf(one), 0);
}
