import type { App } from '../../app.ts';
import type { Caller } from '../../context.ts';
import { runDelayed } from '../../lib/background-tasks.ts';
import type { Call } from '../../kernel/invoker.ts';
import { formatValue } from '../../kernel/parse-input.ts';
import type { TaskOutcome } from '../../kernel/call-task-runner.ts';
import type { Task } from '../../ports/task-store.ts';
import type { RequestMeta } from './request-meta.ts';
import { rpcErrorCodes, internalError, isObject, isRpcError, RpcError } from './json-rpc.ts';

/*
 * This file implements MCP tasks, an extension of protocol version 2026-07-28. A long call returns a handle, and
 * `tasks/get` fetches its result from any node. Only clients that declare the extension get tasks.
 */

type Result = Record<string, unknown>;

export const tasksExtension = 'io.modelcontextprotocol/tasks';
const pollMs = 1000;
const required = { extensions: { [tasksExtension]: {} } };

export function supportsTasks({ modern, capabilities }: RequestMeta): boolean {
  const { extensions } = capabilities;
  return modern && isObject(extensions) && isObject(extensions[tasksExtension]);
}

export function refuseWithoutTasks(meta: RequestMeta): void {
  if (!supportsTasks(meta))
    throw new RpcError(
      rpcErrorCodes.missingCapability,
      `this requires the client capability extensions["${tasksExtension}"]`,
      {
        data: { requiredCapabilities: required },
        status: 400,
      },
    );
}

/**
 * Handles the MCP methods `tasks/get`, `tasks/update` and `tasks/cancel`. A task is a tool call that takes long; the
 * client asks for its result later.
 */
export async function handleTaskMethod(
  app: App,
  { method, params, meta }: { method: string; params: Readonly<Result>; meta: RequestMeta },
  { caller, requestId }: Pick<Call, 'caller' | 'requestId'>,
): Promise<Result> {
  refuseWithoutTasks(meta);
  const { taskId } = params;
  if (typeof taskId !== 'string')
    throw new RpcError(rpcErrorCodes.invalidParams, `taskId: must be the id of a task (got ${formatValue(taskId)})`);
  const task =
    method === 'tasks/cancel' ? await app.tasks.cancel(taskId, caller, requestId) : await app.tasks.get(taskId, caller);
  if (!task)
    throw new RpcError(
      rpcErrorCodes.invalidParams,
      `taskId: there is no task ${formatValue(taskId)} of yours, or it has expired`,
    );
  // Ignore `tasks/update`. It would answer a question of a running task, but calls ask all questions before they become
  // tasks.
  return method === 'tasks/get' ? taskResult(task) : {};
}

export const taskMethods: ReadonlySet<string> = new Set(['tasks/get', 'tasks/update', 'tasks/cancel']);

/** Converts a task to the result of `tasks/get`, with the call's result or error. */
function taskResult(task: Task): Result {
  const { state, outcome, message } = task;
  return {
    ...handleOf(task),
    ...(state === 'completed' ? { result: JSON.parse(outcome) as unknown } : {}),
    ...(state === 'failed'
      ? { error: outcome === '' ? { code: rpcErrorCodes.internal, message } : (JSON.parse(outcome) as unknown) }
      : {}),
  };
}

function handleOf(task: Task): Result {
  return {
    taskId: task.id,
    status: task.state,
    ...(task.message === '' ? {} : { statusMessage: task.message }),
    createdAt: new Date(task.createdAt).toISOString(),
    lastUpdatedAt: new Date(task.updatedAt).toISOString(),
    ttlMs: task.expiresAt - task.createdAt,
    pollIntervalMs: pollMs,
  };
}

/**
 * Returns a task's result, to notify a client that subscribed to the task; undefined if the caller has no such task.
 */
export async function findDetailedTask(app: App, id: string, caller: Caller): Promise<Result | undefined> {
  const task = await app.tasks.get(id, caller);
  return task && taskResult(task);
}

/**
 * Runs a call that becomes an MCP task if it exceeds a time limit: the client gets the id of the task and asks for the
 * result later. Before the time limit, a disconnect of the client cancels the call.
 */
export class DeferrableCall {
  readonly #app: App;
  readonly #operation: string;
  readonly #request: Call;
  readonly #abort = new AbortController();
  #message = '';
  readonly #forwardAbort = (): void => this.#abort.abort(this.#request.signal.reason);

  constructor(app: App, operation: string, request: Call) {
    this.#app = app;
    this.#operation = operation;
    this.#request = request;
    request.signal.addEventListener('abort', this.#forwardAbort, { once: true });
    if (request.signal.aborted) this.#forwardAbort();
  }

  /** The call with its own abort signal, because it may outlive its request. */
  get call(): Call {
    const { progress } = this.#request;
    return {
      ...this.#request,
      signal: this.#abort.signal,
      progress: (step) => {
        this.#message = step.message ?? this.#message;
        progress?.(step);
      },
    };
  }

  /**
   * Returns the result of the call, or a task if the time limit passes first. `complete` formats the result for
   * `tasks/get`.
   */
  async answer(running: Promise<Result>, complete: (result: Result) => object): Promise<Result> {
    const { config, tasks } = this.#app;
    const { caller, requestId, signal } = this.#request;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<undefined>((resolve) => {
      timer = runDelayed('making a call a task', config.SHEAF_TASK_AFTER * 1000, () => resolve(undefined));
    });
    const result = await Promise.race([running, patience]).finally(() => clearTimeout(timer));
    if (result || signal.aborted) return running;
    const task = await tasks.begin({
      caller,
      requestId,
      operation: this.#operation,
      abort: this.#abort,
      message: () => this.#message,
      outcome: running.then(
        (ended): TaskOutcome => ({ result: complete(ended), isFailure: ended['isError'] === true }),
        (error: unknown): TaskOutcome => ({ error: this.#toRpcError(error) }),
      ),
    });
    if (!task) return running;
    signal.removeEventListener('abort', this.#forwardAbort);
    return { resultType: 'task', ...handleOf(task) };
  }

  #toRpcError(error: unknown): { code: number; message: string } {
    if (isRpcError(error)) return { code: error.code, message: error.message };
    return internalError(this.#app.services.log, this.#request.requestId, error);
  }
}
