import { availableParallelism } from 'node:os';
import { runEvery, runInBackground, runDelayed } from '../../../lib/background-tasks.ts';
import { UsageMeter, QuickCallCounter } from './usage-meter.ts';
import { LargeCallLockOwner } from './large-call-lock.ts';
import type { Lane, ThreadData, WorkerAnswer, WorkerRequest } from './protocol.ts';
import { QueuedThread, type RequestTimeouts } from './queued-thread.ts';

const lanes: readonly Lane[] = ['quick', 'quick', 'quick', 'quick', 'reserve', 'slow', 'slow'];
/**
 * Minimum wait after which a request moves its document to a free thread. The wait is longer if opening the document
 * takes longer.
 */
const minMoveAfterMs = 50;
/**
 * Time after which a thread for slow documents is ended if it does not respond. It is longer than for other threads,
 * because these threads have low priority.
 */
const slowHangTimeoutMs = 60_000;
const startReserveAfterMs = 250;
const endIdleEveryMs = 10_000;
const endIdleAfterMs = 60_000;
/** Idle time after which an extra thread without documents ends. */
const endEmptyAfterMs = 5_000;

/** Memory limits per thread. The young generation is small, because there may be seven threads. */
const resourceLimits = { maxOldGenerationSizeMb: 4096, maxYoungGenerationSizeMb: 12 };

/** Quota of thread time per document. A document above the quota moves to a thread for slow documents. */
const documentQuota = { burstMs: 1_500, shareMs: 250 };
/** Quota of thread time per user. Without it, a user could bypass the document quota by creating new documents. */
const userQuota = { burstMs: 3_000, shareMs: 500 };
/** Number of a user's consecutive fast calls after which all documents of the user count as fast. */
const minQuickCallsOfUser = 10;

/**
 * Pool of worker threads that hold documents; a document stays in the thread that opened it. Normally there is one
 * thread per processor besides the main thread, and a few more if all are busy with long work. A reserve thread, kept
 * running, takes fast documents from busy threads. Documents that calculate all the time go to low-priority threads.
 */
export class DocumentThreadPool {
  readonly #documentUsage = new UsageMeter(documentQuota);
  readonly #userUsage = new UsageMeter(userQuota);
  readonly #quickCalls = new QuickCallCounter();
  readonly #threads: QueuedThread[];
  readonly #largeCallLock = new LargeCallLockOwner();
  readonly #gauges = lanes.map(() => new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)));
  readonly #normalThreads = Math.max(1, Math.min(lanes.indexOf('reserve'), availableParallelism() - 1));
  readonly #threadOfFile = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #reserveTimer: NodeJS.Timeout | undefined;

  /** Creates the pool. A thread that does not answer a request for `silenceMs` is ended. */
  constructor(script: string, onLost: (files: readonly string[]) => void, silenceMs?: number) {
    this.#threads = lanes.map((lane, index) => {
      const lost = (): void => {
        // Release the large-call lock only after the lost thread has exited and its memory is freed.
        void runInBackground('ending a large call', async () => {
          await this.#threads[index]!.whenTerminated();
          this.#largeCallLock.release(index);
        });
        onLost(this.#removeFiles(index));
      };
      const isSlow = lane === 'slow';
      const workerData: ThreadData = {
        lane,
        largeCallLock: this.#largeCallLock.dataFor(index),
        gauge: this.#gauges[index]!.buffer as SharedArrayBuffer,
      };
      return new QueuedThread(
        script,
        lost,
        { workerData, resourceLimits },
        silenceMs ?? (isSlow ? slowHangTimeoutMs : undefined),
      );
    });
    this.#timer = runEvery('resting document threads', endIdleEveryMs, () => this.#endIdleThreads()).unref();
  }

  /** Sends a request to the document's thread. An `open` request first assigns a thread to the document. */
  send<Request extends WorkerRequest>(
    request: Request,
    { workMs, lane = 'quick' }: { workMs?: number; lane?: Lane } = {},
  ): Promise<WorkerAnswer<Request['do']>> {
    const { file } = request;
    const thread =
      request.do === 'open' || !this.#threadOfFile.has(file)
        ? this.#assignThread(file, lane)
        : this.#threadOfFile.get(file)!;
    if (request.do === 'close') this.#threadOfFile.delete(file);
    return this.#threads[thread]!.send(request, { workMs });
  }

  /**
   * Sends a request to the document's thread. Rejects with QueueTimeout if the request waits longer than it would take
   * to open the document in a thread that is idle.
   */
  sendOrMove<Request extends WorkerRequest>(
    request: Request,
    openingMs: number,
    users: readonly string[],
  ): Promise<WorkerAnswer<Request['do']>> {
    const place = this.#threadOfFile.get(request.file);
    if (place === undefined) return this.send(request);
    const isOpenTo = (lane: Lane): boolean =>
      lane === lanes[place] ||
      (lane === 'reserve' && lanes[place] === 'quick' && this.#isKnownQuick(request.file, users));
    const turn: RequestTimeouts['move'] = {
      afterMs: Math.max(minMoveAfterMs, openingMs),
      hasFreeThread: () => this.#threads.some((thread, index) => isOpenTo(lanes[index]!) && thread.isIdle),
    };
    return this.#threads[place]!.send(request, { move: turn });
  }

  /**
   * Sends work that has no budget and uses no open document to a thread for slow documents, so that it does not delay
   * fast documents.
   */
  sendToSlowLane<Request extends WorkerRequest>(
    request: Request,
    workMs: number,
  ): Promise<WorkerAnswer<Request['do']>> {
    const slow = this.#threads.filter((_thread, index) => lanes[index] === 'slow');
    const thread = slow.find(({ isIdle }) => isIdle) ?? slow[0]!;
    return thread.send(request, { workMs });
  }

  laneOf(file: string): Lane | undefined {
    const place = this.#threadOfFile.get(file);
    return place === undefined ? undefined : lanes[place];
  }

  /** Returns how many calculation steps the call that runs now in the document's thread has taken. */
  stepsIn(file: string): number {
    const place = this.#threadOfFile.get(file);
    return place === undefined ? 0 : Atomics.load(this.#gauges[place]!, 0);
  }

  /**
   * Returns the kind of thread (lane) in which to run these users' calls on a document. With `isMoving`, prefers
   * another kind than the current one.
   */
  laneFor(file: string, users: readonly string[], isMoving: boolean): Lane {
    const byUsers = users.length > 0 && users.every((user) => this.#userUsage.isOver(userKey(user)));
    if (byUsers || this.#documentUsage.isOver(file)) return 'slow';
    const here = this.laneOf(file);
    if (here !== undefined && here !== 'slow' && !isMoving) return here;
    const isReady = this.#threads.some(
      (thread, index) => lanes[index] === 'quick' && thread.isIdle && thread.isStarted,
    );
    return !isReady && this.#isKnownQuick(file, users) ? 'reserve' : 'quick';
  }

  /** Charges the thread time of calls to the document and, in equal shares, to these users. */
  recordUsage(file: string, users: ReadonlySet<string>, ms: number): void {
    this.#documentUsage.add(file, ms);
    this.#quickCalls.add(file, ms);
    for (const user of users) {
      this.#userUsage.add(userKey(user), ms / users.size);
      this.#quickCalls.add(userKey(user), ms);
    }
  }

  /** Marks the document as over its quota, so that its next call runs in a thread for slow documents. */
  moveToSlowLane(file: string): void {
    this.#documentUsage.markOverQuota(file);
    this.#quickCalls.add(file, Infinity);
  }

  #isKnownQuick(file: string, users: readonly string[]): boolean {
    return (
      this.#quickCalls.countOf(file) > 0 ||
      (users.length > 0 && users.every((user) => this.#quickCalls.countOf(userKey(user)) >= minQuickCallsOfUser))
    );
  }

  #assignThread(file: string, lane: Lane): number {
    const before = this.#threadOfFile.get(file);
    const counts = this.#threads.map(() => 0);
    for (const [one, thread] of this.#threadOfFile) if (one !== file) counts[thread]!++;
    const inLane = [...this.#threads.keys()].filter((index) => lanes[index] === lane);
    const idle = inLane.filter((index) => this.#threads[index]!.isIdle);
    const usual = idle.filter((index) => lane !== 'quick' || index < this.#normalThreads);
    const choice = usual.length > 0 ? usual : idle.length > 0 ? idle.slice(0, 1) : inLane;
    const place = choice.reduce((best, index) => (counts[index]! < counts[best]! ? index : best));
    this.#threadOfFile.set(file, place);
    // Close the document in its former thread. The answer does not matter.
    if (before !== undefined && before !== place)
      this.#threads[before]!.send({ do: 'close', file }).catch(() => undefined);
    this.#reserveTimer ??= runDelayed('warming the thread kept ready', startReserveAfterMs, () =>
      this.#threads[lanes.indexOf('reserve')]!.start(),
    ).unref();
    return place;
  }

  #removeFiles(thread: number): string[] {
    const files = [...this.#threadOfFile].filter(([, place]) => place === thread).map(([file]) => file);
    for (const file of files) this.#threadOfFile.delete(file);
    if (lanes[thread] === 'reserve') this.#reserveTimer = undefined;
    return files;
  }

  /**
   * Ends extra threads that are idle after a load peak. Their documents are opened in other threads at the next call.
   */
  #endIdleThreads(): void {
    const used = new Set(this.#threadOfFile.values());
    this.#threads.forEach((thread, index) => {
      if (index >= this.#normalThreads && lanes[index] !== 'reserve')
        thread.endIfIdle(used.has(index) ? endIdleAfterMs : endEmptyAfterMs);
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#reserveTimer);
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

function userKey(user: string): string {
  return `user ${user}`;
}
