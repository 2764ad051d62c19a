import type { Stamp } from './stamp.ts';

/** cancelled: somebody asked for it, and the call ended before it had come to anything. failed: no answer will ever come. */
export type TaskState = 'working' | 'completed' | 'failed' | 'cancelled';

/** A call that outlives its request, and then what it came to. */
export interface Task {
  id: string;
  userId: string;
  /** The key, session or app that called: nobody else hears of it. */
  keyId: string;
  operation: string;
  state: TaskState;
  /** How far it is, or why it ended, for a person; may be empty. */
  message: string;
  /** JSON: the result of a completed one, the error of a failed one. */
  outcome: string;
  isCancelRequested: boolean;
  /** While it runs: by then the node that runs it has said so again, or is dead. */
  leaseUntil: number;
  createdAt: number;
  updatedAt: number;
  /** One that has ended is kept until then. */
  expiresAt: number;
}

export type NewTask = Pick<Task, 'id' | 'operation' | 'message' | 'leaseUntil' | 'expiresAt'>;
export type TaskEnd = Pick<Task, 'state' | 'message' | 'outcome' | 'expiresAt'>;

/** Those of one user, running and ended. */
export const maxTasks = 100;

/**
 * Tasks. Guarantees: one that was created is found by every node until it expires; it ends once, and stays as it ended; what
 * it came to counts against its user's quota while it is kept, and goes with the user.
 */
export interface TaskStore {
  /** For the user and key of the stamp. False where the user has as many as are kept: nothing was written. */
  create(stamp: Stamp, task: NewTask): Promise<boolean>;
  get(id: string): Promise<Task | undefined>;
  /** It still runs. What is known of it, or undefined where it no longer should. */
  keep(id: string, message: string, leaseUntil: number): Promise<Pick<Task, 'isCancelRequested'> | undefined>;
  /** False where it had ended before. */
  end(task: Pick<Task, 'id' | 'userId'>, end: TaskEnd): Promise<boolean>;
  /** The same for one whose node has not been heard of in time. */
  endAbandoned(task: Pick<Task, 'id' | 'userId'>, end: TaskEnd): Promise<boolean>;
  /** False where it had ended before. */
  requestCancel(stamp: Stamp, id: string): Promise<boolean>;
  forgetExpired(): Promise<number>;
  /** The clock that leases go by, the same on every node. */
  now(): number;
}
