import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

const everyMs = 1000;
/** After each checkpoint the next write starts the log anew and must sync its head: not worth it for a few writes. */
const enoughWrites = 500;
const longestWaitMs = 10_000;
/**
 * A log longer than this (16 MiB) has to start anew, or it would grow as long as writes keep coming: a checkpoint beside
 * them never reaches its end. So they are held back for a moment, while the last few frames are copied.
 */
const longLog = 4096;
/** Without writes for this long the thread is ended: it holds some ten megabytes. */
const idleMs = 15_000;

/** Plain script text: it must run from a bundle as well as from the sources. */
const script = `
const { parentPort, workerData } = require('node:worker_threads');
const { DatabaseSync } = require(workerData.driver);
const { path, counter, everyMs, enoughWrites, longestWaitMs, longLog, idleMs } = workerData;
const busy = 5, locked = 6, full = 13;
const db = new DatabaseSync(path, { timeout: 1000 });
db.exec('PRAGMA synchronous = FULL');
const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');
// It is started when there is something to do.
let seen = Atomics.load(counter, 0) - 1;
let last = 0;
function copyLog() {
  const writes = Atomics.load(counter, 0);
  try {
    const { log } = checkpoint.get();
    seen = writes;
    last = Date.now();
    return log > longLog && Atomics.load(counter, 0) !== writes;
  } catch (error) {
    // What is busy or full now is tried again at the next turn; the log keeps everything meanwhile.
    if (![busy, locked, full].includes(error.errcode & 255)) parentPort.postMessage({ error });
    return false;
  }
}
const timer = setInterval(() => {
  const fresh = (Atomics.load(counter, 0) - seen) | 0;
  if (fresh === 0 && Date.now() - last > idleMs) parentPort.postMessage({ idleAt: seen });
  if (fresh === 0 || (fresh < enoughWrites && Date.now() - last < longestWaitMs)) return;
  if (copyLog()) parentPort.postMessage({ hold: true });
}, everyMs);
parentPort.on('message', (message) => {
  if (message === 'held') {
    copyLog();
    parentPort.postMessage({ hold: false });
    return;
  }
  clearInterval(timer);
  db.close();
  parentPort.close();
});
`;

type Message = { error: unknown } | { idleAt: number } | { hold: boolean };

/**
 * Moves the write-ahead log into the database file, with full syncs, in a thread of its own. The thread is started when
 * enough was written and ended when nothing more is: the last checkpoint is made when the database is closed.
 */
export class Checkpointer {
  readonly #path: string;
  readonly #onFailure: (error: unknown) => void;
  readonly #counter = new Int32Array(new SharedArrayBuffer(4));
  #writes = 0;
  #timer: NodeJS.Timeout | undefined;
  #worker: Worker | undefined;
  #ended: Promise<void> = Promise.resolve();
  #held: { until: Promise<void>; release: () => void } | undefined;

  constructor(path: string, onFailure: (error: unknown) => void) {
    this.#path = path;
    this.#onFailure = onFailure;
  }

  /** What the next commit has to wait for, if anything. */
  get held(): Promise<void> | undefined {
    return this.#held?.until;
  }

  /** Tells it that so many writes were committed. */
  count(writes: number): void {
    if (writes === 0) return;
    Atomics.add(this.#counter, 0, writes);
    if (this.#worker) return;
    this.#writes += writes;
    if (this.#writes >= enoughWrites) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), longestWaitMs).unref();
  }

  #start(): void {
    this.#forget();
    const driver = createRequire(import.meta.url).resolve('@photostructure/sqlite');
    const worker = new Worker(script, {
      eval: true,
      workerData: { path: this.#path, driver, counter: this.#counter, everyMs, enoughWrites, longestWaitMs, longLog, idleMs },
    });
    worker.on('message', (message: Message) => {
      if ('error' in message) this.#onFailure(message.error);
      else if ('hold' in message) this.#hold(worker, message.hold);
      else if (message.idleAt === Atomics.load(this.#counter, 0)) this.#end();
    });
    worker.on('error', this.#onFailure);
    this.#ended = new Promise((resolve) =>
      worker.once('exit', () => {
        this.#held?.release();
        this.#held = undefined;
        resolve();
      }),
    );
    worker.unref();
    this.#worker = worker;
  }

  #hold(worker: Worker, isWanted: boolean): void {
    this.#held?.release();
    this.#held = undefined;
    if (!isWanted) {
      if (worker === this.#worker) worker.unref();
      return;
    }
    // Otherwise a process that does nothing but wait for it would end.
    worker.ref();
    let release!: () => void;
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#held = { until, release };
    worker.postMessage('held');
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writes = 0;
  }

  #end(): void {
    this.#worker?.postMessage('stop');
    this.#worker = undefined;
  }

  async stop(): Promise<void> {
    this.#forget();
    this.#worker?.ref();
    this.#end();
    await this.#ended;
  }
}
