import type { Stamp } from './audit-stamp.ts';

/**
 * State of a background task. `working`: the call is running. `completed`: it has a result. `failed`: it ended without
 * a result. `cancelled`: it was canceled on request.
 */
export type TaskState = 'working' | 'completed' | 'failed' | 'cancelled';

/** A call that continues after its request was answered. `outcome` is set once the call has ended. */
export interface Task {
  id: string;
  userId: string;
  /** Id of the API key, session or app that made the call. No other key or session can see the task. */
  keyId: string;
  operation: string;
  state: TaskState;
  /** Progress of the task, or the reason why it ended, for display. May be empty. */
  message: string;
  /** As JSON: the result of a completed task, or the error of a failed task. Otherwise ''. */
  outcome: string;
  isCancelRequested: boolean;
  /** Time by which the node that runs the task must renew its lease. After that time the node counts as crashed. */
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
 * Stores tasks. Every node can read a task until it expires. A task ends only once and then never changes. Its outcome
 * is charged to the user's quota until the task is deleted. Deleting a user deletes the user's tasks.
 */
export interface TaskStore {
  /**
   * Creates a task that belongs to the user and the API key named in `stamp`. Returns false and writes nothing if the
   * user already has `maxTasks` tasks.
   */
  create(stamp: Stamp, task: NewTask): Promise<boolean>;
  get(id: string): Promise<Task | undefined>;
  /**
   * Renews the lease and stores the progress message. Returns undefined if the task has ended; the caller must then
   * stop working on it.
   */
  renewLease(id: string, message: string, leaseUntil: number): Promise<Pick<Task, 'isCancelRequested'> | undefined>;
  /** Stores the outcome of a task. Returns false if the task had already ended. */
  end(task: Pick<Task, 'id' | 'userId'>, end: TaskCompletion): Promise<boolean>;
  /**
   * Ends a task whose node has crashed, which is assumed if the lease of the task has expired. Returns false and
   * changes nothing if the lease is still valid or the task has already ended.
   */
  endAbandoned(task: Pick<Task, 'id' | 'userId'>, end: TaskCompletion): Promise<boolean>;
  /** Records a request to cancel the task. Returns false if the task had already ended. */
  requestCancel(stamp: Stamp, id: string): Promise<boolean>;
  deleteExpired(): Promise<number>;
  /** Returns the current time of a clock that all nodes share, for computing leases. */
  now(): number;
}
