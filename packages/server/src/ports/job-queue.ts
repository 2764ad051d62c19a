import type { Stamp } from './audit-stamp.ts';

export type JobState = 'queued' | 'running' | 'done' | 'failed';

export interface Job {
  id: string;
  kind: string;
  /**
   * Id of the object that the job processes, such as an item. Jobs with the same kind and subject never run
   * concurrently.
   */
  subject: string;
  payload: unknown;
  state: JobState;
  attempts: number;
  maxAttempts: number;
  runAt: number;
  leaseUntil: number | null;
  /** Reason for the failure of the job's last attempt, shown to the user. */
  reason: string;
  /** User for whom the job runs; '' if none. */
  owner: string;
  createdAt: number;
  updatedAt: number;
}

export interface NewJob {
  kind: string;
  subject: string;
  payload?: unknown;
  maxAttempts?: number;
  /** Earliest start of the job in Unix milliseconds. Default: now. */
  runAt?: number;
  owner?: string;
}

/**
 * Limits for fair scheduling among owners (the users for whom jobs run): the maximum number of jobs that a worker may
 * run at a time per owner, and the number that it already runs for each owner.
 */
export interface FairShare {
  readonly maxPerOwner: number;
  readonly heldByOwner: ReadonlyMap<string, number>;
}

/**
 * Stores background jobs durably: an enqueued job survives crashes. A worker that claims a job gets a lease on it. When
 * the lease expires, the job can be claimed again. After maxAttempts failed attempts, the job fails with a reason. If
 * the workers died at every attempt, the job is claimed once more with `attempts` above maxAttempts, and the worker
 * calls the handler's `giveUp` instead of `run`.
 */
export interface JobQueue {
  enqueue(stamp: Stamp, job: NewJob): Promise<string>;
  /**
   * Leases up to `limit` due jobs of these kinds to `worker` for `leaseMs` milliseconds. Takes turns among owners (the
   * users for whom jobs run) and begins with the job of each owner that has been due longest. `turns` limits the number
   * of jobs per owner.
   */
  claim(kinds: readonly string[], worker: string, leaseMs: number, limit: number, turns?: FairShare): Promise<Job[]>;
  /**
   * Renews the lease of a job. Returns false if the lease was lost: another worker may then run the job, so the calling
   * worker must stop.
   */
  heartbeat(id: string, worker: string, leaseMs: number): Promise<boolean>;
  complete(id: string, worker: string): Promise<boolean>;
  /**
   * Ends a failed attempt. Requeues the job, by default with a delay that grows with each attempt. If no attempts are
   * left or `isFinal` is set, the job's state becomes `failed`. Returns the new state, or undefined if the worker has
   * lost the lease.
   */
  release(
    id: string,
    worker: string,
    reason: string,
    options?: { isFinal?: boolean; delayMs?: number },
  ): Promise<JobState | undefined>;
  /**
   * Requeues the job without using up an attempt. Used if the worker or a store failed and not the job itself. Returns
   * false if the lease was lost.
   */
  requeue(job: Job, worker: string, delayMs?: number): Promise<boolean>;
  /** Deletes jobs that were done or failed before the time `before`. Returns the number of deleted jobs. */
  deleteFinished(before: number): Promise<number>;
  get(id: string): Promise<Job | undefined>;
  listBySubject(kind: string, subject: string): Promise<Job[]>;
  cancel(stamp: Stamp, kind: string, subject: string): Promise<number>;
  counts(): Promise<Record<JobState, number>>;
}

/** Thrown by a handler when a retry would not help. The message is shown to the user. */
export class JobFailed extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JobFailed';
  }
}

/** Thrown by a handler when a retry may help. The message is shown to the user if no attempt succeeds. */
export class JobDelayed extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JobDelayed';
  }
}

/**
 * Thrown by a handler to run the job again later. With a reason, the run counts as an attempt and the reason is stored
 * in the job. Without a reason, the run does not count.
 */
export class JobPostponed extends Error {
  readonly delayMs: number;
  readonly reason: string | undefined;

  constructor(delayMs: number, reason?: string) {
    super(reason ?? 'the job is postponed');
    this.name = 'JobPostponed';
    this.delayMs = delayMs;
    this.reason = reason;
  }
}

/** Runs one kind of job. It may run more than once per job, for example after a crash, so it must be idempotent. */
export interface JobHandler {
  readonly kind: string;
  /** Maximum number of concurrent jobs of this kind, so that other kinds can run too. Default: no limit. */
  readonly slots?: number;
  /** Time limit of a job in milliseconds. Default: the limit of the job runner. */
  readonly maxJobMs?: number;
  /**
   * Performs the job. The signal aborts when the job's time limit is reached, when its lease is lost, for example
   * because the job was canceled, or when the server stops.
   */
  run(job: Job, signal: AbortSignal): Promise<void>;
  /**
   * Called when the job failed and will not be retried. Implementations must record the failure in the object that the
   * job processes.
   */
  giveUp(job: Job, reason: string): Promise<void>;
}
