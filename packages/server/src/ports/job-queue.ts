import type { Stamp } from './stamp.ts';

export type JobState = 'queued' | 'running' | 'done' | 'failed';

export interface Job {
  id: string;
  kind: string;
  /** What the job is about (an item id); jobs of one kind and subject never run at the same time. */
  subject: string;
  payload: unknown;
  state: JobState;
  attempts: number;
  maxAttempts: number;
  runAt: number;
  leaseUntil: number | null;
  /** Why the last attempt failed, for a person. */
  reason: string;
  /** The user it is done for; '' when for nobody in particular. */
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

/** How many jobs of one owner a worker takes, and how many it has of each already. */
export interface Turns {
  readonly share: number;
  readonly held: ReadonlyMap<string, number>;
}

/**
 * Durable jobs. Guarantees: an enqueued job survives any crash; a claimed job is leased, and after the lease runs out
 * (the worker died) it can be claimed again; after maxAttempts it is failed with its reason, never retried in silence.
 *
 * A job whose workers died at every attempt is claimed once more, with more attempts than maxAttempts: not to be tried,
 * but to be given up by its handler. So nothing can die between the job's failing and its subject hearing of it.
 */
export interface JobQueue {
  enqueue(stamp: Stamp, job: NewJob): Promise<string>;
  /** Up to `limit` due jobs of these kinds, each leased to `worker` for `leaseMs`: in turn among their owners, the oldest of each. */
  claim(kinds: readonly string[], worker: string, leaseMs: number, limit: number, turns?: Turns): Promise<Job[]>;
  /** False when the lease was lost meanwhile: the worker must stop. */
  heartbeat(id: string, worker: string, leaseMs: number): Promise<boolean>;
  complete(id: string, worker: string): Promise<boolean>;
  /** Back to the queue after a growing delay, or failed when attempts are used up or `final`. */
  release(id: string, worker: string, reason: string, final?: boolean): Promise<JobState | undefined>;
  /** Back to the queue, the attempt not counted: it ended because of the worker or of a store, not because of the job. */
  giveBack(job: Job, worker: string, delayMs?: number): Promise<boolean>;
  /** Forgets jobs that were done or failed before a time. */
  forget(before: number): Promise<number>;
  get(id: string): Promise<Job | undefined>;
  ofSubject(kind: string, subject: string): Promise<Job[]>;
  cancel(stamp: Stamp, kind: string, subject: string): Promise<number>;
  counts(): Promise<Record<JobState, number>>;
}

/** Thrown by a handler: trying again would not help. The message is for the person who waits for the job. */
export class JobFailed extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JobFailed';
  }
}

/** Thrown by a handler: trying again may help. The message is for the person, should no attempt succeed. */
export class JobDelayed extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JobDelayed';
  }
}

/** The work of one kind of job. It may run more than once for one job (after a crash), so its effect must be the same. */
export interface JobHandler {
  readonly kind: string;
  /** Ends when the signal does: the job was canceled, or the server stops. */
  run(job: Job, signal: AbortSignal): Promise<void>;
  /** The job is not tried again: tells whoever waits for it. */
  giveUp(job: Job, reason: string): Promise<void>;
}
