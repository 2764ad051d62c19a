import type { Stamp } from './audit-stamp.ts';

/** cancelled: canceled on request before the call had a result. failed: there will never be an answer. */
export type TaskState = 'working' | 'completed' | 'failed' | 'cancelled';

/** A call that outlives its request, and later its outcome. */
export interface Task {
  id: string;
  userId: string;
  /** Key, session or app that made the call; only it may see the task. */
  keyId: string;
  operation: string;
  state: TaskState;
  /** Progress, or why it ended, for display; may be empty. */
  message: string;
  /** JSON: the result if completed, the error if failed. */
  outcome: string;
  isCancelRequested: boolean;
  /** While running: the node must renew the lease before this time, or counts as dead. */
  leaseUntil: number;
  createdAt: number;
  updatedAt: number;
  /** An ended task is deleted after this time. */
  expiresAt: number;
}

export type NewTask = Pick<Task, 'id' | 'operation' | 'message' | 'leaseUntil' | 'expiresAt'>;
export type TaskCompletion = Pick<Task, 'state' | 'message' | 'outcome' | 'expiresAt'>;

/** Maximum number of tasks per user, running and ended. */
export const maxTasks = 100;

/**
 * Tasks. Guarantees: every node finds a created task until it expires; a task ends once and then never changes; its
 * outcome counts against the user's quota until it is deleted, at the latest with the user.
 */
export interface TaskStore {
  /** Creates a task for the stamp's user and key. Returns false and writes nothing if the user has `maxTasks` tasks. */
  create(stamp: Stamp, task: NewTask): Promise<boolean>;
  get(id: string): Promise<Task | undefined>;
  /** Renews the lease and stores the progress message. Undefined if the task has ended and the work must stop. */
  renewLease(id: string, message: string, leaseUntil: number): Promise<Pick<Task, 'isCancelRequested'> | undefined>;
  /** Returns false if the task had already ended. */
  end(task: Pick<Task, 'id' | 'userId'>, end: TaskCompletion): Promise<boolean>;
  /** Like `end`, for a task whose node let the lease expire. */
  endAbandoned(task: Pick<Task, 'id' | 'userId'>, end: TaskCompletion): Promise<boolean>;
  /** Returns false if the task had already ended. */
  requestCancel(stamp: Stamp, id: string): Promise<boolean>;
  deleteExpired(): Promise<number>;
  /** Clock for leases, the same on every node. */
  now(): number;
}
