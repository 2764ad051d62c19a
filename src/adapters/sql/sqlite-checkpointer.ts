import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

const everyMs = 1000;
/** After each checkpoint the next write starts the log anew and must sync its head: not worth it for a few writes. */
const enoughWrites = 500;
const longestWaitMs = 10_000;

/** Plain script text: it must run from a bundle as well as from the sources. */
const script = `
const { parentPort, workerData } = require('node:worker_threads');
const { DatabaseSync } = require(workerData.driver);
const { path, counter, everyMs, enoughWrites, longestWaitMs } = workerData;
const busy = 5, locked = 6, full = 13;
const db = new DatabaseSync(path, { timeout: 1000 });
db.exec('PRAGMA synchronous = FULL');
const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');
let seen = 0;
let last = Date.now();
const timer = setInterval(() => {
  const writes = Atomics.load(counter, 0);
  const fresh = (writes - seen) | 0;
  if (fresh === 0 || (fresh < enoughWrites && Date.now() - last < longestWaitMs)) return;
  try {
    checkpoint.get();
    seen = writes;
    last = Date.now();
  } catch (error) {
    // What is busy or full now is tried again at the next turn; the log keeps everything meanwhile.
    if (![busy, locked, full].includes(error.errcode & 255)) parentPort.postMessage(error);
  }
}, everyMs);
parentPort.on('message', () => { clearInterval(timer); db.close(); parentPort.close(); });
`;

/** Moves the write-ahead log into the database file, with full syncs, in a thread of its own. */
export class Checkpointer {
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  readonly #counter = new Int32Array(new SharedArrayBuffer(4));

  constructor(path: string, onFailure: (error: unknown) => void) {
    const driver = fileURLToPath(import.meta.resolve('@photostructure/sqlite')).replace(/index\.mjs$/, 'index.cjs');
    this.#worker = new Worker(script, {
      eval: true,
      workerData: { path, driver, counter: this.#counter, everyMs, enoughWrites, longestWaitMs },
    });
    this.#worker.on('message', onFailure);
    this.#worker.on('error', onFailure);
    this.#exited = new Promise((resolve) => this.#worker.once('exit', () => resolve()));
    this.#worker.unref();
  }

  /** Tells it that so many writes were committed. */
  count(writes: number): void {
    Atomics.add(this.#counter, 0, writes);
  }

  async stop(): Promise<void> {
    this.#worker.ref();
    this.#worker.postMessage('stop');
    await this.#exited;
  }
}
