import type { Stamp } from './audit-stamp.ts';

export type JobState = 'queued' | 'running' | 'done' | 'failed';

export interface Job {
  id: string;
  kind: string;
  /** What the job is about (an item id); jobs with the same kind and subject never run concurrently. */
  subject: string;
  payload: unknown;
  state: JobState;
  attempts: number;
  maxAttempts: number;
  runAt: number;
  leaseUntil: number | null;
  /** Why the last attempt failed, as shown to the user. */
  reason: string;
  /** The user the job is done for; '' if none. */
  owner: string;
  createdAt: number;
  updatedAt: number;
}

export interface NewJob {
  kind: string;
  subject: string;
  payload?: unknown;
  maxAttempts?: number;
  /** Unix milliseconds; default now. */
  runAt?: number;
  owner?: string;
}

/** Fair scheduling: how many jobs of one owner a worker takes, and how many it already has per owner. */
export interface FairShare {
  readonly maxPerOwner: number;
  readonly heldByOwner: ReadonlyMap<string, number>;
}

/**
 * Durable jobs. Guarantees: an enqueued job survives any crash; a claimed job is leased and can be claimed again when
 * the lease expires (the worker died); after maxAttempts it fails with a reason.
 *
 * A job whose workers died at every attempt is claimed once more, with `attempts` above maxAttempts. The worker then
 * calls the handler's `giveUp` instead of `run`, so that a crash cannot leave the subject without its failure.
 */
export interface JobQueue {
  enqueue(stamp: Stamp, job: NewJob): Promise<string>;
  /**
   * Leases up to `limit` due jobs of these kinds to `worker` for `leaseMs`, round-robin among owners, oldest first per
   * owner.
   */
  claim(kinds: readonly string[], worker: string, leaseMs: number, limit: number, turns?: FairShare): Promise<Job[]>;
  /** Returns false if the lease was lost: the worker must stop. */
  heartbeat(id: string, worker: string, leaseMs: number): Promise<boolean>;
  complete(id: string, worker: string): Promise<boolean>;
  /** Requeues the job with a growing delay, or fails it if attempts are used up or `final` is set. */
  release(id: string, worker: string, reason: string, final?: boolean): Promise<JobState | undefined>;
  /** Requeues the job without counting the attempt, when the worker or a store failed rather than the job. */
  requeue(job: Job, worker: string, delayMs?: number): Promise<boolean>;
  /** Deletes jobs that were done or failed before a time. */
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

/** Runs one kind of job. It may run more than once per job (after a crash), so it must be idempotent. */
export interface JobHandler {
  readonly kind: string;
  /** The signal aborts when the job is canceled or the server stops. */
  run(job: Job, signal: AbortSignal): Promise<void>;
  /** Called when the job is not retried; marks its subject as failed. */
  giveUp(job: Job, reason: string): Promise<void>;
}
