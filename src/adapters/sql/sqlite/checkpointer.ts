import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { later, reportFailure } from '../../../lib/background.ts';
import { shortageOf } from '../../../ports/unavailable.ts';

const everyMs = 1000;
/** After each checkpoint the next write starts the log anew and must sync its head: not worth it for a few writes. */
const enoughWrites = 500;
const maxWaitMs = 10_000;
/** How long after a thread that could not start, or died, the next one is tried. */
const againMs = 5_000;
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
// Busy, locked, out of memory, disk full, no descriptor to open a file with;
// and the index of the log could not be opened, grown or mapped.
const passing = new Set([5, 6, 7, 13, 14]);
const passingExtended = new Set([4618, 4874, 5386]);
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
    if (!passing.has(error.errcode & 255) && !passingExtended.has(error.errcode)) parentPort.postMessage({ error });
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
 * enough was written and ended when nothing more is: the last checkpoint is made when the database is closed. Only what the
 * thread itself says of a checkpoint is a failed sync. One that cannot start, or dies, says nothing about the disk: the log
 * keeps everything, and another is started a little later.
 */
export class Checkpointer {
  readonly #path: string;
  readonly #onFailure: (error: unknown) => void;
  readonly #counter = new Int32Array(new SharedArrayBuffer(4));
  #writes = 0;
  #isTroubled = false;
  #isStopped = false;
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
    if (this.#writes >= enoughWrites && !this.#isTroubled) this.#start();
    else this.#startIn(maxWaitMs);
  }

  #startIn(ms: number): void {
    this.#timer ??= later('starting the checkpoint thread', ms, () => this.#start()).unref();
  }

  #start(): void {
    this.#forget();
    this.#isTroubled = false;
    let worker: Worker;
    try {
      const driver = createRequire(import.meta.url).resolve('@photostructure/sqlite');
      worker = new Worker(script, {
        eval: true,
        workerData: {
          path: this.#path,
          driver,
          counter: this.#counter,
          everyMs,
          enoughWrites,
          longestWaitMs: maxWaitMs,
          longLog,
          idleMs,
        },
      });
    } catch (error) {
      return this.#notStarted(error);
    }
    worker.on('message', (message: Message) => {
      if ('error' in message) this.#onFailure(message.error);
      else if ('hold' in message) this.#hold(worker, message.hold);
      else if (message.idleAt === Atomics.load(this.#counter, 0)) this.#end();
    });
    worker.on('error', (error) => {
      if (worker === this.#worker) this.#notStarted(error);
    });
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

  #notStarted(error: unknown): void {
    this.#worker = undefined;
    this.#isTroubled = true;
    reportFailure('the checkpoint thread', shortageOf(error));
    if (!this.#isStopped) this.#startIn(againMs);
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
    this.#isStopped = true;
    this.#forget();
    this.#worker?.ref();
    this.#end();
    await this.#ended;
  }
}
