import { setTimeout as sleep } from 'node:timers/promises';
import { runEvery, runInBackground, runDelayed } from '../../lib/background-tasks.ts';
import { randomText } from '../../lib/ids.ts';
import type { Logger } from '../../lib/logger.ts';
import { Unavailable } from '../../ports/availability-errors.ts';
import {
  JobDelayed,
  JobFailed,
  JobPostponed,
  type Job,
  type JobHandler,
  type JobQueue,
  type FairShare,
} from '../../ports/job-queue.ts';

export interface JobRunnerOptions {
  queue: JobQueue;
  handlers: readonly JobHandler[];
  log: Logger;
  concurrency?: number;
  leaseMs?: number;
  /** Polling interval of an idle runner, in milliseconds. */
  pollMs?: number;
  /**
   * Returns true if nothing was written to the database lately. The runner then looks for jobs only every `quietPollMs`
   * milliseconds.
   */
  isQuiet?: () => boolean;
  quietPollMs?: number;
  /** Called when a job begins or ends. */
  onJob?: () => void;
  /** Default time limit of a job, in milliseconds. The job's signal aborts when it is reached. */
  maxJobMs?: number;
  /**
   * Maximum delay in milliseconds before a job is retried while the database or the blob store is unavailable. Up to a
   * quarter is added at random.
   */
  maxOutageDelayMs?: number;
}

const workerDiedReason =
  'The server stopped each time it tried to read this. Save the file again in the program that created it, or split it, and upload it again.';
const unexpectedReason = 'An internal error occurred while reading this; the server log has details. Try again later.';
const waitAfterErrorMs = 1000;

/**
 * Delay in milliseconds before the next jobs are claimed (taken from the queue) while other jobs run. Jobs that arrive
 * during the delay are claimed together, because a claim per job would double the cost of small jobs.
 */
const gatherMs = 20;

/** Kinds of jobs that share a limited number of slots. Each running job occupies one slot. */
interface Lane {
  kinds: string[];
  slots: number;
}

interface Running {
  job: Job;
  abort: AbortController;
  done: Promise<void>;
}

/**
 * Returns whether a job failed because a store, the database or a system resource is unavailable. Such a failure does
 * not count as an attempt.
 */
function isOutage(error: unknown): boolean {
  return error instanceof Unavailable;
}

/**
 * Limits each owner (the user for whom a job runs) to half of the slots, but at least one, so that no owner occupies
 * all slots.
 */
function fairShare(working: readonly Job[], slots: number): FairShare {
  const held = new Map<string, number>();
  for (const job of working) held.set(job.owner, (held.get(job.owner) ?? 0) + 1);
  return { maxPerOwner: Math.max(1, Math.floor(slots / 2)), heldByOwner: held };
}

/**
 * Claims jobs from the queue and runs a limited number of them concurrently. Each running job has a lease, which
 * heartbeats renew.
 */
export class JobRunner {
  readonly #options: Required<JobRunnerOptions>;
  readonly #handlers: Map<string, JobHandler>;
  /**
   * Kinds of jobs with their numbers of slots. Kinds with their own slot limit come first, so that other jobs cannot
   * occupy their slots.
   */
  readonly #lanes: Lane[];
  /**
   * Name of this runner in leases. It is unique per process start, so that a runner never mistakes the leases of an
   * earlier process for its own.
   */
  readonly #worker = `worker_${process.pid}_${randomText(10)}`;
  /** Started jobs by id. A job is removed when its end is recorded in the database. */
  readonly #running = new Map<string, Running>();
  /**
   * Jobs that occupy a slot. A finished job frees its slot before its end is recorded, so that the next job does not
   * wait for the disk.
   */
  readonly #working = new Map<string, Job>();
  #loop: Promise<void> | undefined;
  #beat: NodeJS.Timeout | undefined;
  #isStopping = false;
  /**
   * Time of the first job failure that was caused by an unavailable store, since the last successful job. Undefined if
   * there was no such failure.
   */
  #outageSince: number | undefined;
  #wake: () => void = () => undefined;
  #gathering: NodeJS.Timeout | undefined;
  /**
   * True if `wake` was called while jobs were being claimed. The next pause is then skipped, because jobs may have been
   * added meanwhile.
   */
  #hasNews = false;

  constructor(options: JobRunnerOptions) {
    const usual = {
      concurrency: 32,
      leaseMs: 60_000,
      pollMs: 250,
      isQuiet: () => false,
      quietPollMs: 15_000,
      onJob: () => undefined,
      maxJobMs: 15 * 60_000,
      maxOutageDelayMs: 15_000,
    };
    this.#options = { ...usual, ...options };
    this.#handlers = new Map(options.handlers.map((handler) => [handler.kind, handler]));
    const limited = options.handlers.flatMap(({ kind, slots }) =>
      slots === undefined ? [] : [{ kinds: [kind], slots }],
    );
    const others = options.handlers.filter(({ slots }) => slots === undefined).map(({ kind }) => kind);
    this.#lanes = [...limited, { kinds: others, slots: this.#options.concurrency }];
  }

  start(): void {
    this.#loop ??= runInBackground('claiming jobs', () => this.#claimAll());
    this.#beat ??= runEvery('keeping jobs', this.#options.leaseMs / 3, () => this.#heartbeat()).unref();
  }

  /**
   * Claims jobs at once, or after a short delay if jobs are running. Called when jobs may have been added or a slot
   * became free.
   */
  wake(): void {
    if (this.#working.size === 0) this.#claimNow();
    else this.#gathering ??= runDelayed('claiming jobs', gatherMs, () => this.#claimNow()).unref();
  }

  #claimNow(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    this.#hasNews = true;
    this.#wake();
  }

  /** Stops claiming jobs and waits up to `graceMs` for running jobs. Then requeues the jobs that are still running. */
  async stop(graceMs = 5000): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#gathering);
    this.#wake();
    await this.#loop;
    const all = Promise.all([...this.#running.values()].map(({ done }) => done));
    const timer = runDelayed('ending jobs', graceMs, () => {
      for (const { abort } of this.#running.values()) abort.abort();
    });
    await all;
    clearTimeout(timer);
    clearInterval(this.#beat);
  }

  async #claimAll(): Promise<void> {
    const { concurrency, pollMs, quietPollMs, isQuiet, log } = this.#options;
    while (!this.#isStopping) {
      // Claim several jobs at once by waiting until half of the slots are free. Wait at most pollMs, so that long jobs
      // do not delay short ones.
      if (concurrency - this.#working.size < Math.max(1, concurrency / 2)) await this.#pause(pollMs);
      const free = concurrency - this.#working.size;
      if (free < 1 || this.#isStopping) continue;
      try {
        const jobs = await this.#claim(free);
        for (const job of jobs) this.#begin(job);
        const isResting = this.#working.size === 0 && isQuiet();
        if (jobs.length < free) await this.#pause(isResting ? quietPollMs : pollMs);
      } catch (error) {
        log.warn({ err: error }, 'cannot look for jobs');
        await this.#pause(waitAfterErrorMs);
      }
    }
  }

  async #claim(free: number): Promise<Job[]> {
    const { queue, leaseMs } = this.#options;
    const jobs: Job[] = [];
    for (const { kinds, slots } of this.#lanes) {
      const working = [...this.#working.values()].filter(({ kind }) => kinds.includes(kind));
      const room = Math.min(free - jobs.length, slots - working.length);
      if (room > 0) jobs.push(...(await queue.claim(kinds, this.#worker, leaseMs, room, fairShare(working, slots))));
    }
    return jobs;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isStopping || this.#hasNews) {
        this.#hasNews = false;
        return resolve();
      }
      const end = (): void => {
        clearTimeout(timer);
        this.#wake = () => undefined;
        this.#hasNews = false;
        resolve();
      };
      const timer = runDelayed('looking for jobs', ms, end).unref();
      this.#wake = end;
    });
  }

  #begin(job: Job): void {
    // Ignore a job that is still running in this process. It was claimed again because its lease expired, when the
    // machine was too busy to send heartbeats.
    if (this.#running.has(job.id)) return;
    const abort = new AbortController();
    this.#options.onJob();
    this.#working.set(job.id, job);
    const done = this.#work(job, abort.signal)
      .catch((error: unknown) =>
        this.#options.log.warn(
          { job: job.id, kind: job.kind, err: error },
          'the end of a job was not noted; it is tried again',
        ),
      )
      .finally(() => {
        this.#running.delete(job.id);
        this.#freeSlot(job);
        this.#options.onJob();
      });
    this.#running.set(job.id, { job, abort, done });
  }

  #freeSlot(job: Job): void {
    if (this.#working.delete(job.id) && this.#working.size <= this.#options.concurrency / 2) this.wake();
  }

  async #work(job: Job, canceled: AbortSignal): Promise<void> {
    const { queue } = this.#options;
    const handler = this.#handlers.get(job.kind)!;
    const maxJobMs = handler.maxJobMs ?? this.#options.maxJobMs;
    if (job.attempts > job.maxAttempts)
      return this.#giveUp(handler, job, job.reason === '' ? workerDiedReason : job.reason);
    try {
      await handler.run(job, AbortSignal.any([canceled, AbortSignal.timeout(maxJobMs)]));
      this.#outageSince = undefined;
      this.#freeSlot(job);
    } catch (error) {
      return this.#ended(handler, job, error, canceled);
    }
    await this.#retryWhileUnavailable(() => queue.complete(job.id, this.#worker));
  }

  async #ended(handler: JobHandler, job: Job, error: unknown, canceled: AbortSignal): Promise<void> {
    const { queue, log } = this.#options;
    if (canceled.aborted) return this.#retryWhileUnavailable(() => queue.requeue(job, this.#worker));
    const about = { job: job.id, kind: job.kind, subject: job.subject, attempt: job.attempts };
    if (isOutage(error)) {
      const delay = this.#outageDelay();
      log.warn({ ...about, delay, err: error }, 'a store did not respond; the job is waiting for it');
      return this.#retryWhileUnavailable(() => queue.requeue(job, this.#worker, delay));
    }
    if (error instanceof JobPostponed) return this.#postpone(handler, job, error);
    if (error instanceof JobFailed) return this.#giveUp(handler, job, error.message);
    if (!(error instanceof JobDelayed)) {
      log.error({ ...about, err: error }, 'a job failed');
    }
    const reason = error instanceof JobDelayed ? error.message : unexpectedReason;
    if (job.attempts >= job.maxAttempts) return this.#giveUp(handler, job, reason);
    await this.#retryWhileUnavailable(() => queue.release(job.id, this.#worker, reason));
  }

  #postpone(handler: JobHandler, job: Job, { delayMs, reason }: JobPostponed): Promise<void> {
    const { queue } = this.#options;
    if (reason === undefined) return this.#retryWhileUnavailable(() => queue.requeue(job, this.#worker, delayMs));
    if (job.attempts >= job.maxAttempts) return this.#giveUp(handler, job, reason);
    return this.#retryWhileUnavailable(() => queue.release(job.id, this.#worker, reason, { delayMs }));
  }

  /**
   * Returns the delay in milliseconds before a job is retried while a store is unavailable. The delay grows with the
   * length of the outage.
   */
  #outageDelay(): number {
    const now = performance.now();
    this.#outageSince ??= now;
    const wanted = Math.max(waitAfterErrorMs, (now - this.#outageSince) / 2);
    const delay = Math.min(this.#options.maxOutageDelayMs, wanted);
    return Math.round(delay * (1 + Math.random() / 4));
  }

  /**
   * Runs `tell`, which records the end of a job, and retries while the database is unavailable. Without the retries,
   * the lease would expire and the job would lose an attempt. When the runner stops, throws the error instead.
   */
  async #retryWhileUnavailable(tell: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await tell();
        return;
      } catch (error) {
        if (!isOutage(error) || this.#isStopping) throw error;
      }
      await sleep(waitAfterErrorMs / 2, undefined, { ref: false });
    }
  }

  /**
   * Gives up a job. The handler is called before the job is removed, so that after a crash in between the job still
   * exists and is given up again.
   */
  async #giveUp(handler: JobHandler, job: Job, reason: string): Promise<void> {
    await this.#retryWhileUnavailable(() => handler.giveUp(job, reason));
    await this.#retryWhileUnavailable(() =>
      this.#options.queue.release(job.id, this.#worker, reason, { isFinal: true }),
    );
  }

  async #heartbeat(): Promise<void> {
    const { queue, leaseMs, log } = this.#options;
    for (const { job, abort } of this.#running.values()) {
      try {
        if (!(await queue.heartbeat(job.id, this.#worker, leaseMs))) abort.abort();
      } catch (error) {
        log.warn({ job: job.id, err: error }, 'a job could not be kept');
      }
    }
  }
}
