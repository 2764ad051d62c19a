import { availableParallelism } from 'node:os';
import { runEvery, runInBackground, runDelayed } from '../../../lib/background-tasks.ts';
import { UsageMeter, QuickCallCounter } from './usage-meter.ts';
import { LargeCallLockOwner } from './large-call-lock.ts';
import type { Lane, ThreadData, WorkerAnswer, WorkerRequest } from './protocol.ts';
import { QueuedThread, type RequestTimeouts } from './queued-thread.ts';

const lanes: readonly Lane[] = ['quick', 'quick', 'quick', 'quick', 'reserve', 'slow', 'slow'];
/**
 * Minimum time in milliseconds that a request waits for its busy thread before its document moves to a free thread. If
 * opening the document takes longer than this, the request waits as long as an opening takes.
 */
const minMoveAfterMs = 50;
/**
 * Time without an answer, in milliseconds, after which a thread for slow documents is ended. It is longer than for
 * other threads, because threads for slow documents have low priority.
 */
const slowHangTimeoutMs = 60_000;
const startReserveAfterMs = 250;
const endIdleEveryMs = 10_000;
const endIdleAfterMs = 60_000;
/** Idle time in milliseconds after which a thread beyond the normal number ends if it holds no documents. */
const endEmptyAfterMs = 5_000;

/**
 * Memory limits per thread. V8's young generation, the memory for new objects, is small, because there may be seven
 * threads.
 */
const resourceLimits = { maxOldGenerationSizeMb: 4096, maxYoungGenerationSizeMb: 12 };

/**
 * Quota of thread time per document. While a document is above its quota, its calls run in a thread for slow documents.
 */
const documentQuota = { burstMs: 1_500, shareMs: 250 };
/** Quota of thread time per user. Without it, a user could bypass the document quota by creating new documents. */
const userQuota = { burstMs: 3_000, shareMs: 500 };
/**
 * If this many consecutive calls of a user were fast, the user's calls are expected to be fast on every document, even
 * on one without fast calls before.
 */
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

  /**
   * Creates the pool. `onLost` is called with the ids of the documents whose thread ended. A thread that does not
   * answer a request within `silenceMs` milliseconds is ended.
   */
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
   * Sends a request to the document's thread. Rejects with QueueTimeout if the request waits in the queue for longer
   * than opening the document takes (`openingMs`) while another thread is idle: the caller can then open the document
   * in the idle thread. `users` are the users whose calls the request contains.
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

  /**
   * Returns how many calculation steps the call that runs now in the document's thread has taken so far. Used to report
   * progress.
   */
  stepsIn(file: string): number {
    const place = this.#threadOfFile.get(file);
    return place === undefined ? 0 : Atomics.load(this.#gauges[place]!, 0);
  }

  /**
   * Returns the kind of thread (lane) in which to run these users' calls on a document. Keeps the document's current
   * lane if the quotas permit it. With `isMoving`, chooses again, because the document is to leave a busy thread.
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

  /**
   * Records `ms` milliseconds of thread time that calls took. The document is charged all of it, and each of the users
   * who made the calls is charged an equal share.
   */
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
   * Ends threads beyond the normal number that have been idle for a while, for example after a load peak. Their
   * documents are opened in other threads at the next call.
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
