import { createRequire } from 'node:module';
import { inBackground, later, reportFailure } from '../../../lib/background.ts';
import { Thread } from '../../../lib/thread.ts';
import { shortageOf } from '../../../ports/unavailable.ts';

const everyMs = 1000;
/**
 * Writes before a checkpoint: afterward the next write restarts the log and must sync its header, which is not worth it
 * for a few.
 */
const enoughWrites = 500;
const maxWaitMs = 10_000;
/** Delay before a new thread is started after one that died or could not start. */
const againMs = 5_000;
/**
 * Log length in pages (16 MiB) above which the log must restart. A checkpoint concurrent with writes never reaches the
 * log's end, so the log would grow; writes are blocked briefly while the last frames are copied.
 */
const longLog = 4096;
/** Idle time after which the thread is ended to free its memory (about ten megabytes). */
const idleMs = 15_000;

/** Plain script text, so that it runs from a bundle as well as from source. */
const script = `
const { parentPort, workerData } = require('node:worker_threads');
const { DatabaseSync } = require(workerData.driver);
const { path, counter, everyMs, enoughWrites, longestWaitMs, longLog, idleMs } = workerData;
// Busy, locked, out of memory, disk full, no descriptor to open a file with;
// and the index of the log could not be opened, grown or mapped.
const passing = new Set([5, 6, 7, 13, 14]);
const passingExtended = new Set([4618, 4874, 5386]);
// Opened while the disk was read-only, a file stays so: another thread opens it anew a little later.
const readOnly = 8;
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
    if ((error.errcode & 255) === readOnly) throw error;
    if (!passing.has(error.errcode & 255) && !passingExtended.has(error.errcode)) parentPort.postMessage({ said: { error } });
    return false;
  }
}
const timer = setInterval(() => {
  const fresh = (Atomics.load(counter, 0) - seen) | 0;
  if (fresh === 0 && Date.now() - last > idleMs) parentPort.postMessage({ said: { idleAt: seen } });
  if (fresh === 0 || (fresh < enoughWrites && Date.now() - last < longestWaitMs)) return;
  if (copyLog()) parentPort.postMessage({ said: 'hold writes' });
}, everyMs);
parentPort.on('message', ({ id, end }) => {
  if (!end) {
    // Writes are held back: now a copy reaches the end of the log.
    copyLog();
    parentPort.postMessage({ id, value: undefined });
    return;
  }
  clearInterval(timer);
  db.close();
  parentPort.close();
});
`;

type Said = { error: unknown } | { idleAt: number } | 'hold writes';

/**
 * Copies the write-ahead log into the database file, with full syncs, in a separate thread. The thread starts after
 * enough writes and ends when idle; closing the database makes the last checkpoint. Only an error reported by the
 * thread counts as a failed sync. A thread that cannot start, or dies, says nothing about the disk: the log still has
 * everything, and another thread starts later.
 */
export class Checkpointer {
  readonly #onFailure: (error: unknown) => void;
  readonly #counter = new Int32Array(new SharedArrayBuffer(4));
  readonly #thread: Thread;
  #writes = 0;
  #isTroubled = false;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;
  #held: Promise<void> | undefined;

  constructor(path: string, onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
    const driver = createRequire(import.meta.url).resolve('@photostructure/sqlite');
    const limits = { everyMs, enoughWrites, longestWaitMs: maxWaitMs, longLog, idleMs };
    this.#thread = new Thread({
      name: 'checkpoint thread',
      script,
      worker: { eval: true, workerData: { path, driver, counter: this.#counter, ...limits } },
      endsItself: true,
      onSaid: (said: Said) => this.#hear(said),
      onLost: (lost) => this.#lost(lost.cause),
    });
  }

  /** A promise that the next commit must await, if any. */
  get held(): Promise<void> | undefined {
    return this.#held;
  }

  /** Reports committed writes. */
  count(writes: number): void {
    if (writes === 0) return;
    Atomics.add(this.#counter, 0, writes);
    if (this.#thread.isStarted) return;
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
    try {
      this.#thread.start();
    } catch (error) {
      this.#lost((error as Error).cause);
    }
  }

  #hear(said: Said): void {
    if (said === 'hold writes') this.#held ??= inBackground('copying the log', () => this.#hold());
    else if ('error' in said) this.#onFailure(said.error);
    else if (said.idleAt === Atomics.load(this.#counter, 0)) this.#thread.rest();
  }

  async #hold(): Promise<void> {
    try {
      await this.#thread.ask('copy the log');
    } finally {
      this.#held = undefined;
    }
  }

  #lost(cause: unknown): void {
    this.#isTroubled = true;
    reportFailure('the checkpoint thread', shortageOf(cause));
    if (!this.#isStopped) this.#startIn(againMs);
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writes = 0;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#forget();
    await this.#thread.close();
  }
}
