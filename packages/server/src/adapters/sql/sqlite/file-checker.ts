import { createRequire } from 'node:module';
import { runDelayed } from '../../../lib/background-tasks.ts';
import { WorkerThread } from '../../../lib/worker-thread.ts';
import type { DamageRecord } from './damage.ts';

export interface FileCheckSchedule {
  /** Time in milliseconds from the server's start to the first check of the database file. */
  readonly firstMs: number;
  /** Time in milliseconds between the end of a check and the start of the next one. */
  readonly everyMs: number;
}

const daily: FileCheckSchedule = { firstMs: 5_000, everyMs: 86_400_000 };

/**
 * Length of the pause after each table, as a multiple of the time that the check of the table took. The thread then
 * uses at most a fifth of one core and of the disk.
 */
const restRatio = 4;

/**
 * Script of the checking thread. It is a string, so that it works in a bundle as well as from source. Each table is
 * checked in its own transaction. One read transaction over the whole check would keep SQLite from reusing the
 * write-ahead log, which would grow meanwhile.
 */
const script = `
const { parentPort, workerData } = require('node:worker_threads');
const { DatabaseSync } = require(workerData.driver);
// Pauses after a table. Returns whether the database is being closed.
function restOrStop(ms) {
  return Atomics.wait(workerData.stopped, 0, 0, ms) !== 'timed-out';
}
function findFault() {
  let db;
  try {
    db = new DatabaseSync(workerData.path, { readOnly: true, timeout: 5000 });
    db.exec('PRAGMA cache_size = -2000');
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    for (const { name } of [{ name: 'sqlite_schema' }, ...tables]) {
      const began = performance.now();
      // Read only the first row, which describes the faults. Reading to the end of the result makes the driver throw.
      const { quick_check: said } = db.prepare('PRAGMA quick_check("' + name.replaceAll('"', '""') + '")').get();
      if (said !== 'ok') return 'table ' + name + ': ' + said;
      if (restOrStop((performance.now() - began) * workerData.restRatio)) return '';
    }
    return '';
  } finally {
    db?.close();
  }
}
parentPort.on('message', ({ id, end }) => {
  if (end) {
    parentPort.close();
    return;
  }
  try {
    parentPort.postMessage({ id, value: findFault() });
  } catch ({ message, errcode }) {
    parentPort.postMessage({ id, failure: { message, code: errcode } });
  }
});
`;

/**
 * Checks the structure of a database file shortly after the start and then daily. It finds damage also in pages that no
 * statement reads. Each check runs in a thread with its own read-only connection. The thread ends after the check.
 */
export class FileChecker {
  readonly #damage: DamageRecord;
  readonly #schedule: FileCheckSchedule;
  readonly #thread: WorkerThread;
  /** Set to 1 when the database is being closed. A running check then ends after its current table. */
  readonly #stopped = new Int32Array(new SharedArrayBuffer(4));
  #timer: NodeJS.Timeout | undefined;

  constructor(path: string, damage: DamageRecord, schedule: FileCheckSchedule = daily) {
    this.#damage = damage;
    this.#schedule = schedule;
    const driver = createRequire(import.meta.url).resolve('@photostructure/sqlite');
    this.#thread = new WorkerThread({
      name: 'file check thread',
      script,
      worker: { eval: true, workerData: { path, driver, restRatio, stopped: this.#stopped } },
      // Do not terminate the thread. Terminating it inside SQLite would end the process.
      closesGracefully: true,
      errorOf: ({ message, code }) => Object.assign(new Error(message), code === undefined ? {} : { errcode: code }),
    });
  }

  start(): void {
    this.#checkIn(this.#schedule.firstMs);
  }

  #checkIn(ms: number): void {
    this.#timer = runDelayed('checking the database file', ms, () => this.#check()).unref();
  }

  async #check(): Promise<void> {
    if (this.#damage.reason !== undefined) return;
    try {
      const fault = await this.#thread.run<string>('check');
      if (fault !== '') this.#damage.report(fault);
    } catch (error) {
      if (!this.#damage.recognize(error)) throw error;
    } finally {
      this.#thread.stopIfIdle();
      if (this.#stopped[0] === 0) this.#checkIn(this.#schedule.everyMs);
    }
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    Atomics.store(this.#stopped, 0, 1);
    Atomics.notify(this.#stopped, 0);
    await this.#thread.close();
  }
}
