import { createRequire } from 'node:module';
import { runInBackground, runDelayed, reportBackgroundError } from '../../../lib/background-tasks.ts';
import { WorkerThread } from '../../../lib/worker-thread.ts';
import { toUnavailable } from '../../../ports/availability-errors.ts';
import type { DamageRecord } from './damage.ts';

const everyMs = 1000;
/**
 * Number of writes after which a checkpoint is made without waiting for `maxWaitMs`. A checkpoint copies the
 * write-ahead log into the database file. The next write then starts the log anew and must sync the log's header, which
 * is too expensive after only a few writes.
 */
const enoughWrites = 500;
const maxWaitMs = 10_000;
/** Delay in milliseconds before a new checkpoint thread is started after one died or could not start. */
const restartMs = 5_000;
/**
 * Length of the write-ahead log in pages (16 MiB in total) above which writes are blocked until the whole log is copied
 * into the database file. SQLite can then reuse the log from its beginning. A checkpoint during writes never reaches
 * the end of the log, so the log would otherwise grow without limit.
 */
const longLog = 4096;
/** Idle time in milliseconds after which the thread is ended to free its memory (about ten megabytes). */
const idleMs = 15_000;

/** Script of the checkpoint thread. It is a string, so that it works in a bundle as well as from source. */
const script = `
const { parentPort, workerData } = require('node:worker_threads');
const { DatabaseSync } = require(workerData.driver);
const { path, counter, everyMs, enoughWrites, longestWaitMs, longLog, idleMs } = workerData;
// Result codes of transient errors: BUSY, LOCKED, NOMEM, FULL, CANTOPEN (no file descriptor). The extended codes mean
// that the shared-memory index of the log (-shm) cannot be opened, resized or mapped.
const passing = new Set([5, 6, 7, 13, 14]);
const passingExtended = new Set([4618, 4874, 5386]);
// READONLY: a connection that was opened while the disk was read-only stays read-only. The thread therefore ends, and a
// new thread opens the file again later.
const readOnly = 8;
// CORRUPT and NOTADB: the file is damaged. This is reported as damage and not as a failed sync.
const damaged = new Set([11, 26]);
function open() {
  try {
    const db = new DatabaseSync(path, { timeout: 1000 });
    db.exec('PRAGMA synchronous = FULL');
    return { db, checkpoint: db.prepare('PRAGMA wal_checkpoint(PASSIVE)') };
  } catch (error) {
    if (damaged.has(error.errcode & 255)) parentPort.postMessage({ said: { damage: error.message } });
    throw error;
  }
}
const { db, checkpoint } = open();
// Number of writes at the last checkpoint. It begins one too low: the thread is started only after writes, so its first
// check must find at least one new write.
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
    // Report damage and unknown errors. Ignore transient errors: the copy is tried again at the next interval, and the
    // log still holds all data. End the thread if its connection is read-only.
    if ((error.errcode & 255) === readOnly) throw error;
    if (damaged.has(error.errcode & 255)) parentPort.postMessage({ said: { damage: error.message } });
    else if (!passing.has(error.errcode & 255) && !passingExtended.has(error.errcode)) parentPort.postMessage({ said: { error } });
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
    // The main thread sends this request while it blocks writes. So this checkpoint reaches the end of the log, and the
    // log can start anew.
    copyLog();
    parentPort.postMessage({ id, value: undefined });
    return;
  }
  clearInterval(timer);
  db.close();
  parentPort.close();
});
`;

type ThreadMessage = { error: unknown } | { damage: string } | { idleAt: number } | 'hold writes';

/**
 * Makes checkpoints: copies the write-ahead log into the database file with full syncs. This runs in a thread, which is
 * started after enough writes or some seconds after the first one, and ends when idle. The last checkpoint is made when
 * the database is closed.
 *
 * Only an error reported by the thread counts as a failed sync. If a thread cannot start or dies, the log still has all
 * data, and another thread starts later.
 */
export class Checkpointer {
  readonly #onFailure: (error: unknown) => void;
  readonly #damage: DamageRecord;
  readonly #counter = new Int32Array(new SharedArrayBuffer(4));
  readonly #thread: WorkerThread;
  #writes = 0;
  #hasFailed = false;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;
  #barrier: Promise<void> | undefined;

  constructor(path: string, damage: DamageRecord, onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
    this.#damage = damage;
    const driver = createRequire(import.meta.url).resolve('@photostructure/sqlite');
    const limits = { everyMs, enoughWrites, longestWaitMs: maxWaitMs, longLog, idleMs };
    this.#thread = new WorkerThread({
      name: 'checkpoint thread',
      script,
      worker: { eval: true, workerData: { path, driver, counter: this.#counter, ...limits } },
      closesGracefully: true,
      onMessage: (said: ThreadMessage) => this.#onMessage(said),
      onTerminated: (lost) => this.#onTerminated(lost.cause),
    });
  }

  /**
   * Promise that the next commit must await while a long log is copied into the database file. Undefined at other
   * times.
   */
  get writeBarrier(): Promise<void> | undefined {
    return this.#barrier;
  }

  /**
   * Adds to the number of committed writes. If no checkpoint thread is running, starts one: at once if there are
   * `enoughWrites`, otherwise after `maxWaitMs`.
   */
  count(writes: number): void {
    if (writes === 0) return;
    Atomics.add(this.#counter, 0, writes);
    if (this.#thread.isStarted) return;
    this.#writes += writes;
    if (this.#writes >= enoughWrites && !this.#hasFailed) this.#start();
    else this.#startIn(maxWaitMs);
  }

  #startIn(ms: number): void {
    this.#timer ??= runDelayed('starting the checkpoint thread', ms, () => this.#start()).unref();
  }

  #start(): void {
    this.#resetCounter();
    this.#hasFailed = false;
    try {
      this.#thread.start();
    } catch (error) {
      this.#onTerminated((error as Error).cause);
    }
  }

  #onMessage(said: ThreadMessage): void {
    if (said === 'hold writes') this.#barrier ??= runInBackground('copying the log', () => this.#copyLog());
    else if ('error' in said) this.#onFailure(said.error);
    else if ('damage' in said) this.#damage.report(said.damage);
    else if (said.idleAt === Atomics.load(this.#counter, 0)) this.#thread.stopIfIdle();
  }

  async #copyLog(): Promise<void> {
    try {
      await this.#thread.run('copy the log');
    } finally {
      this.#barrier = undefined;
    }
  }

  #onTerminated(cause: unknown): void {
    this.#hasFailed = true;
    reportBackgroundError('the checkpoint thread', toUnavailable(cause));
    if (!this.#isStopped && this.#damage.reason === undefined) this.#startIn(restartMs);
  }

  #resetCounter(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writes = 0;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#resetCounter();
    await this.#thread.close();
  }
}
