import type { Caller } from '../context.ts';
import { runEvery, runInBackground } from '../lib/background-tasks.ts';
import { ClientAbortReason } from '../lib/client-abort.ts';
import { randomText } from '../lib/ids.ts';
import type { Logger } from '../lib/logger.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { Task, TaskCompletion, TaskStore } from '../ports/task-store.ts';
import { Unavailable } from '../ports/availability-errors.ts';

const leaseMs = 20_000;
/** Interval in milliseconds at which the progress of running tasks is saved. */
const tickMs = 1000;
/** Time in milliseconds for which the result of a finished task is available. */
const resultTtlMs = 60 * 60_000;
/**
 * Time in milliseconds that a shutdown waits for running tasks to end. It then aborts the remaining tasks and waits
 * this long again.
 */
const graceMs = 2000;

/** A call that continues after its request has ended. */
export interface DetachedCall {
  readonly caller: Caller;
  readonly operation: string;
  readonly requestId: string;
  readonly abort: AbortController;
  message(): string;
  /** Result or error of the call. The promise never rejects. */
  readonly outcome: Promise<TaskOutcome>;
}

/**
 * Outcome of a task. It is the result of the task's call (`isFailure` is true if the operation failed), or an error if
 * the call produced no result.
 */
export type TaskOutcome = { result: object; isFailure: boolean } | { error: { message: string } };

interface RunningTask {
  readonly task: Task;
  readonly call: DetachedCall;
  reportedMessage: string;
  leaseUntil: number;
  endedBy?: 'cancel' | 'stop';
  end?: TaskCompletion;
  readonly unsubscribe: () => void;
}

/** Returns the event bus topic of a task. Its events say that the task changed or that it must be cancelled. */
function taskTopic(id: string): string {
  return `task:${id}`;
}

/**
 * Runs calls that outlive their request (MCP tasks). A task runs on the node that started it, but its progress and
 * result are in the store, so every node can report them. The node regularly renews a lease for each of its tasks. If
 * the node dies, the leases expire and the tasks count as failed.
 */
export class CallTaskRunner {
  readonly #store: TaskStore;
  readonly #events: EventBus;
  readonly #log: Logger;
  readonly #running = new Map<string, RunningTask>();
  #timer: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(store: TaskStore, { events, log }: { events: EventBus; log: Logger }) {
    this.#store = store;
    this.#events = events;
    this.#log = log;
  }

  /**
   * Turns a call into a task. Returns undefined if that is impossible, for example because the server is stopping or
   * the user has too many tasks; the request must then wait for the call.
   */
  async begin(call: DetachedCall): Promise<Task | undefined> {
    if (this.#isStopping) return undefined;
    const id = `task_${randomText(26)}`;
    const now = this.#store.now();
    const leaseUntil = now + leaseMs;
    const message = call.message();
    const stamp = { ...stampOf(call.caller, call.requestId, now), operation: 'mcp.create_task' };
    try {
      const isNew = await this.#store.create(stamp, {
        id,
        operation: call.operation,
        message,
        leaseUntil,
        expiresAt: now + resultTtlMs,
      });
      const task = isNew ? await this.#store.get(id) : undefined;
      if (!task) return undefined;
      const unsubscribe = this.#events.subscribe(taskTopic(id), (news) => {
        if ((news as { cancel?: boolean }).cancel) this.#end(id, 'cancel');
      });
      this.#running.set(id, { task, call, reportedMessage: message, leaseUntil, unsubscribe });
      this.#timer ??= runEvery('looking after tasks', tickMs, () => this.#tick()).unref();
      void runInBackground('waiting for a task', () => this.#awaitOutcome(id));
      await this.#events.ready([taskTopic(id)]);
      return task;
    } catch (error) {
      // Create no task while the database is unavailable; the request then waits until the call ends.
      if (!(error instanceof Unavailable)) throw error;
      this.#log.warn({ err: error }, 'a call could not be made a task');
      return undefined;
    }
  }

  /**
   * Returns the task, or undefined if there is none with this id, another caller started it, or its result has expired.
   * A task whose node has died is first marked as failed.
   */
  async get(id: string, caller: Caller): Promise<Task | undefined> {
    const task = await this.#store.get(id);
    if (!task || task.userId !== caller.userId || task.keyId !== caller.keyId) return undefined;
    const now = this.#store.now();
    if (task.state !== 'working') return task.expiresAt < now ? undefined : task;
    if (task.leaseUntil >= now || this.#running.has(id)) return task;
    await this.#store.endAbandoned(task, stoppedEnd(now));
    return this.#store.get(id);
  }

  /**
   * Requests the cancellation of a task. The task ends when its call ends. Returns the task, which may already have
   * ended, or undefined if the caller has no such task.
   */
  async cancel(id: string, caller: Caller, requestId: string): Promise<Task | undefined> {
    const task = await this.get(id, caller);
    if (task?.state !== 'working') return task;
    const stamp = { ...stampOf(caller, requestId, this.#store.now()), operation: 'mcp.cancel_task' };
    await this.#store.requestCancel(stamp, id);
    // Abort the call if it runs on this node, and notify the other nodes, because it may run on one of them. If the
    // event is lost, the node that runs the call finds the request in the store when it renews the task's lease.
    this.#end(id, 'cancel');
    this.#publish(id, { cancel: true });
    return task;
  }

  /** Calls the listener when the task may have changed. Resolves to a function that removes the listener. */
  async watch(id: string, listener: () => void): Promise<() => void> {
    const stop = this.#events.subscribe(taskTopic(id), listener);
    await this.#events.ready([taskTopic(id)]);
    return stop;
  }

  deleteExpired(): Promise<number> {
    return this.#store.deleteExpired();
  }

  /**
   * Ends all tasks when the server stops: waits briefly for running tasks, aborts those that are still running, waits
   * again, and stores how each task ended.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#waitForOutcomes(graceMs);
    for (const id of this.#running.keys()) this.#end(id, 'stop');
    await this.#waitForOutcomes(graceMs);
    clearInterval(this.#timer);
    for (const running of this.#running.values()) running.end ??= stoppedEnd(this.#store.now());
    await this.#tick();
  }

  #waitForOutcomes(ms: number): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined;
    const all = Promise.all([...this.#running.values()].map(({ call }) => call.outcome));
    const time = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
    return Promise.race([all, time]).finally(() => clearTimeout(timer));
  }

  #end(id: string, endedBy: 'cancel' | 'stop'): void {
    const running = this.#running.get(id);
    if (!running || running.endedBy) return;
    running.endedBy = endedBy;
    running.call.abort.abort(new ClientAbortReason());
  }

  async #awaitOutcome(id: string): Promise<void> {
    const running = this.#running.get(id)!;
    const outcome = await running.call.outcome;
    running.end = toTaskEnd(outcome, running.endedBy, this.#store.now());
    await this.#saveProgress(id, running);
  }

  async #tick(): Promise<void> {
    for (const [id, running] of this.#running) await this.#saveProgress(id, running);
    if (this.#running.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /**
   * Saves the outcome of a task that has ended. For a running task, saves new progress and renews the lease if
   * necessary. While the database is unavailable, an outcome stays in memory and is saved by a later call.
   */
  async #saveProgress(id: string, running: RunningTask): Promise<void> {
    try {
      if (running.end) {
        await this.#store.end(running.task, running.end);
        this.#remove(id, running);
        this.#publish(id, {});
        return;
      }
      const message = running.call.message();
      const now = this.#store.now();
      if (message === running.reportedMessage && running.leaseUntil - now > leaseMs / 2) return;
      const isNews = message !== running.reportedMessage;
      const leaseUntil = now + leaseMs;
      const kept = await this.#store.renewLease(id, message, leaseUntil);
      running.reportedMessage = message;
      running.leaseUntil = leaseUntil;
      if (!kept) {
        // The store has no running task with this id, so stop the call. The task was deleted together with its user, or
        // another node declared it abandoned, for example while this process was suspended.
        this.#end(id, 'stop');
        this.#remove(id, running);
      } else if (kept.isCancelRequested) this.#end(id, 'cancel');
      if (isNews) this.#publish(id, {});
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      this.#log.warn({ task: id, err: error }, 'a task could not be written down');
    }
  }

  #remove(id: string, running: RunningTask): void {
    running.unsubscribe();
    this.#running.delete(id);
  }

  #publish(id: string, news: { cancel?: true }): void {
    void runInBackground('telling of a task', () => this.#events.publish(taskTopic(id), news));
  }
}

function stampOf(caller: Caller, requestId: string, at: number) {
  return { at, userId: caller.userId, keyId: caller.keyId, requestId };
}

function stoppedEnd(now: number): TaskCompletion {
  return {
    state: 'failed',
    message: 'the server stopped before the call had ended; call again',
    outcome: '',
    expiresAt: now + resultTtlMs,
  };
}

function toTaskEnd(outcome: TaskOutcome, endedBy: RunningTask['endedBy'], now: number): TaskCompletion {
  const expiresAt = now + resultTtlMs;
  if ('error' in outcome)
    return { state: 'failed', message: outcome.error.message, outcome: JSON.stringify(outcome.error), expiresAt };
  if (outcome.isFailure && endedBy === 'cancel')
    return { state: 'cancelled', message: 'the call was cancelled', outcome: '', expiresAt };
  if (outcome.isFailure && endedBy === 'stop') return stoppedEnd(now);
  return { state: 'completed', message: '', outcome: JSON.stringify(outcome.result), expiresAt };
}
