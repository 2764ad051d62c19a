import { Worker } from 'node:worker_threads';
import { FormatError } from '../../formats/format-error.ts';
import type { Decoded } from '../../formats/types.ts';
import type { WorkerReply, WorkerRequest } from '../../formats/worker.ts';
import type { ParseOptions, Parser } from '../../ports/parser.ts';

export interface ParserPoolOptions {
  /** The bundled `src/formats/worker.ts`. */
  script: string | URL;
  /** Files decoded at the same time. */
  size?: number;
  timeoutMs?: number;
  /** JavaScript heap of one worker, enforced by the engine. */
  heapMb?: number;
  /** Growth of the whole process per running file; covers buffers, which the heap cap does not count. */
  memoryMb?: number;
  /** A worker without work for this long is ended. */
  idleMs?: number;
}

interface Task {
  bytes: Uint8Array;
  options: ParseOptions;
  resolve: (decoded: Decoded) => void;
  reject: (error: FormatError) => void;
}

interface Running extends Task {
  id: number;
  startedAt: number;
  timer: NodeJS.Timeout;
  onAbort: () => void;
}

interface Slot {
  worker: Worker;
  running: Running | undefined;
  idleTimer: NodeJS.Timeout | undefined;
}

const MIB = 1024 * 1024;
const WATCH_MS = 50;
// Below this a copy is cheaper than asking whether the memory may be given away.
const TRANSFER_BYTES = 256 * 1024;

/** Worker threads, started when first needed, replaced when they die, ended when idle. */
export class ParserPool implements Parser {
  readonly #script: string | URL;
  readonly #size: number;
  readonly #timeoutMs: number;
  readonly #heapMb: number;
  readonly #memoryMb: number;
  readonly #idleMs: number;
  readonly #slots = new Set<Slot>();
  readonly #waiting: Task[] = [];
  readonly #ending = new Set<Promise<unknown>>();
  #nextId = 1;
  #closed = false;
  #watch: NodeJS.Timeout | undefined;
  #baseline = 0;

  constructor(options: ParserPoolOptions) {
    this.#script = options.script;
    this.#size = options.size ?? 2;
    this.#timeoutMs = options.timeoutMs ?? 120_000;
    this.#heapMb = options.heapMb ?? 768;
    this.#memoryMb = options.memoryMb ?? 1_280;
    this.#idleMs = options.idleMs ?? 30_000;
  }

  /** Live workers, for the metrics and the tests. */
  get workers(): number {
    return this.#slots.size;
  }

  get queued(): number {
    return this.#waiting.length;
  }

  parse(bytes: Uint8Array, options: ParseOptions): Promise<Decoded> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new FormatError('crashed', 'The parser is shutting down. Try again later.'));
      if (options.signal?.aborted === true) return reject(aborted());
      this.#waiting.push({ bytes, options, resolve, reject });
      this.#pump();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const task of this.#waiting.splice(0)) task.reject(new FormatError('crashed', 'The parser is shutting down. Try again later.'));
    for (const slot of this.#slots) this.#end(slot, new FormatError('crashed', 'The parser is shutting down. Try again later.'));
    await Promise.all(this.#ending);
  }

  #pump(): void {
    while (this.#waiting.length > 0) {
      const slot = this.#idleSlot();
      if (slot === undefined) return;
      const task = this.#waiting.shift()!;
      if (task.options.signal?.aborted === true) {
        task.reject(aborted());
        this.#rest(slot);
        continue;
      }
      this.#start(slot, task);
    }
  }

  #idleSlot(): Slot | undefined {
    for (const slot of this.#slots) if (slot.running === undefined) return slot;
    return this.#slots.size < this.#size ? this.#spawn() : undefined;
  }

  #spawn(): Slot {
    const worker = new Worker(this.#script, {
      resourceLimits: { maxOldGenerationSizeMb: this.#heapMb, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 },
      // Secrets of the server's environment are none of a parser's business, and neither is its console.
      env: {},
      argv: [],
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    worker.stdout.resume();
    worker.stderr.resume();
    const slot: Slot = { worker, running: undefined, idleTimer: undefined };
    worker.on('message', (reply: WorkerReply) => this.#answered(slot, reply));
    worker.on('error', (cause) => this.#end(slot, crashed(cause)));
    worker.on('messageerror', (cause) => this.#end(slot, crashed(cause)));
    worker.on('exit', () => this.#end(slot, crashed(undefined)));
    worker.unref();
    this.#slots.add(slot);
    return slot;
  }

  #start(slot: Slot, task: Task): void {
    clearTimeout(slot.idleTimer);
    const id = this.#nextId++;
    const timeoutMs = task.options.timeoutMs ?? this.#timeoutMs;
    const timer = setTimeout(() => this.#end(slot, timedOut(timeoutMs)), timeoutMs);
    const onAbort = (): void => this.#end(slot, aborted());
    task.options.signal?.addEventListener('abort', onAbort, { once: true });
    slot.running = { ...task, id, startedAt: performance.now(), timer, onAbort };
    slot.worker.ref();
    this.#watchMemory();
    const { signal: _signal, timeoutMs: _timeout, ...options } = task.options;
    const bytes = owned(task.bytes);
    const request: WorkerRequest = { id, bytes, options };
    try {
      slot.worker.postMessage(request, [bytes.buffer]);
    } catch (cause) {
      this.#end(slot, crashed(cause));
    }
  }

  #answered(slot: Slot, reply: WorkerReply): void {
    const running = slot.running;
    if (running === undefined || running.id !== reply.id) return;
    this.#settle(slot);
    if ('result' in reply) running.resolve(reply.result);
    else running.reject(new FormatError(reply.word, reply.message));
    this.#rest(slot);
    this.#pump();
  }

  #settle(slot: Slot): void {
    if (slot.running === undefined) return;
    clearTimeout(slot.running.timer);
    slot.running.options.signal?.removeEventListener('abort', slot.running.onAbort);
    slot.running = undefined;
    if (![...this.#slots].some((other) => other.running !== undefined)) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    }
  }

  #rest(slot: Slot): void {
    slot.worker.unref();
    clearTimeout(slot.idleTimer);
    slot.idleTimer = setTimeout(() => this.#end(slot, crashed(undefined)), this.#idleMs);
    slot.idleTimer.unref();
  }

  /** The slot is given up at once; its thread ends in its own time, and a new one takes its place when there is work. */
  #end(slot: Slot, reason: FormatError): void {
    if (!this.#slots.delete(slot)) return;
    clearTimeout(slot.idleTimer);
    const running = slot.running;
    this.#settle(slot);
    const ending = slot.worker.terminate().finally(() => {
      this.#ending.delete(ending);
      if (!this.#closed) this.#pump();
    });
    this.#ending.add(ending);
    running?.reject(reason);
  }

  #watchMemory(): void {
    if (this.#watch !== undefined) return;
    this.#baseline = process.memoryUsage.rss();
    this.#watch = setInterval(() => {
      const busy = [...this.#slots].filter((slot) => slot.running !== undefined);
      const allowed = this.#baseline + this.#memoryMb * MIB * busy.length;
      if (busy.length === 0 || process.memoryUsage.rss() <= allowed) return;
      // Threads share one memory, so the culprit is not known for certain; the one at it longest is the likeliest.
      const suspect = busy.reduce((a, b) => (a.running!.startedAt <= b.running!.startedAt ? a : b));
      this.#end(suspect, outOfMemory());
    }, WATCH_MS);
    this.#watch.unref();
  }
}

/** Bytes whose memory belongs to nobody else, so that it can be moved to the worker instead of copied. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer;
  return whole && bytes.byteLength >= TRANSFER_BYTES ? new Uint8Array(bytes.buffer as ArrayBuffer) : Uint8Array.from(bytes);
}

function crashed(cause: unknown): FormatError {
  if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY') return outOfMemory();
  return new FormatError('crashed', 'The file made its parser stop. Save it again in its own program and upload the new copy.', { cause });
}

function outOfMemory(): FormatError {
  return new FormatError('crashed', 'The file needs more memory than its parser may use. Split it and upload the parts.');
}

function timedOut(timeoutMs: number): FormatError {
  return new FormatError('timed_out', `The file was not read within ${Math.round(timeoutMs / 1000)} seconds. Split it, or save it again in its own program.`);
}

function aborted(): FormatError {
  return new FormatError('crashed', 'The work was called off.');
}
