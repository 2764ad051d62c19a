import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { FormatError } from '@sheaf/files/format-error';
import type { Decoded } from '@sheaf/files/types';
import type { WorkerReply, WorkerRequest } from './worker.ts';
import { inBackground, later, nextTurn } from '../../lib/background.ts';
import { Turns } from '../../lib/turns.ts';
import type { ParseOptions, Parser } from '../../ports/parser.ts';
import { shortageOf, Unavailable } from '../../ports/unavailable.ts';

export interface ParserPoolOptions {
  /** The bundled `packages/server/src/adapters/parse/worker.ts`. */
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
  id: number;
  bytes: Uint8Array;
  options: ParseOptions;
  resolve: (decoded: Decoded) => void;
  reject: (error: Error) => void;
  /** Nobody waits for it any more. */
  isOver: boolean;
  onAbort: () => void;
}

interface Slot {
  child: ChildProcess;
  gone: Promise<void>;
  /** Whose files it has. */
  caller: string;
  /** The first is being read, the others follow without a way there and back between them. */
  tasks: Task[];
  timer: NodeJS.Timeout | undefined;
  idleTimer: NodeJS.Timeout | undefined;
  /** Its turn is over. */
  done: () => void;
}

const semiSpaceMb = 8;
const mib = 1024 * 1024;
/** Files of up to so many bytes are sent to a worker before it has answered for the last, and so many at most. */
const smallBytes = 64 * 1024;
const maxAhead = 4;

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
  /** The files of each caller that no worker has yet. */
  readonly #waiting = new Map<string, Task[]>();
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

  parse(bytes: Uint8Array, options: ParseOptions): Promise<Decoded> {
    if (this.#closed) return Promise.reject(shuttingDown());
    const id = this.#nextId++;
    // A file of nobody in particular is nobody else's turn.
    const caller = options.caller ?? `file ${id}`;
    return new Promise((resolve, reject) => {
      if (options.signal?.aborted === true) return reject(aborted());
      const task: Task = { id, bytes, options, resolve, reject, isOver: false, onAbort: () => this.#abort(task) };
      options.signal?.addEventListener('abort', task.onAbort, { once: true });
      this.#add(caller, task, 'last');
      // Not at once: others who come at the same time are to have their turns first.
      nextTurn('sending files ahead', () => {
        for (const slot of this.#slots) if (slot.caller === caller) this.#sendMore(slot);
      });
    });
  }

  #add(caller: string, task: Task, place: 'first' | 'last'): void {
    const own = this.#waiting.get(caller);
    if (!own) this.#waiting.set(caller, [task]);
    else if (place === 'last') own.push(task);
    else own.unshift(task);
    void inBackground('reading a file', () => this.#turns.use(caller, () => this.#takeTurn(caller)));
  }

  /** Until a worker has read what it was given: one file, and small ones that follow while nobody else waits. */
  async #takeTurn(caller: string): Promise<void> {
    const task = this.#nextOf(caller);
    if (!task) return;
    await new Promise<void>((done) => {
      if (this.#closed) return done(over(task).reject(shuttingDown()));
      let slot: Slot;
      try {
        slot = this.#idleSlot();
      } catch (error) {
        return done(over(task).reject(notStarted(error)));
      }
      Object.assign(slot, { caller, done });
      clearTimeout(slot.idleTimer);
      hold(slot.child, true);
      this.#send(slot, task);
      this.#sendMore(slot);
    });
  }

  #nextOf(caller: string): Task | undefined {
    const own = this.#waiting.get(caller);
    let task = own?.shift();
    while (task?.isOver) task = own?.shift();
    if (own?.length === 0) this.#waiting.delete(caller);
    return task;
  }

  #sendMore(slot: Slot): void {
    if (slot.tasks.length === 0 || this.#turns.hasOthers(slot.caller)) return;
    const own = this.#waiting.get(slot.caller);
    while (own?.[0] && slot.tasks.length < maxAhead && [...slot.tasks, own[0]].every(isSmall)) {
      const task = this.#nextOf(slot.caller);
      if (task) this.#send(slot, task);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const slot of this.#slots) this.#end(slot, shuttingDown());
    for (const own of this.#waiting.values()) for (const task of own) over(task).reject(shuttingDown());
    this.#waiting.clear();
    await Promise.all(this.#ending);
  }

  #idleSlot(): Slot {
    for (const slot of this.#slots) if (slot.tasks.length === 0) return slot;
    return this.#spawn();
  }

  #spawn(): Slot {
    const child = fork(this.#script, [String(this.#memoryMb * mib), String(process.pid)], {
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
    const slot: Slot = {
      child,
      gone,
      caller: '',
      tasks: [],
      timer: undefined,
      idleTimer: undefined,
      done: () => undefined,
    };
    child.on('message', (reply: WorkerReply) => this.#answered(slot, reply));
    child.on('error', (cause) => this.#end(slot, child.pid === undefined ? notStarted(cause) : crashed(cause)));
    child.on('exit', (code, signal) => this.#end(slot, exitReason(code, signal)));
    this.#slots.add(slot);
    return slot;
  }

  #send(slot: Slot, task: Task): void {
    slot.tasks.push(task);
    if (slot.tasks.length === 1) this.#watch(slot);
    const { signal: _signal, timeoutMs: _timeout, caller: _caller, ...options } = task.options;
    const request: WorkerRequest = {
      id: task.id,
      bytes: task.bytes,
      options: this.#ocr === undefined ? options : { ocr: this.#ocr, ...options },
    };
    // One that could not be started says so by its error event.
    if (!slot.child.connected) return;
    try {
      slot.child.send(request, (cause) => {
        if (cause !== null) this.#end(slot, crashed(cause));
      });
    } catch (error) {
      this.#end(slot, crashed(error));
    }
  }

  /** The time of a file counts from when the one before it was answered for. */
  #watch(slot: Slot): void {
    const timeoutMs = slot.tasks[0]?.options.timeoutMs ?? this.#timeoutMs;
    slot.timer = later('ending a slow parser', timeoutMs, () => this.#end(slot, timedOut(timeoutMs)));
  }

  #answered(slot: Slot, reply: WorkerReply): void {
    const task = slot.tasks[0];
    if (task === undefined || task.id !== reply.id) return;
    clearTimeout(slot.timer);
    slot.tasks.shift();
    if ('result' in reply) over(task).resolve(reply.result);
    else over(task).reject(new FormatError(reply.word, reply.message));
    if (slot.tasks.length > 0) {
      this.#watch(slot);
      this.#sendMore(slot);
    } else this.#rest(slot);
  }

  #rest(slot: Slot): void {
    hold(slot.child, false);
    slot.idleTimer = later('ending an idle parser', this.#idleMs, () => this.#end(slot, shuttingDown()));
    slot.idleTimer.unref();
    slot.done();
  }

  /** What is being read ends with its worker; what only waits is over at once. */
  #abort(task: Task): void {
    if (task.isOver) return;
    for (const slot of this.#slots) if (slot.tasks[0] === task) return this.#end(slot, aborted());
    over(task).reject(aborted());
  }

  /** The slot is given up at once and a new worker takes its place when there is work. */
  #end(slot: Slot, reason: Error): void {
    if (!this.#slots.delete(slot)) return;
    clearTimeout(slot.idleTimer);
    clearTimeout(slot.timer);
    const [running, ...rest] = slot.tasks.splice(0);
    slot.child.kill('SIGKILL');
    hold(slot.child, true);
    const ending = slot.gone.finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
    if (running) over(running).reject(reason);
    // What was to follow has nothing to do with it.
    for (const task of rest.reverse()) {
      if (this.#closed) over(task).reject(shuttingDown());
      else this.#add(slot.caller, task, 'first');
    }
    slot.done();
  }
}

/** Its end: a signal that lives on does not hold its bytes. */
function over(task: Task): Task {
  task.isOver = true;
  task.options.signal?.removeEventListener('abort', task.onAbort);
  return task;
}

function isSmall({ bytes }: Task): boolean {
  return bytes.length <= smallBytes;
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
