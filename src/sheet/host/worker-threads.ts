import { availableParallelism } from 'node:os';
import type { WorkerAnswer, WorkerRequest } from './protocol.ts';
import { SheetThread, type Patience } from './sheet-thread.ts';

const mostThreads = 4;
/** A document that waits longer for its turn goes to a thread that is free. */
const turnMs = 50;

/**
 * The threads that hold documents. A document stays in the thread that opened it. There are as many as processors can serve
 * beside the main thread; when all of those are busy with something long, a few more are started, so that one document that
 * calculates keeps no other waiting.
 */
export class WorkerThreads {
  readonly #threads: SheetThread[];
  readonly #usual = Math.max(1, Math.min(mostThreads, availableParallelism() - 1));
  readonly #places = new Map<string, number>();

  constructor(script: string, onLost: (files: readonly string[]) => void) {
    this.#threads = Array.from({ length: mostThreads }, (_, index) => new SheetThread(script, () => onLost(this.#empty(index))));
  }

  /** Opening finds a place; everything else goes where the document is. */
  ask<Request extends WorkerRequest>(request: Request, patienceMs?: number): Promise<WorkerAnswer<Request['do']>> {
    const { file } = request;
    const thread = request.do === 'open' || !this.#places.has(file) ? this.#place(file) : this.#places.get(file)!;
    if (request.do === 'close') this.#places.delete(file);
    return this.#threads[thread]!.ask(request, { workMs: patienceMs });
  }

  /** The same for a document that is quick to open again: rather than wait for long it is refused with Crowded. */
  askOrMove<Request extends WorkerRequest>(request: Request): Promise<WorkerAnswer<Request['do']>> {
    const place = this.#places.get(request.file);
    if (place === undefined) return this.ask(request);
    const turn: Patience['turn'] = { afterMs: turnMs, elsewhere: () => this.#threads.some((thread) => thread.isIdle) };
    return this.#threads[place]!.ask(request, { turn });
  }

  #place(file: string): number {
    const before = this.#places.get(file);
    const counts = this.#threads.map(() => 0);
    for (const [one, thread] of this.#places) if (one !== file) counts[thread]!++;
    const idle = this.#threads.flatMap((thread, index) => (thread.isIdle ? [index] : []));
    const usual = idle.filter((index) => index < this.#usual);
    const choice = usual.length > 0 ? usual : idle.length > 0 ? idle.slice(0, 1) : counts.map((_, index) => index);
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

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}
