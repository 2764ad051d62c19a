import { availableParallelism } from 'node:os';
import { every, inBackground, later } from '../../lib/background.ts';
import { Debts, Records } from './debts.ts';
import { LargeTurns } from './large-turn.ts';
import type { Lane, ThreadData, WorkerAnswer, WorkerRequest } from './protocol.ts';
import { SheetThread, type Patience } from './sheet-thread.ts';

const lanes: readonly Lane[] = ['quick', 'quick', 'quick', 'quick', 'refuge', 'slow', 'slow'];
/** A document that waits longer than this, and longer than it takes to open, moves to a free thread. */
const turnMs = 50;
/** Longer than in other lanes, because slow threads only get leftover processor time. */
const slowSilenceMs = 60_000;
const warmAfterMs = 250;
const restEveryMs = 10_000;
const restAfterMs = 60_000;
/** Idle time after which an empty thread ends. */
const restEmptyAfterMs = 5_000;

/** The young generation is small, because there may be seven threads. */
const resourceLimits = { maxOldGenerationSizeMb: 4096, maxYoungGenerationSizeMb: 12 };

/** A document that exceeds this quota of thread time moves to the slow lane. */
const documentCredit = { burstMs: 1_500, shareMs: 250 };
/** The same per user, so that creating new documents does not bypass the limit. */
const userCredit = { burstMs: 3_000, shareMs: 500 };
/** After this many quick calls, a user's other documents count as quick too. */
const provenByUser = 10;

/**
 * The threads that hold documents. A document stays in the thread that opened it. Normally there are as many threads as
 * processors besides the main thread; if all are busy with long work, a few more are started. Starting one takes longer
 * than an edit may, so a reserve thread is ready, to which documents known to be quick move from a busy thread.
 * Documents that calculate all the time go to low-priority threads.
 */
export class WorkerThreads {
  readonly #documentDebts = new Debts(documentCredit);
  readonly #userDebts = new Debts(userCredit);
  readonly #records = new Records();
  readonly #threads: SheetThread[];
  readonly #largeTurns = new LargeTurns();
  readonly #gauges = lanes.map(() => new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)));
  readonly #usual = Math.max(1, Math.min(lanes.indexOf('refuge'), availableParallelism() - 1));
  readonly #places = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #warming: NodeJS.Timeout | undefined;

  /** `silenceMs`: how long a thread may be silent before it is ended. */
  constructor(script: string, onLost: (files: readonly string[]) => void, silenceMs?: number) {
    this.#threads = lanes.map((lane, index) => {
      const lost = (): void => {
        // Release the large-call lock only when the thread's memory is free.
        void inBackground('ending a large call', async () => {
          await this.#threads[index]!.gone();
          this.#largeTurns.lost(index);
        });
        onLost(this.#empty(index));
      };
      const isSlow = lane === 'slow';
      const workerData: ThreadData = {
        lane,
        largeTurn: this.#largeTurns.dataFor(index),
        gauge: this.#gauges[index]!.buffer as SharedArrayBuffer,
      };
      return new SheetThread(
        script,
        lost,
        { workerData, resourceLimits },
        silenceMs ?? (isSlow ? slowSilenceMs : undefined),
      );
    });
    this.#timer = every('resting document threads', restEveryMs, () => this.#rest()).unref();
  }

  /** Sends a request to the document's thread. An `open` request first assigns a thread. */
  ask<Request extends WorkerRequest>(
    request: Request,
    { workMs, lane = 'quick' }: { workMs?: number; lane?: Lane } = {},
  ): Promise<WorkerAnswer<Request['do']>> {
    const { file } = request;
    const thread = request.do === 'open' || !this.#places.has(file) ? this.#place(file, lane) : this.#places.get(file)!;
    if (request.do === 'close') this.#places.delete(file);
    return this.#threads[thread]!.ask(request, { workMs });
  }

  /** Like `ask`, but rejects with Crowded if reopening the document elsewhere is faster than waiting. */
  askOrMove<Request extends WorkerRequest>(
    request: Request,
    openingMs: number,
    users: readonly string[],
  ): Promise<WorkerAnswer<Request['do']>> {
    const place = this.#places.get(request.file);
    if (place === undefined) return this.ask(request);
    const isOpenTo = (lane: Lane): boolean =>
      lane === lanes[place] || (lane === 'refuge' && lanes[place] === 'quick' && this.#isProven(request.file, users));
    const turn: Patience['turn'] = {
      afterMs: Math.max(turnMs, openingMs),
      elsewhere: () => this.#threads.some((thread, index) => isOpenTo(lanes[index]!) && thread.isIdle),
    };
    return this.#threads[place]!.ask(request, { turn });
  }

  /** Runs work without a budget and without an open document in the slow lane, where it blocks nobody. */
  askAside<Request extends WorkerRequest>(request: Request, workMs: number): Promise<WorkerAnswer<Request['do']>> {
    const slow = this.#threads.filter((_thread, index) => lanes[index] === 'slow');
    const thread = slow.find(({ isIdle }) => isIdle) ?? slow[0]!;
    return thread.ask(request, { workMs });
  }

  /** The lane that the document is in. */
  laneOf(file: string): Lane | undefined {
    const place = this.#places.get(file);
    return place === undefined ? undefined : lanes[place];
  }

  /** Steps of the current call in the document's thread. */
  stepsIn(file: string): number {
    const place = this.#places.get(file);
    return place === undefined ? 0 : Atomics.load(this.#gauges[place]!, 0);
  }

  /** The lane for these users' calls on a document. `isMoving`: prefers another lane than the current one. */
  laneFor(file: string, users: readonly string[], isMoving: boolean): Lane {
    const byUsers = users.length > 0 && users.every((user) => this.#userDebts.isOver(userKey(user)));
    if (byUsers || this.#documentDebts.isOver(file)) return 'slow';
    const here = this.laneOf(file);
    if (here !== undefined && here !== 'slow' && !isMoving) return here;
    const isReady = this.#threads.some(
      (thread, index) => lanes[index] === 'quick' && thread.isIdle && thread.isStarted,
    );
    return !isReady && this.#isProven(file, users) ? 'refuge' : 'quick';
  }

  /** Records the thread time that these users' calls took. */
  took(file: string, users: ReadonlySet<string>, ms: number): void {
    this.#documentDebts.add(file, ms);
    this.#records.add(file, ms);
    for (const user of users) {
      this.#userDebts.add(userKey(user), ms / users.size);
      this.#records.add(userKey(user), ms);
    }
  }

  /** Moves the document to the slow lane, because its next call takes long. */
  slowDown(file: string): void {
    this.#documentDebts.fill(file);
    this.#records.add(file, Infinity);
  }

  #isProven(file: string, users: readonly string[]): boolean {
    return (
      this.#records.of(file) > 0 ||
      (users.length > 0 && users.every((user) => this.#records.of(userKey(user)) >= provenByUser))
    );
  }

  #place(file: string, lane: Lane): number {
    const before = this.#places.get(file);
    const counts = this.#threads.map(() => 0);
    for (const [one, thread] of this.#places) if (one !== file) counts[thread]!++;
    const inLane = [...this.#threads.keys()].filter((index) => lanes[index] === lane);
    const idle = inLane.filter((index) => this.#threads[index]!.isIdle);
    const usual = idle.filter((index) => lane !== 'quick' || index < this.#usual);
    const choice = usual.length > 0 ? usual : idle.length > 0 ? idle.slice(0, 1) : inLane;
    const place = choice.reduce((best, index) => (counts[index]! < counts[best]! ? index : best));
    this.#places.set(file, place);
    // Close the old copy without waiting for it.
    if (before !== undefined && before !== place)
      this.#threads[before]!.ask({ do: 'close', file }).catch(() => undefined);
    this.#warming ??= later('warming the thread kept ready', warmAfterMs, () =>
      this.#threads[lanes.indexOf('refuge')]!.warm(),
    ).unref();
    return place;
  }

  #empty(thread: number): string[] {
    const files = [...this.#places].filter(([, place]) => place === thread).map(([file]) => file);
    for (const file of files) this.#places.delete(file);
    if (lanes[thread] === 'refuge') this.#warming = undefined;
    return files;
  }

  /** Ends extra threads after a load peak; their documents reopen elsewhere when next used. */
  #rest(): void {
    const used = new Set(this.#places.values());
    this.#threads.forEach((thread, index) => {
      if (index >= this.#usual && lanes[index] !== 'refuge')
        thread.rest(used.has(index) ? restAfterMs : restEmptyAfterMs);
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#warming);
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

function userKey(user: string): string {
  return `user ${user}`;
}
