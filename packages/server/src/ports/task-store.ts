import type { Stamp } from './audit-stamp.ts';

/**
 * State of a task. `working`: the call is running. `completed`: the call has a result. `failed`: there will never be a
 * result. `cancelled`: the call was canceled on request before it had a result.
 */
export type TaskState = 'working' | 'completed' | 'failed' | 'cancelled';

/** A call that continues after its request was answered, and its outcome once it has ended. */
export interface Task {
  id: string;
  userId: string;
  /** Id of the key, session or app that made the call. Only it may see the task. */
  keyId: string;
  operation: string;
  state: TaskState;
  /** Progress, or the reason why the task ended, for display. May be empty. */
  message: string;
  /** Result of a completed task or error of a failed one, as JSON. */
  outcome: string;
  isCancelRequested: boolean;
  /** Time by which the node that runs the task must renew its lease. Otherwise the node counts as dead. */
  leaseUntil: number;
  createdAt: number;
  updatedAt: number;
  /** Time after which an ended task is deleted. */
  expiresAt: number;
}

export type NewTask = Pick<Task, 'id' | 'operation' | 'message' | 'leaseUntil' | 'expiresAt'>;
export type TaskCompletion = Pick<Task, 'state' | 'message' | 'outcome' | 'expiresAt'>;

export const maxTasks = 100;

/**
 * Stores tasks. Guarantees: every node finds a created task until it expires; a task ends once and then never changes;
 * its outcome is charged to the user's quota until the task is deleted. Deleting a user deletes the user's tasks.
 */
export interface TaskStore {
  /**
   * Creates a task for the stamp's user and key. Returns false and writes nothing if the user already has `maxTasks`
   * tasks.
   */
  create(stamp: Stamp, task: NewTask): Promise<boolean>;
  get(id: string): Promise<Task | undefined>;
  /**
   * Renews the lease and stores the progress message. Returns undefined if the task has ended; the work must then stop.
   */
  renewLease(id: string, message: string, leaseUntil: number): Promise<Pick<Task, 'isCancelRequested'> | undefined>;
  /** Stores the outcome of a task. Returns false if the task had already ended. */
  end(task: Pick<Task, 'id' | 'userId'>, end: TaskCompletion): Promise<boolean>;
  /** Ends a task like `end`, but only if the lease of the node that ran it has expired. */
  endAbandoned(task: Pick<Task, 'id' | 'userId'>, end: TaskCompletion): Promise<boolean>;
  /** Records a request to cancel the task. Returns false if the task had already ended. */
  requestCancel(stamp: Stamp, id: string): Promise<boolean>;
  deleteExpired(): Promise<number>;
  /** Returns the current time of a clock that all nodes share, for computing leases. */
  now(): number;
}
