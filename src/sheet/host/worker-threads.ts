import { availableParallelism } from 'node:os';
import { Debts } from './debts.ts';
import type { WorkerAnswer, WorkerRequest } from './protocol.ts';
import { SheetThread, type Patience } from './sheet-thread.ts';

/** As many documents may calculate for long at the same time before a quick one waits for them. */
const mostQuickThreads = 12;
const slowThreads = 2;
/** A document that waits longer for its turn goes to a thread that is free. */
const turnMs = 50;
/** In the slow lane a thread has what others leave of the processors. */
const slowSilenceMs = 60_000;
const restEveryMs = 10_000;
const restAfterMs = 60_000;

/** A document may keep a thread busy for a moment; one that does so again and again shares the slow lane with its like. */
const documentCredit = { burstMs: 1_500, shareMs: 250 };
/** The same for a user: a new document for every long calculation is no way around it. */
const userCredit = { burstMs: 3_000, shareMs: 500 };

export type Lane = 'quick' | 'slow';

/**
 * The threads that hold documents. A document stays in the thread that opened it. There are as many as processors can serve
 * beside the main thread; when all of those are busy with something long, more are started, so that one document that
 * calculates keeps no other waiting. Documents that calculate all the time go to the slow lane: threads of low priority that
 * nobody else waits for.
 */
export class WorkerThreads {
  readonly documentDebts = new Debts(documentCredit);
  readonly userDebts = new Debts(userCredit);
  readonly #threads: SheetThread[];
  readonly #usual = Math.max(1, Math.min(4, availableParallelism() - 1));
  readonly #places = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(script: string, onLost: (files: readonly string[]) => void) {
    this.#threads = Array.from({ length: mostQuickThreads + slowThreads }, (_, index) => {
      const lost = (): void => onLost(this.#empty(index));
      return laneOf(index) === 'quick' ? new SheetThread(script, lost) : new SheetThread(script, lost, { workerData: { isSlow: true } }, slowSilenceMs);
    });
    this.#timer = setInterval(() => this.#rest(), restEveryMs).unref();
  }

  /** Opening finds a place; everything else goes where the document is. */
  ask<Request extends WorkerRequest>(request: Request, { workMs, lane = 'quick' }: { workMs?: number; lane?: Lane } = {}): Promise<WorkerAnswer<Request['do']>> {
    const { file } = request;
    const thread = request.do === 'open' || !this.#places.has(file) ? this.#place(file, lane) : this.#places.get(file)!;
    if (request.do === 'close') this.#places.delete(file);
    return this.#threads[thread]!.ask(request, { workMs });
  }

  /** The same for a document that is quick to open again: rather than wait for long it is refused with Crowded. */
  askOrMove<Request extends WorkerRequest>(request: Request): Promise<WorkerAnswer<Request['do']>> {
    const place = this.#places.get(request.file);
    if (place === undefined) return this.ask(request);
    const lane = laneOf(place);
    const turn: Patience['turn'] = { afterMs: turnMs, elsewhere: () => this.#threads.some((thread, index) => laneOf(index) === lane && thread.isIdle) };
    return this.#threads[place]!.ask(request, { turn });
  }

  /** Where a document is now. */
  laneOf(file: string): Lane | undefined {
    const place = this.#places.get(file);
    return place === undefined ? undefined : laneOf(place);
  }

  #place(file: string, lane: Lane): number {
    const before = this.#places.get(file);
    const counts = this.#threads.map(() => 0);
    for (const [one, thread] of this.#places) if (one !== file) counts[thread]!++;
    const inLane = [...this.#threads.keys()].filter((index) => laneOf(index) === lane);
    const idle = inLane.filter((index) => this.#threads[index]!.isIdle);
    const usual = idle.filter((index) => lane === 'slow' || index < this.#usual);
    const choice = usual.length > 0 ? usual : idle.length > 0 ? idle.slice(0, 1) : inLane;
    const place = choice.reduce((best, index) => (counts[index]! < counts[best]! ? index : best));
    this.#places.set(file, place);
    // What it left behind is of no use any more; nobody waits for it to be gone.
    if (before !== undefined && before !== place) this.#threads[before]!.ask({ do: 'close', file }).catch(() => undefined);
    return place;
  }

  #empty(thread: number): string[] {
    const files = [...this.#places].filter(([, place]) => place === thread).map(([file]) => file);
    for (const file of files) this.#places.delete(file);
    return files;
  }

  /** Threads that were started for a rush end after it; their documents are opened elsewhere when next used. */
  #rest(): void {
    this.#threads.forEach((thread, index) => {
      if (index >= this.#usual) thread.rest(restAfterMs);
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

function laneOf(index: number): Lane {
  return index < mostQuickThreads ? 'quick' : 'slow';
}
