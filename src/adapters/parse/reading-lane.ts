import { Worker } from 'node:worker_threads';
import { inBackground, later, nextTurn } from '../../lib/background.ts';

export interface ReadingLaneOptions<Result> {
  script: string | URL;
  part: 'whole' | 'head';
  threads: number;
  /** How long one text may be read, counted from when its thread runs. */
  timeoutMs: number;
  /** Reads a text that its thread did not: linear, never throws. */
  rough: (markdown: string) => Result;
}

interface Task<Result> {
  id: number;
  owner: string;
  markdown: string;
  resolve: (read: Result) => void;
}

const idleMs = 30_000;
const heapMb = 512;

/** Threads that read texts, in turns by owner: an owner has one text being read at a time, so nobody fills the lane alone. */
export class ReadingLane<Result> {
  readonly #options: ReadingLaneOptions<Result>;
  readonly #threads: ReadingThread<Result>[];
  /** In the order of their turns. */
  readonly #waiting = new Map<string, Task<Result>[]>();
  readonly #busyOwners = new Set<string>();
  #nextId = 1;
  #closed = false;

  constructor(options: ReadingLaneOptions<Result>) {
    this.#options = options;
    this.#threads = Array.from({ length: options.threads }, () => new ReadingThread(options));
  }

  async read(markdown: string, owner: string): Promise<Result> {
    if (this.#closed) return this.#options.rough(markdown);
    return new Promise((resolve) => {
      const tasks = this.#waiting.get(owner) ?? [];
      tasks.push({ id: this.#nextId++, owner, markdown, resolve });
      this.#waiting.set(owner, tasks);
      this.#pump();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const tasks of this.#waiting.values())
      for (const task of tasks) task.resolve(this.#options.rough(task.markdown));
    this.#waiting.clear();
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }

  #pump(): void {
    for (const thread of this.#threads) {
      if (thread.isBusy) continue;
      const task = this.#nextTask();
      if (!task) return;
      this.#busyOwners.add(task.owner);
      thread.read(task, (read) => {
        this.#busyOwners.delete(task.owner);
        task.resolve(read);
        if (!this.#closed) this.#pump();
      });
    }
  }

  #nextTask(): Task<Result> | undefined {
    for (const [owner, tasks] of this.#waiting) {
      if (this.#busyOwners.has(owner)) continue;
      const task = tasks.shift();
      this.#waiting.delete(owner);
      if (tasks.length > 0) this.#waiting.set(owner, tasks);
      return task;
    }
    return undefined;
  }
}

/** One thread: started when first needed, replaced when it dies or overruns, ended when idle. */
class ReadingThread<Result> {
  readonly #options: ReadingLaneOptions<Result>;
  #worker: Worker | undefined;
  #isOnline = false;
  #running: { task: Task<Result>; done: (read: Result) => void } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ReadingLaneOptions<Result>) {
    this.#options = options;
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  read(task: Task<Result>, done: (read: Result) => void): void {
    clearTimeout(this.#timer);
    try {
      this.#worker ??= this.#start();
    } catch {
      // The machine has no thread to give: the note is kept all the same, read as well as that goes without one.
      nextTurn('reading a note without a thread', () => done(this.#options.rough(task.markdown)));
      return;
    }
    this.#running = { task, done };
    this.#worker.ref();
    if (this.#isOnline) this.#watch();
    this.#worker.postMessage({ id: task.id, part: this.#options.part, markdown: task.markdown });
  }

  /** Ends the thread; what it was reading is read line by line. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#worker = undefined;
    this.#isOnline = false;
    const running = this.#running;
    if (running) this.#settle(this.#options.rough(running.task.markdown));
    await worker?.terminate();
  }

  #watch(): void {
    this.#timer = later('ending a slow note thread', this.#options.timeoutMs, () => this.end());
  }

  #start(): Worker {
    const limits = { maxOldGenerationSizeMb: heapMb };
    const worker = new Worker(this.#options.script, {
      resourceLimits: limits,
      env: {},
      argv: [],
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on('online', () => {
      if (this.#worker !== worker) return;
      this.#isOnline = true;
      if (this.#running) this.#watch();
    });
    worker.on('message', ({ id, read }: { id: number; read: Result }) => {
      if (this.#worker === worker && this.#running?.task.id === id) this.#settle(read);
    });
    const lost = (): void => {
      if (this.#worker === worker) inBackground('ending a lost note thread', () => this.end());
    };
    worker.on('error', lost);
    worker.on('exit', lost);
    return worker;
  }

  #settle(read: Result): void {
    const running = this.#running;
    this.#running = undefined;
    clearTimeout(this.#timer);
    this.#worker?.unref();
    if (this.#worker) this.#timer = later('ending the idle note thread', idleMs, () => this.end()).unref();
    running?.done(read);
  }
}
