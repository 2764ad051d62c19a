import { Worker } from 'node:worker_threads';
import { inBackground, later } from '../../lib/background.ts';
import type { MarkdownReader, MarkdownView } from '../../ports/markdown-reader.ts';
import { shortageOf, Unavailable } from '../../ports/unavailable.ts';

export interface MarkdownThreadOptions {
  /** The bundled worker that answers { id, markdown } with { id, view }. */
  script: string | URL;
  /** The same reading, for texts so short that asking the thread takes longer. */
  read: (markdown: string) => MarkdownView;
  timeoutMs?: number;
}

interface Task {
  id: number;
  markdown: string;
  resolve: (view: MarkdownView) => void;
  reject: (error: unknown) => void;
}

const shortText = 8 * 1024;
const idleMs = 30_000;
const heapMb = 512;

/** One thread for long texts, started when first needed, replaced when it dies or overruns, ended when idle. */
export class MarkdownThread implements MarkdownReader {
  readonly #options: MarkdownThreadOptions;
  readonly #waiting: Task[] = [];
  #worker: Worker | undefined;
  #running: Task | undefined;
  #timer: NodeJS.Timeout | undefined;
  #nextId = 1;
  #closed = false;

  constructor(options: MarkdownThreadOptions) {
    this.#options = options;
  }

  async read(markdown: string): Promise<MarkdownView> {
    if (markdown.length <= shortText) return this.#options.read(markdown);
    if (this.#closed) return asWritten(markdown);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ id: this.#nextId++, markdown, resolve, reject });
      this.#pump();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const task of this.#waiting.splice(0)) task.resolve(asWritten(task.markdown));
    await this.#end();
  }

  #pump(): void {
    if (this.#running || this.#closed) return;
    const task = this.#waiting.shift();
    clearTimeout(this.#timer);
    if (!task) {
      this.#worker?.unref();
      this.#timer = later('ending the idle note thread', idleMs, () => this.#end()).unref();
      return;
    }
    try {
      this.#worker ??= this.#start();
    } catch (error) {
      task.reject(shortageOf(error));
      return this.#pump();
    }
    this.#running = task;
    this.#worker.ref();
    this.#timer = later('ending a slow note thread', this.#options.timeoutMs ?? 10_000, () => this.#end());
    this.#worker.postMessage({ id: task.id, markdown: task.markdown });
  }

  #start(): Worker {
    const worker = new Worker(this.#options.script, { resourceLimits: { maxOldGenerationSizeMb: heapMb }, env: {}, argv: [], execArgv: [], stdout: true, stderr: true });
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on('message', ({ id, view }: { id: number; view: MarkdownView }) => {
      if (this.#worker !== worker || this.#running?.id !== id) return;
      this.#settle(view);
    });
    const lost = (): void => {
      if (this.#worker === worker) inBackground('ending a lost note thread', () => this.#end());
    };
    worker.on('error', (error) => {
      const shortage = shortageOf(error);
      // It never began: the text is not at fault, and must not be taken for one that no thread can read.
      if (shortage instanceof Unavailable && this.#worker === worker) this.#refuse(shortage);
      lost();
    });
    worker.on('exit', lost);
    return worker;
  }

  #settle(view: MarkdownView): void {
    const task = this.#running;
    this.#running = undefined;
    task?.resolve(view);
    this.#pump();
  }

  #refuse(error: Unavailable): void {
    const task = this.#running;
    this.#running = undefined;
    task?.reject(error);
  }

  /** Ends the thread; what it was reading is given back as written. */
  async #end(): Promise<void> {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#worker = undefined;
    const running = this.#running;
    if (running) this.#settle(asWritten(running.markdown));
    else if (this.#waiting.length > 0) this.#pump();
    await worker?.terminate();
  }
}

function asWritten(markdown: string): MarkdownView {
  return { text: markdown, headings: '', blocks: JSON.stringify([{ type: 'p', children: [{ text: markdown }] }]) };
}
