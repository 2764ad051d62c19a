import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { FormatError } from '../../formats/format-error.ts';
import type { Decoded } from '../../formats/types.ts';
import type { WorkerReply, WorkerRequest } from '../../formats/worker.ts';
import { later } from '../../lib/background.ts';
import { Turns } from '../../lib/turns.ts';
import type { ParseOptions, Parser } from '../../ports/parser.ts';
import { shortageOf, Unavailable } from '../../ports/unavailable.ts';

export interface ParserPoolOptions {
  /** The bundled `src/formats/worker.ts`. */
  script: string | URL;
  /** Files decoded at the same time; all but one of them may be of one caller. */
  size?: number;
  timeoutMs?: number;
  /** JavaScript heap of one worker. */
  heapMb?: number;
  /** All memory of one worker, buffers included. */
  memoryMb?: number;
  /** A worker without work for this long is ended. */
  idleMs?: number;
  /** Language in which text in pictures is looked for. */
  ocr?: string | undefined;
}

interface Task {
  bytes: Uint8Array;
  options: ParseOptions;
  resolve: (decoded: Decoded) => void;
  reject: (error: Error) => void;
}

interface Running extends Task {
  id: number;
  timer: NodeJS.Timeout;
  onAbort: () => void;
}

interface Slot {
  child: ChildProcess;
  gone: Promise<void>;
  running: Running | undefined;
  idleTimer: NodeJS.Timeout | undefined;
}

const semiSpaceMb = 8;
const mib = 1024 * 1024;

/** Worker processes, started when first needed, replaced when they die, ended when idle. */
export class ParserPool implements Parser {
  readonly #script: string;
  readonly #timeoutMs: number;
  readonly #heapMb: number;
  readonly #memoryMb: number;
  readonly #idleMs: number;
  readonly #ocr: string | undefined;
  readonly #slots = new Set<Slot>();
  readonly #ending = new Set<Promise<void>>();
  readonly #turns: Turns;
  #nextId = 1;
  #closed = false;

  constructor(options: ParserPoolOptions) {
    this.#script = options.script instanceof URL ? fileURLToPath(options.script) : options.script;
    const size = options.size ?? (availableParallelism() > 2 ? 3 : 2);
    this.#turns = new Turns({ places: size, share: Math.max(1, size - 1) });
    this.#timeoutMs = options.timeoutMs ?? 120_000;
    this.#heapMb = options.heapMb ?? 768;
    this.#memoryMb = options.memoryMb ?? 1_280;
    this.#idleMs = options.idleMs ?? 30_000;
    this.#ocr = options.ocr;
  }

  /** Live workers, for the metrics and the tests. */
  get workers(): number {
    return this.#slots.size;
  }

  get queued(): number {
    return this.#turns.waiting;
  }

  async parse(bytes: Uint8Array, options: ParseOptions): Promise<Decoded> {
    if (this.#closed) throw shuttingDown();
    // A file of nobody in particular is nobody else's turn.
    return this.#turns.use(options.caller ?? `file ${this.#nextId++}`, () => this.#parse(bytes, options));
  }

  #parse(bytes: Uint8Array, options: ParseOptions): Promise<Decoded> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(shuttingDown());
      if (options.signal?.aborted === true) return reject(aborted());
      try {
        this.#start(this.#idleSlot(), { bytes, options, resolve, reject });
      } catch (error) {
        reject(notStarted(error));
      }
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const slot of this.#slots) this.#end(slot, shuttingDown());
    await Promise.all(this.#ending);
  }

  #idleSlot(): Slot {
    for (const slot of this.#slots) if (slot.running === undefined) return slot;
    return this.#spawn();
  }

  #spawn(): Slot {
    const child = fork(this.#script, [String(this.#memoryMb * mib)], {
      // A parser's garbage is short-lived: a small nursery costs little time and halves what an idle process holds.
      execArgv: [`--max-old-space-size=${this.#heapMb}`, `--max-semi-space-size=${semiSpaceMb}`],
      serialization: 'advanced',
      // Secrets of the server's environment are none of a parser's business, and neither is its console.
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const gone = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    const slot: Slot = { child, gone, running: undefined, idleTimer: undefined };
    child.on('message', (reply: WorkerReply) => this.#answered(slot, reply));
    child.on('error', (cause) => this.#end(slot, child.pid === undefined ? notStarted(cause) : crashed(cause)));
    child.on('exit', (code, signal) => this.#end(slot, exitReason(code, signal)));
    this.#slots.add(slot);
    return slot;
  }

  #start(slot: Slot, task: Task): void {
    clearTimeout(slot.idleTimer);
    const id = this.#nextId++;
    const timeoutMs = task.options.timeoutMs ?? this.#timeoutMs;
    const timer = later('ending a slow parser', timeoutMs, () => this.#end(slot, timedOut(timeoutMs)));
    const onAbort = (): void => this.#end(slot, aborted());
    task.options.signal?.addEventListener('abort', onAbort, { once: true });
    slot.running = { ...task, id, timer, onAbort };
    hold(slot.child, true);
    const { signal: _signal, timeoutMs: _timeout, caller: _caller, ...options } = task.options;
    const request: WorkerRequest = {
      id,
      bytes: task.bytes,
      options: this.#ocr === undefined ? options : { ocr: this.#ocr, ...options },
    };
    // One that could not be started says so by its error event.
    if (!slot.child.connected) return;
    slot.child.send(request, (cause) => {
      if (cause !== null) this.#end(slot, crashed(cause));
    });
  }

  #answered(slot: Slot, reply: WorkerReply): void {
    const running = slot.running;
    if (running === undefined || running.id !== reply.id) return;
    this.#settle(slot);
    if ('result' in reply) running.resolve(reply.result);
    else running.reject(new FormatError(reply.word, reply.message));
    this.#rest(slot);
  }

  #settle(slot: Slot): void {
    if (slot.running === undefined) return;
    clearTimeout(slot.running.timer);
    slot.running.options.signal?.removeEventListener('abort', slot.running.onAbort);
    slot.running = undefined;
  }

  #rest(slot: Slot): void {
    hold(slot.child, false);
    clearTimeout(slot.idleTimer);
    slot.idleTimer = later('ending an idle parser', this.#idleMs, () => this.#end(slot, shuttingDown()));
    slot.idleTimer.unref();
  }

  /** The slot is given up at once and a new worker takes its place when there is work. */
  #end(slot: Slot, reason: Error): void {
    if (!this.#slots.delete(slot)) return;
    clearTimeout(slot.idleTimer);
    const running = slot.running;
    this.#settle(slot);
    slot.child.kill('SIGKILL');
    hold(slot.child, true);
    const ending = slot.gone.finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
    running?.reject(reason);
  }
}

/** Whether the server waits for this worker before it may end by itself. */
function hold(child: ChildProcess, held: boolean): void {
  if (held) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

/** Abort is how the engine dies on a full heap; a kill that was not ours is the watchdog's, or the system's when memory ran out. */
function exitReason(code: number | null, signal: NodeJS.Signals | null): FormatError {
  if (signal === 'SIGABRT' || signal === 'SIGKILL' || signal === 'SIGTRAP' || code === 134) {
    return new FormatError(
      'crashed',
      'The file needs more memory than its parser may use. Split it and upload the parts.',
    );
  }
  return crashed(undefined);
}

function crashed(cause: unknown): FormatError {
  return new FormatError(
    'crashed',
    'The file made its parser stop. Save it again in its own program and upload the new copy.',
    { cause },
  );
}

/** The machine's trouble, not the file's. */
function notStarted(cause: unknown): Error {
  const shortage = shortageOf(cause);
  return shortage instanceof Unavailable ? shortage : new Unavailable('a parser could not be started', cause);
}

function timedOut(timeoutMs: number): FormatError {
  return new FormatError(
    'timed_out',
    `The file was not read within ${Math.round(timeoutMs / 1000)} seconds. Split it, or save it again in the program that created it.`,
  );
}

function aborted(): FormatError {
  return new FormatError('crashed', 'The work was called off.');
}

function shuttingDown(): FormatError {
  return new FormatError('crashed', 'The parser is shutting down. Try again later.');
}
