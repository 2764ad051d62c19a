import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { runEvery, runInBackground } from '../../../lib/background-tasks.ts';
import { toError } from '../../../lib/task-failure.ts';
import { ThreadTerminated } from '../../../lib/worker-thread.ts';
import { Failure, fail } from '../../../kernel/errors.ts';
import { NotWritable, Unavailable } from '../../../ports/availability-errors.ts';
import { IdempotencyKeyConflict } from '../../../ports/idempotency-store.ts';
import { LeaseLost } from '../../../ports/document-leases.ts';
import { VersionConflict, type RevisionId } from '../../../ports/sheet-store.ts';
import { StaleVersion } from '../calls/stale-version.ts';
import { toAppendEntries, commitLeaseOf, toRevisionEvent, type AnsweredRound } from './answered-round.ts';
import type { HostServices } from './host-services.ts';
import { loadDocument, readRevisionsAfter } from './load-document.ts';
import type { Lane, ToolAnswer, ToolRequest } from './protocol.ts';
import { decodeAnswer, createProgressReporter, type QueuedCall } from './queued-call.ts';
import { QueueTimeout, RequestNotStarted, threadLossMessage } from './queued-thread.ts';
import type { DocumentThreadPool } from './document-thread-pool.ts';
import { documentTopic } from '../events.ts';
import { toQuotaFailure } from '../document-storage.ts';

const maxCallsPerRound = 128;
const maxRetries = 200;
/** Maximum number of retries of a call whose thread ended before the call began. */
const maxRestarts = 3;
/**
 * If this many commits of this node are refused because another server node committed first, this node asks the other
 * nodes to pause.
 */
const lossesBeforePause = 3;
const pauseMs = 25;
const maxPauseMs = 1_000;
const progressEveryMs = 100;

/**
 * Event with which the node `from` asks the other server nodes to stop committing to a document for a short time.
 * `losses` is how often its commit was refused because another node committed first.
 */
interface PauseRequest {
  readonly from: string;
  readonly losses: number;
}

/** Functions that a document handle calls when several server nodes edit the same document. */
interface Neighbors {
  /**
   * Called when a commit was refused because another node committed first. If another node holds the document (has its
   * lease), forwards the calls to it. Returns whether they were forwarded.
   */
  takeOver(file: string, calls: readonly QueuedCall[]): Promise<boolean>;
  /** Called when this node has lost the lease on the document to another node. */
  lost(file: string): void;
}

/**
 * One document and the queue of calls on it. A round runs the waiting calls together in the document's worker thread,
 * commits their writes in one transaction, and only then answers the calls. Concurrent writes thus share one sync to
 * disk, and callers see only durable data.
 */
export class DocumentHandle {
  readonly file: string;
  lastUsed = 0;
  cells = 0;
  readonly #services: HostServices;
  readonly #threads: DocumentThreadPool;
  readonly #neighbors: Neighbors | undefined;
  #queue: QueuedCall[] = [];
  #running: Promise<void> | undefined;
  /** Newest version that is committed and loaded in the thread; undefined if the document is not open in a thread. */
  #version: number | undefined;
  /**
   * Identifies the revision that created the version `#version`. The number alone is not enough, because another
   * revision may get it after a restore of the database. Undefined if no revision created the version, as for a
   * document's initial version.
   */
  #mark: RevisionId | undefined;
  /**
   * Number of times that the document was dropped from memory. If it changes while revisions or the document are being
   * loaded, what was loaded is discarded.
   */
  #unloads = 0;
  #snapshotVersion = 0;
  /**
   * Estimated time to open the document, in milliseconds: the duration of the last opening, plus the time of all
   * calculations since then, because opening repeats them. Set to 0 when a snapshot is saved.
   */
  #openingMs = 0;
  readonly #id = randomUUID();
  readonly #stopListening: () => void;
  /** How often the commit of the call that is first in the queue was refused, because another node committed first. */
  #lostCommits = 0;
  /**
   * Time, by `performance.now()`, until which this node runs no calls on the document, so that another node can commit.
   */
  #pausedUntil = 0;

  constructor(file: string, services: HostServices, threads: DocumentThreadPool, neighbors?: Neighbors) {
    this.file = file;
    this.#neighbors = neighbors;
    this.#services = services;
    this.#threads = threads;
    this.#stopListening = services.events.subscribe(`turn:${file}`, (data) => this.#pauseForNode(data as PauseRequest));
  }

  /** Stops listening for the requests of other nodes to pause. Callers must not use the document handle afterwards. */
  dispose(): void {
    this.#stopListening();
  }

  /**
   * Pauses this node's calls on the document, so that the node `from` can commit. Does nothing if more commits of this
   * node were refused than `losses`, the number of refused commits of `from`.
   */
  #pauseForNode({ from, losses }: PauseRequest): void {
    if (from === this.#id || this.#lostCommits > losses) return;
    this.#pausedUntil = performance.now() + Math.min(maxPauseMs, pauseMs * losses);
  }

  get idle(): boolean {
    return this.#running === undefined;
  }

  get version(): number | undefined {
    return this.#version;
  }

  get mark(): RevisionId | undefined {
    return this.#mark;
  }

  get openingMs(): number {
    return this.#openingMs;
  }

  /** Number of revisions since the newest snapshot. */
  get unsaved(): number {
    return (this.#version ?? 0) - this.#snapshotVersion;
  }

  enqueue(call: QueuedCall): void {
    this.#queue.push(call);
    this.#running ??= runInBackground('running calls of a document', () => this.#rounds());
  }

  /**
   * Drops the document from memory because its thread ended or its state differs from the database. The next call opens
   * it again.
   */
  unload(): void {
    this.#unloads++;
    this.#version = undefined;
  }

  async #rounds(): Promise<void> {
    // Wait for one turn of the event loop, so that calls which arrive together are committed together.
    await yieldToEventLoop();
    while (this.#queue.length > 0) {
      const pause = this.#pausedUntil - performance.now();
      if (pause > 0) await sleep(pause);
      const alone = this.#queue.slice(0, maxCallsPerRound).findIndex((call) => call.isAlone);
      const calls = this.#queue.splice(0, alone < 0 ? maxCallsPerRound : Math.max(1, alone));
      try {
        await this.#round(calls);
      } catch (error) {
        // It is unknown which call made the thread time out, so each call now runs alone.
        if (error instanceof ThreadTerminated && error.loss === 'took too long' && calls.length > 1)
          this.#queue.unshift(...calls.map((call) => Object.assign(call, { isAlone: true })));
        else
          for (const call of calls)
            call.reject(
              error instanceof ThreadTerminated ? fail('busy', threadLossMessage(error), { retryAfter: 1 }) : error,
            );
      }
    }
    this.lastUsed = this.#services.clock.now();
    this.#running = undefined;
  }

  async #round(calls: QueuedCall[]): Promise<void> {
    const seeds = calls.map(() => randomInt(2 ** 31));
    const requests = calls.map((call, index): ToolRequest => ({
      tool: call.tool,
      input: call.input,
      userId: call.stamp.userId,
      isOwner: call.isOwner,
      at: call.stamp.at,
      seed: seeds[index]!,
      isAtPage: call.isAtPage,
    }));
    const tell = createProgressReporter(calls);
    const telling =
      tell &&
      runEvery('telling how far a calculation is', progressEveryMs, () =>
        tell(this.#threads.stepsIn(this.file)),
      ).unref();
    const ran = this.#run(Math.max(...calls.map((call) => call.atLeast)), requests);
    const { answers, before, mark, steps } = await ran.finally(() => clearInterval(telling));
    tell?.(steps);
    // The thread stops early if calls take long. Requeue the calls that it did not run.
    this.#queue.unshift(...calls.splice(answers.length));
    try {
      await this.#commit({ calls, answers, seeds, before, mark });
    } catch (error) {
      // Drop the document from memory, because the thread may hold writes that were not committed.
      this.unload();
      throw error;
    }
  }

  /**
   * Runs calls in the document's thread. Returns their answers, the document's version before them (`before`) and the
   * revision that created this version (`mark`).
   */
  async #run(
    atLeast: number,
    requests: readonly ToolRequest[],
  ): Promise<{ answers: ToolAnswer[]; before: number; mark: RevisionId | undefined; steps: number }> {
    let isMoving = false;
    let waits = 0;
    for (;;) {
      try {
        const users = [...new Set(requests.map(({ userId }) => userId))];
        await this.#catchUp(atLeast, this.#threads.laneFor(this.file, users, isMoving));
        isMoving = false;
        const before = this.#version;
        // The document was dropped from memory in the meantime, so open it again.
        if (before === undefined) continue;
        const mark = this.#mark;
        const request = { do: 'run', file: this.file, committed: before, calls: requests } as const;
        const { answers, cells, ms, isLost, isTooMuch, steps } = await this.#threads.sendOrMove(
          request,
          this.#openingMs,
          users,
        );
        this.cells = cells;
        const tried = requests.slice(0, answers.length + (isTooMuch ? 1 : 0));
        this.#threads.recordUsage(this.file, new Set(tried.map(({ userId }) => userId)), ms);
        if (isTooMuch) this.#threads.moveToSlowLane(this.file);
        if (answers.some((answer) => answer.kind === 'write')) this.#openingMs += ms;
        if (isLost) this.#version = undefined;
        // If there are no answers, the first call exceeded the budget of its thread, and the document was assigned to a
        // thread for slow documents. Continue the loop, which repeats the calls in that thread.
        if (answers.length > 0) return { answers, before, mark, steps };
      } catch (error) {
        const isUnbegun = error instanceof RequestNotStarted && error.loss !== 'is closed' && ++waits <= maxRestarts;
        if (!(error instanceof QueueTimeout) && !isUnbegun) throw error;
        // The thread has not begun the call, so the call can be repeated. Clear the version, so that the document is
        // opened again in a free thread.
        this.#version = undefined;
        isMoving = true;
      }
    }
  }

  async #commit(round: AnsweredRound): Promise<void> {
    const { calls, answers, seeds, before, mark } = round;
    const failed = await this.#append(round);
    const firstFailed = failed ? answers.findIndex((answer) => answer.kind === 'write') : -1;
    const again = await this.#outdated(round, firstFailed < 0 ? answers.length : firstFailed);
    let answered = before;
    let newest = mark;
    for (const [index, answer] of answers.entries()) {
      const call = calls[index]!;
      if (firstFailed >= 0 && index >= firstFailed) break;
      if (again.has(call)) continue;
      if (answer.kind === 'failure') call.reject(new Failure(answer.word, answer.message));
      else if (answer.kind === 'fault') call.reject(toError(answer.fault));
      else if (answer.kind === 'stale') call.reject(new StaleVersion(answer.version));
      else if (answer.kind === 'write') {
        answered++;
        newest = { version: answered, at: call.stamp.at, seed: seeds[index]! };
        this.#services.events
          .publish(documentTopic(this.file), toRevisionEvent(call, answer, answered))
          .catch((error: unknown) => {
            this.#services.log.warn({ err: error }, 'publishing a revision');
          });
        call.resolve({ data: decodeAnswer(answer.json), version: answered, notice: answer.notice });
      } else call.resolve({ data: decodeAnswer(answer.json) });
    }
    // If the document was dropped in the meantime because its thread ended, its version stays undefined.
    if (this.#version !== undefined) [this.#version, this.#mark] = [answered, newest];
    if (answered > before) this.#lostCommits = 0;
    if (failed) {
      const wrote = new Set(calls.filter((_, index) => answers[index]?.kind === 'write'));
      await this.#recover(calls.slice(firstFailed), wrote, failed.reason, answered);
    }
    this.#queue.unshift(...again);
  }

  /**
   * Returns which of the first `end` calls must run again, because they ran on another version of the document than the
   * one in the database, for example because another node has committed. Returns none if one of these calls wrote,
   * because its commit has already checked the version.
   */
  async #outdated({ calls, answers, before }: AnsweredRound, end: number): Promise<ReadonlySet<QueuedCall>> {
    const made = answers.slice(0, end);
    const unsure = new Set(calls.filter((call, index) => made[index] && !call.isCurrent));
    if (unsure.size === 0 || made.some((answer) => answer.kind === 'write')) return new Set();
    const newest = (await this.#services.sheets.version(this.file)) ?? 0;
    for (const call of unsure) {
      call.isCurrent = true;
      call.atLeast = Math.max(call.atLeast, newest);
    }
    if (newest < before) this.unload();
    return newest === before ? new Set() : unsure;
  }

  /**
   * Commits the writes of a round, that is, of the calls that ran together, in one transaction. Returns the error if
   * the commit failed.
   */
  async #append(round: AnsweredRound): Promise<{ reason: unknown } | undefined> {
    try {
      const entries = toAppendEntries(round);
      if (entries.length === 0) return undefined;
      await this.#services.sheets.append(this.file, entries, round.mark, commitLeaseOf(round));
      return undefined;
    } catch (error) {
      return { reason: error };
    }
  }

  /**
   * Handles a failed commit of `calls`: rolls back their writes in the thread, and puts the calls that can be repeated
   * back into the queue. Rejects the first call if the error is not a conflict or the call was retried too often. If it
   * is unknown whether the commit succeeded, also rejects the other writes without an idempotency key.
   */
  async #recover(calls: QueuedCall[], wrote: ReadonlySet<QueuedCall>, reason: unknown, version: number): Promise<void> {
    if (this.#version !== undefined) await this.#threads.send({ do: 'rollback', file: this.file, version });
    const [first, ...rest] = calls as [QueuedCall, ...QueuedCall[]];
    const again: QueuedCall[] = [];
    if (reason instanceof IdempotencyKeyConflict && rest.length > 0) {
      // The idempotency key of one of these calls was already used, but it is unknown which one. Calls whose client
      // chose a key therefore run one by one when they are repeated.
      for (const call of calls) call.isAlone ||= call.stamp.idempotencyKey !== undefined && !call.isKeyMade;
      again.push(first);
    } else if (reason instanceof LeaseLost) {
      this.#neighbors?.lost(this.file);
      return this.#runElsewhere(calls);
    } else if (reason instanceof VersionConflict && first.retries < maxRetries) {
      this.#lostCommits = ++first.retries;
      const own = [...calls, ...this.#queue].filter((call) => !call.lease);
      if (await this.#neighbors?.takeOver(this.file, own)) {
        const isOwn = new Set(own);
        this.#queue = this.#queue.filter((call) => !isOwn.has(call));
        return this.#runElsewhere(calls.filter((call) => call.lease));
      }
      again.push(first);
      if (this.#lostCommits >= lossesBeforePause) await this.#requestPause();
      // The commit was refused because the database has other revisions than this node. If the database has no newer
      // revisions, the document in memory differs from the database, so drop it.
      if (!(await this.#readNewRevisions())) this.unload();
    } else {
      first.reject(
        reason instanceof VersionConflict
          ? fail('busy', 'the document is being changed by others; try again', { retryAfter: 1 })
          : toQuotaFailure(reason),
      );
      // If it is unknown whether the commit succeeded, repeating its writes could apply them twice. Repeat only writes
      // with an idempotency key, because the second use of a key is detected.
      const isUnknown = reason instanceof Unavailable && !(reason instanceof NotWritable);
      const uncertain = isUnknown ? rest.filter((call) => wrote.has(call) && !call.stamp.idempotencyKey) : [];
      for (const call of uncertain) call.reject(reason);
      again.push(...rest.filter((call) => !uncertain.includes(call)));
      rest.length = 0;
    }
    this.#queue.unshift(...again, ...rest);
  }

  /**
   * Rejects the calls that other nodes forwarded to this node; those nodes then run them elsewhere. Puts all other
   * calls back into the queue.
   */
  #runElsewhere(calls: readonly QueuedCall[]): void {
    for (const call of calls) if (call.lease) call.reject(new LeaseLost(call.lease.resource));
    this.#queue.unshift(...calls.filter((call) => !call.lease));
  }

  async #requestPause(): Promise<void> {
    const turn: PauseRequest = { from: this.#id, losses: this.#lostCommits };
    await this.#services.events
      .publish(`turn:${this.file}`, turn)
      .catch((error: unknown) => this.#services.log.warn({ err: error }, 'asking for a turn'));
  }

  /** Opens the document at version `atLeast` or later, once no calls of the document are running. */
  ensureOpen(atLeast: number, lane?: Lane): Promise<void> {
    return this.runExclusive(() => this.#catchUp(atLeast, lane ?? this.#threads.laneFor(this.file, [], false)));
  }

  /**
   * Opens the document in a thread of the kind `lane`, if it is not open there. If the open document is older than
   * `atLeast`, loads newer revisions from the database.
   */
  async #catchUp(atLeast: number, lane: Lane): Promise<void> {
    if (this.#version !== undefined && this.#threads.laneOf(this.file) !== lane) this.#version = undefined;
    if (this.#version !== undefined && this.#version < atLeast) await this.#readNewRevisions();
    while (this.#version === undefined) await this.#open(lane);
  }

  async #open(lane: Lane): Promise<void> {
    const forgets = this.#unloads;
    if ((await this.#services.sheets.version(this.file)) === undefined)
      throw fail('no_such_file', `file_id: there is no document ${JSON.stringify(this.file)}`);
    const opened = await loadDocument(this.#services, this.#threads, this.file, lane).catch((error: unknown) => {
      if (forgets === this.#unloads) throw error;
    });
    if (!opened || forgets !== this.#unloads) return;
    this.#version = opened.version;
    this.#mark = opened.mark;
    this.#snapshotVersion = opened.snapshotVersion;
    this.cells = opened.cells;
    this.#openingMs = opened.ms;
  }

  /**
   * Loads from the database the revisions that are newer than the document in memory, and applies them in its thread.
   * Returns whether there were any. If the newest revision in memory is missing in the database, drops the document
   * from memory.
   */
  async #readNewRevisions(): Promise<boolean> {
    const forgets = this.#unloads;
    for (let hasRead = false; this.#version !== undefined; hasRead = true) {
      const revisions = await readRevisionsAfter(this.#services, this.file, this.#version, this.#mark);
      if (forgets !== this.#unloads) return hasRead;
      if (!revisions) this.unload();
      if (!revisions || revisions.length === 0) return hasRead;
      const { version, cells, ms } = await this.#threads.send({ do: 'apply', file: this.file, revisions });
      if (forgets !== this.#unloads) return true;
      this.#version = version;
      this.#mark = revisions.find((revision) => revision.version === version) ?? this.#mark;
      this.cells = cells;
      this.#openingMs += ms;
    }
    return false;
  }

  /** Runs work while no calls of this document are running. New calls wait until the work ends. */
  async runExclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#running) await this.#running;
    const running = work();
    this.#running = running.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await running;
    } finally {
      this.#running = undefined;
      if (this.#queue.length > 0) this.#running = runInBackground('running calls of a document', () => this.#rounds());
    }
  }

  snapshotSaved(version: number): void {
    this.#snapshotVersion = Math.max(this.#snapshotVersion, version);
    this.#openingMs = 0;
  }
}
