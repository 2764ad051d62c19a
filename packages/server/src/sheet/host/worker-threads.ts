import { availableParallelism } from 'node:os';
import { every, inBackground, later } from '../../lib/background.ts';
import { Debts, Records } from './debts.ts';
import { LargeTurns } from './large-turn.ts';
import type { Lane, ThreadData, WorkerAnswer, WorkerRequest } from './protocol.ts';
import { SheetThread, type Patience } from './sheet-thread.ts';

const lanes: readonly Lane[] = ['quick', 'quick', 'quick', 'quick', 'refuge', 'slow', 'slow'];
/** A document that waits longer for its turn, and longer than it takes to open, goes to a thread that is free. */
const turnMs = 50;
/** In the slow lane a thread has what others leave of the processors. */
const slowSilenceMs = 60_000;
const warmAfterMs = 250;
const restEveryMs = 10_000;
const restAfterMs = 60_000;
/** The same for a thread that no document is in any more. */
const restEmptyAfterMs = 5_000;

/** There may be seven of them: the nursery of each is kept small. */
const resourceLimits = { maxOldGenerationSizeMb: 4096, maxYoungGenerationSizeMb: 12 };

/** A document may keep a thread busy for a moment; one that does so again and again shares the slow lane with its like. */
const documentCredit = { burstMs: 1_500, shareMs: 250 };
/** The same for a user: a new document for every long calculation is no way around it. */
const userCredit = { burstMs: 3_000, shareMs: 500 };
/** Quick calls after which a user's other documents are taken for quick too. */
const provenByUser = 10;

/**
 * The threads that hold documents. A document stays in the thread that opened it. There are as many as processors can serve
 * beside the main thread; when all of those are busy with something long, a few more are started. Starting one takes longer
 * than an edit may, so one is kept ready: documents known to be quick flee there from a thread that is busy. Documents that
 * calculate all the time go to threads of low priority that nobody else waits for.
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
        // The next large call begins when this one's memory is back.
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

  /** Opening finds a place; everything else goes where the document is. */
  ask<Request extends WorkerRequest>(
    request: Request,
    { workMs, lane = 'quick' }: { workMs?: number; lane?: Lane } = {},
  ): Promise<WorkerAnswer<Request['do']>> {
    const { file } = request;
    const thread = request.do === 'open' || !this.#places.has(file) ? this.#place(file, lane) : this.#places.get(file)!;
    if (request.do === 'close') this.#places.delete(file);
    return this.#threads[thread]!.ask(request, { workMs });
  }

  /** The same; rather than wait for as long as opening it elsewhere takes, the document is refused with Crowded. */
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

  /** Work without a budget that needs no open document: in the slow lane, where nobody else waits for it. */
  askAside<Request extends WorkerRequest>(request: Request, workMs: number): Promise<WorkerAnswer<Request['do']>> {
    const slow = this.#threads.filter((_thread, index) => lanes[index] === 'slow');
    const thread = slow.find(({ isIdle }) => isIdle) ?? slow[0]!;
    return thread.ask(request, { workMs });
  }

  /** Where a document is now. */
  laneOf(file: string): Lane | undefined {
    const place = this.#places.get(file);
    return place === undefined ? undefined : lanes[place];
  }

  /** Steps that the call under way in a document's thread has taken. */
  stepsIn(file: string): number {
    const place = this.#places.get(file);
    return place === undefined ? 0 : Atomics.load(this.#gauges[place]!, 0);
  }

  /** Where calls of these users on a document belong; with `isMoving` not where it is, if there is a better place. */
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

  /** Calls of these users kept the document's thread busy. */
  took(file: string, users: ReadonlySet<string>, ms: number): void {
    this.#documentDebts.add(file, ms);
    this.#records.add(file, ms);
    for (const user of users) {
      this.#userDebts.add(userKey(user), ms / users.size);
      this.#records.add(userKey(user), ms);
    }
  }

  /** What is to come takes long: the document's place is in the slow lane. */
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
    // What it left behind is of no use any more; nobody waits for it to be gone.
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

  /** Threads that were started for a rush end after it; their documents are opened elsewhere when next used. */
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
