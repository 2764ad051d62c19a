import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { FormatError } from '@sheaf/files/format-error';
import type { DecodedFile } from '@sheaf/files/decode-types';
import type { ParserReply, ParserRequest } from './parser-process.ts';
import { runInBackground, runDelayed, runInNextTurn } from '../../lib/background-tasks.ts';
import { limitCpuTime } from '../../lib/cpu-time-limit.ts';
import { FairScheduler } from '../../lib/fair-scheduler.ts';
import { processCpuMs } from '../../lib/thread-cpu-time.ts';
import { isLargeFile, type ParseOptions, type FileParser } from '../../ports/file-parser.ts';
import { toUnavailable, Unavailable } from '../../ports/availability-errors.ts';

export interface ParserPoolOptions {
  /** Path of the bundled `packages/server/src/adapters/parse/parser-process.ts`. */
  script: string | URL;
  /**
   * Number of worker processes for the main queue. One caller (the user to whom files belong) may occupy all but one of
   * them. An additional process parses small files of callers whose large files are in the main queue.
   */
  size?: number;
  /** CPU time limit per file, in milliseconds. */
  timeoutMs?: number;
  /** JavaScript heap limit of a worker, in MiB. */
  heapMb?: number;
  /** Limit of a worker's total memory including buffers, in MiB. */
  memoryMb?: number;
  idleMs?: number;
  ocr?: string | undefined;
}

interface Task {
  id: number;
  bytes: Uint8Array;
  options: ParseOptions;
  resolve: (decoded: DecodedFile) => void;
  reject: (error: Error) => void;
  isOver: boolean;
  onAbort: () => void;
}

/** A queue of files with a scheduler, which limits how many workers the queue may occupy. */
interface Lane {
  scheduler: FairScheduler;
  /** Files that are not assigned to a worker yet, by caller. */
  waiting: Map<string, Task[]>;
}

interface Slot {
  child: ChildProcess;
  gone: Promise<void>;
  lane: Lane;
  /** Caller (the owner of the files) whose files the worker decodes. */
  caller: string;
  /** Files sent to the worker. It decodes the first one. The others are sent in advance to save a round trip. */
  tasks: Task[];
  /** Stops checking the time limit of the file that the worker decodes. */
  endWatch: () => void;
  idleTimer: NodeJS.Timeout | undefined;
  done: () => void;
}

const semiSpaceMb = 8;
const mib = 1024 * 1024;
/** Maximum size in bytes of a file that is sent to a worker while the worker still decodes the previous file. */
const smallBytes = 64 * 1024;
const maxAhead = 4;

/** Decodes files in worker processes. Workers are started on demand, replaced when they die, and ended when idle. */
export class ParserPool implements FileParser {
  readonly #script: string;
  readonly #timeoutMs: number;
  readonly #heapMb: number;
  readonly #memoryMb: number;
  readonly #idleMs: number;
  readonly #ocr: string | undefined;
  readonly #slots = new Set<Slot>();
  readonly #ending = new Set<Promise<void>>();
  readonly #mainLane: Lane;
  /**
   * Queue for small files of callers that have large files in the main queue. The small files then need not wait for
   * the large ones.
   */
  readonly #smallLane: Lane = { scheduler: new FairScheduler({ slots: 1 }), waiting: new Map() };
  /** Number of large files by caller that are queued or being parsed. */
  readonly #largeFiles = new Map<string, number>();
  #nextId = 1;
  #closed = false;

  constructor(options: ParserPoolOptions) {
    this.#script = options.script instanceof URL ? fileURLToPath(options.script) : options.script;
    const size = options.size ?? (availableParallelism() > 2 ? 3 : 2);
    const scheduler = new FairScheduler({ slots: size, maxPerOwner: Math.max(1, size - 1) });
    this.#mainLane = { scheduler, waiting: new Map() };
    this.#timeoutMs = options.timeoutMs ?? 120_000;
    this.#heapMb = options.heapMb ?? 768;
    this.#memoryMb = options.memoryMb ?? 1_280;
    this.#idleMs = options.idleMs ?? 30_000;
    this.#ocr = options.ocr;
  }

  /** Number of live workers, for metrics and tests. */
  get workers(): number {
    return this.#slots.size;
  }

  get queued(): number {
    return this.#mainLane.scheduler.queueLength + this.#smallLane.scheduler.queueLength;
  }

  parse(bytes: Uint8Array, options: ParseOptions): Promise<DecodedFile> {
    if (this.#closed) return Promise.reject(shuttingDown());
    const id = this.#nextId++;
    // A file without a caller (the user to whom it belongs) is scheduled as if it came from a caller with only this
    // file.
    const caller = options.caller ?? `file ${id}`;
    if (!isLargeFile(bytes.length)) return this.#parse(id, bytes, options, caller);
    this.#countLarge(caller, 1);
    return this.#parse(id, bytes, options, caller).finally(() => this.#countLarge(caller, -1));
  }

  #countLarge(caller: string, change: number): void {
    const count = (this.#largeFiles.get(caller) ?? 0) + change;
    if (count > 0) this.#largeFiles.set(caller, count);
    else this.#largeFiles.delete(caller);
  }

  #parse(id: number, bytes: Uint8Array, options: ParseOptions, caller: string): Promise<DecodedFile> {
    return new Promise((resolve, reject) => {
      if (options.signal?.aborted === true) return reject(aborted());
      const task: Task = { id, bytes, options, resolve, reject, isOver: false, onAbort: () => this.#abort(task) };
      options.signal?.addEventListener('abort', task.onAbort, { once: true });
      this.#add(caller, task, 'last');
      // Hand further files of this caller to its parser processes only in the next turn of the event loop, so that
      // other callers that arrive at the same time get a process first.
      runInNextTurn('sending files ahead', () => {
        for (const slot of this.#slots) if (slot.caller === caller) this.#sendMore(slot);
      });
    });
  }

  #add(caller: string, task: Task, place: 'first' | 'last'): void {
    const isBehindLarge = !isLargeFile(task.bytes.length) && this.#largeFiles.has(caller);
    const lane = isBehindLarge ? this.#smallLane : this.#mainLane;
    const own = lane.waiting.get(caller);
    if (!own) lane.waiting.set(caller, [task]);
    else if (place === 'last') own.push(task);
    else own.unshift(task);
    void runInBackground('reading a file', () => lane.scheduler.run(caller, () => this.#runNext(lane, caller)));
  }

  /**
   * Sends the caller's next waiting file to an idle worker and waits until it is decoded. As long as no other caller
   * waits, further small files of this caller are sent to the same worker in advance.
   */
  async #runNext(lane: Lane, caller: string): Promise<void> {
    const task = nextOf(lane, caller);
    if (!task) return;
    await new Promise<void>((done) => {
      if (this.#closed) return done(settle(task).reject(shuttingDown()));
      let slot: Slot;
      try {
        slot = this.#idleSlot();
      } catch (error) {
        return done(settle(task).reject(notStarted(error)));
      }
      Object.assign(slot, { lane, caller, done });
      clearTimeout(slot.idleTimer);
      setKeepsAlive(slot.child, true);
      this.#send(slot, task);
      this.#sendMore(slot);
    });
  }

  #sendMore(slot: Slot): void {
    const { lane, caller } = slot;
    if (slot.tasks.length === 0 || lane.scheduler.hasOtherOwnersQueued(caller)) return;
    const own = lane.waiting.get(caller);
    while (own?.[0] && slot.tasks.length < maxAhead && [...slot.tasks, own[0]].every(isSmall)) {
      const task = nextOf(lane, caller);
      if (task) this.#send(slot, task);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const slot of this.#slots) this.#end(slot, shuttingDown());
    for (const { waiting } of [this.#mainLane, this.#smallLane]) {
      for (const own of waiting.values()) for (const task of own) settle(task).reject(shuttingDown());
      waiting.clear();
    }
    await Promise.all(this.#ending);
  }

  #idleSlot(): Slot {
    for (const slot of this.#slots) if (slot.tasks.length === 0) return slot;
    return this.#spawn();
  }

  #spawn(): Slot {
    const child = fork(this.#script, [String(this.#memoryMb * mib), String(process.pid)], {
      // Limit the young generation of the heap. A parser's garbage is short-lived, so this costs little time and halves
      // an idle process's memory.
      execArgv: [`--max-old-space-size=${this.#heapMb}`, `--max-semi-space-size=${semiSpaceMb}`],
      serialization: 'advanced',
      // Hide the server's environment, which contains secrets, and its console from the parser.
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
      lane: this.#mainLane,
      caller: '',
      tasks: [],
      endWatch: () => undefined,
      idleTimer: undefined,
      done: () => undefined,
    };
    child.on('message', (reply: ParserReply) => this.#answered(slot, reply));
    child.on('error', (cause) => this.#end(slot, child.pid === undefined ? notStarted(cause) : crashed(cause)));
    child.on('exit', (code, signal) => this.#end(slot, exitReason(code, signal)));
    this.#slots.add(slot);
    return slot;
  }

  #send(slot: Slot, task: Task): void {
    slot.tasks.push(task);
    if (slot.tasks.length === 1) this.#watch(slot);
    const { signal: _signal, timeoutMs: _timeout, caller: _caller, ...options } = task.options;
    const request: ParserRequest = {
      id: task.id,
      bytes: task.bytes,
      options: this.#ocr === undefined ? options : { ocr: this.#ocr, ...options },
    };
    // If the worker failed to start, send nothing. Its error event then ends the slot, which rejects or requeues the
    // file.
    if (!slot.child.connected) return;
    try {
      slot.child.send(request, (cause) => {
        if (cause !== null) this.#end(slot, crashed(cause));
      });
    } catch (error) {
      this.#end(slot, crashed(error));
    }
  }

  /**
   * Starts checking the CPU time limit of the first file in the slot, which its worker decodes now. Called when the
   * file is sent to an idle worker or when the previous file is answered.
   */
  #watch(slot: Slot): void {
    const limitMs = slot.tasks[0]?.options.timeoutMs ?? this.#timeoutMs;
    const { pid } = slot.child;
    slot.endWatch = limitCpuTime({
      name: 'ending a slow parser',
      limitMs,
      readCpuMs: () => (pid === undefined ? undefined : processCpuMs(pid)),
      onExceeded: () => this.#end(slot, timedOut(limitMs)),
    });
  }

  #answered(slot: Slot, reply: ParserReply): void {
    const task = slot.tasks[0];
    if (task === undefined || task.id !== reply.id) return;
    slot.endWatch();
    slot.tasks.shift();
    if ('result' in reply) settle(task).resolve(reply.result);
    else settle(task).reject(new FormatError(reply.word, reply.message));
    if (slot.tasks.length > 0) {
      this.#watch(slot);
      this.#sendMore(slot);
    } else this.#idle(slot);
  }

  #idle(slot: Slot): void {
    setKeepsAlive(slot.child, false);
    slot.idleTimer = runDelayed('ending an idle parser', this.#idleMs, () => this.#end(slot, shuttingDown()));
    slot.idleTimer.unref();
    slot.done();
  }

  /** Kills the worker if it is decoding the task's file. A file that still waits is only rejected. */
  #abort(task: Task): void {
    if (task.isOver) return;
    for (const slot of this.#slots) if (slot.tasks[0] === task) return this.#end(slot, aborted());
    settle(task).reject(aborted());
  }

  /**
   * Kills the worker, rejects its current file with `reason` and frees the slot. A new worker starts when there is
   * work.
   */
  #end(slot: Slot, reason: Error): void {
    if (!this.#slots.delete(slot)) return;
    clearTimeout(slot.idleTimer);
    slot.endWatch();
    const [running, ...rest] = slot.tasks.splice(0);
    slot.child.kill('SIGKILL');
    setKeepsAlive(slot.child, true);
    const ending = slot.gone.finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
    if (running) settle(running).reject(reason);
    // Requeue the files that were sent to the worker in advance, because they did not cause the failure.
    for (const task of rest.reverse()) {
      if (this.#closed) settle(task).reject(shuttingDown());
      else this.#add(slot.caller, task, 'first');
    }
    slot.done();
  }
}

/** Marks the task as settled and removes its abort listener, so that a long-lived signal does not retain the bytes. */
function settle(task: Task): Task {
  task.isOver = true;
  task.options.signal?.removeEventListener('abort', task.onAbort);
  return task;
}

/**
 * Removes the caller's next file from the queue and returns it. Skips files whose parsing was aborted while they were
 * queued.
 */
function nextOf({ waiting }: Lane, caller: string): Task | undefined {
  const own = waiting.get(caller);
  let task = own?.shift();
  while (task?.isOver) task = own?.shift();
  if (own?.length === 0) waiting.delete(caller);
  return task;
}

function isSmall({ bytes }: Task): boolean {
  return bytes.length <= smallBytes;
}

/** Sets whether the worker keeps the server process alive. */
function setKeepsAlive(child: ChildProcess, held: boolean): void {
  if (held) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

/**
 * Returns the error for a worker that exited. The listed signals and code 134 mean that it ran out of memory: Node
 * aborts when the heap is full, and the worker's memory watchdog or the operating system kills the process.
 */
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

/**
 * Returns the error for a worker that could not be started. It is always an Unavailable, so that the job is retried,
 * because the machine and not the file is at fault.
 */
function notStarted(cause: unknown): Error {
  const shortage = toUnavailable(cause);
  return shortage instanceof Unavailable ? shortage : new Unavailable('a parser could not be started', cause);
}

function timedOut(timeoutMs: number): FormatError {
  return new FormatError(
    'timed_out',
    `The file was not read within ${Math.round(timeoutMs / 1000)} seconds of processor time. Split it, or save it again in the program that created it.`,
  );
}

function aborted(): FormatError {
  return new FormatError('crashed', 'The work was called off.');
}

function shuttingDown(): FormatError {
  return new FormatError('crashed', 'The parser is shutting down. Try again later.');
}
