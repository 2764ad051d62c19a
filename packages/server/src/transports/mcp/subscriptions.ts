import type { App } from '../../app.ts';
import type { Caller } from '../../context.ts';
import { runEvery, runInBackground, runDelayed } from '../../lib/background-tasks.ts';
import { accessTopic, mayConcern } from '../../kernel/access-changes.ts';
import { Failure } from '../../kernel/errors.ts';
import { formatValue } from '../../kernel/parse-input.ts';
import type { ResourceWatch } from '../../kernel/mcp-resource.ts';
import { EventStreamLimits } from '../event-stream-limits.ts';
import type { ListKind, McpAdditions } from './additions.ts';
import { metaKeys, type RequestMeta } from './request-meta.ts';
import type { Resources } from './resources.ts';
import { rpcErrorCodes, isObject, RpcError } from './json-rpc.ts';
import { refuseWithoutTasks, findDetailedTask } from './tasks.ts';

/** Maximum number of watched resources per subscription. The same limit applies to watched tasks. */
const maxWatched = 100;
const accessCheckMs = 10_000;
/**
 * Time in milliseconds for which the changes of a resource are collected into one notification. No change is lost,
 * because a notified client reads the latest state.
 */
const batchMs = 50;
/**
 * Period in milliseconds over which the notifications of clients are spread after events were lost, so that the clients
 * do not all read at the same time.
 */
const spreadMs = 1000;

export interface SubscriptionStreamOptions {
  readonly app: App;
  readonly resources: Resources;
  readonly additions: McpAdditions | undefined;
  readonly id: string | number;
  readonly meta: RequestMeta;
  readonly signal: AbortSignal;
  readonly notify: (notification: unknown) => void;
  /** Authenticates the client again. Throws if the client has lost access. */
  readonly caller: () => Promise<Caller>;
}

/**
 * Serves one `subscriptions/listen` request. Reports which resources changed (not their content) and the results of the
 * caller's tasks. A resource is dropped when the caller loses access to it. A caller that loses all access is
 * disconnected.
 */
export class SubscriptionStream {
  readonly #options: SubscriptionStreamOptions;
  readonly #watched = new Map<string, { watch: ResourceWatch; stop: () => void }>();
  readonly #changed = new Set<string>();
  readonly #stops: (() => void)[] = [];
  #checks = 0;
  #telling: NodeJS.Timeout | undefined;
  #end: () => void = () => undefined;

  constructor(options: SubscriptionStreamOptions) {
    this.#options = options;
  }

  async run(params: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
    const { app } = this.#options;
    const wanted = filterOf(params);
    if (wanted.tasks.length > 0) refuseWithoutTasks(this.#options.meta);
    const caller = await this.#options.caller();
    const leave = EventStreamLimits.of(app).open(caller.userId, wanted.resources.length);
    try {
      return await this.#stream(wanted, caller);
    } finally {
      leave();
      clearTimeout(this.#telling);
      for (const stop of this.#stops) stop();
      for (const { stop } of this.#watched.values()) stop();
    }
  }

  async #stream(wanted: SubscriptionFilter, caller: Caller): Promise<Record<string, unknown>> {
    const { signal, app } = this.#options;
    for (const uri of wanted.resources) await this.#watch(uri, caller);
    const lists = this.#watchLists(wanted.lists);
    const tasks = await this.#watchTasks(wanted.tasks, caller);
    // Wait until this server process receives the events of the watched resources, because every change after the
    // acknowledgment must be reported.
    await app.services.events.ready(Array.from(this.#watched.values(), ({ watch }) => watch.topic));
    const ended = new Promise<void>((resolve) => {
      this.#end = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
      if (signal.aborted) resolve();
    });
    this.#notify('notifications/subscriptions/acknowledged', {
      notifications: {
        ...(wanted.resources.length > 0 ? { resourceSubscriptions: [...this.#watched.keys()] } : {}),
        ...(wanted.tasks.length > 0 ? { taskIds: tasks } : {}),
        ...lists,
      },
    });
    // Send the current states of the watched tasks, because a task may have ended before the subscription.
    for (const id of tasks) await this.#notifyTask(id, caller);
    const { events } = app.services;
    this.#stops.push(
      events.subscribe(accessTopic, (news) => this.#accessChanged(news, caller)),
      events.onGap(() => {
        runDelayed('telling a listener anew', Math.random() * spreadMs, () => this.#queueAll()).unref();
      }),
    );
    const looking = runEvery('looking whether a listener may still hear', accessCheckMs, () =>
      this.#checkAccess(),
    ).unref();
    await ended;
    clearInterval(looking);
    return { _meta: { [metaKeys.subscription]: this.#options.id } };
  }

  /**
   * Watches a resource. Skips a resource that does not exist or that the caller may not read; the acknowledgment of the
   * subscription then omits the resource.
   */
  async #watch(uri: string, caller: Caller): Promise<void> {
    const { resources, app } = this.#options;
    const watch = await EventStreamLimits.of(app).watch(uri, caller, async () => {
      const { kind, values } = resources.find(uri);
      return kind.watch?.(values, resources.contextFor(caller));
    });
    const before = this.#watched.get(uri);
    if (watch && before?.watch.topic === watch.topic) return;
    before?.stop();
    this.#watched.delete(uri);
    if (!watch) return;
    const { topic } = watch;
    const stop = app.services.events.subscribe(topic, (news) => {
      const concerns = watch.concerns?.(news) ?? true;
      if (concerns === true) this.#queueChange(uri);
      else if (concerns !== false)
        void runInBackground('looking whether a change concerns a listener', async () => {
          if (await concerns) this.#queueChange(uri);
        });
    });
    this.#watched.set(uri, { watch, stop });
  }

  #watchLists(kinds: readonly ListKind[]): Record<string, true> {
    const { additions } = this.#options;
    if (!additions) return {};
    for (const kind of kinds)
      this.#stops.push(additions.listen(kind, () => this.#notify(`notifications/${kind}/list_changed`, {})));
    return Object.fromEntries(kinds.map((kind) => [`${kind}ListChanged`, true as const]));
  }

  async #watchTasks(ids: readonly string[], caller: Caller): Promise<string[]> {
    const { app } = this.#options;
    const found: string[] = [];
    for (const id of ids) {
      if (!(await findDetailedTask(app, id, caller))) continue;
      found.push(id);
      const tell = (): void => void runInBackground('telling of a task', () => this.#notifyTask(id, caller));
      this.#stops.push(await app.tasks.watch(id, tell));
    }
    return found;
  }

  async #notifyTask(id: string, caller: Caller): Promise<void> {
    const task = await findDetailedTask(this.#options.app, id, caller);
    if (task) this.#notify('notifications/tasks', task);
  }

  #queueChange(uri: string): void {
    this.#changed.add(uri);
    this.#telling ??= runDelayed('telling of changed resources', batchMs, () => this.#notifyChanges()).unref();
  }

  #queueAll(): void {
    for (const uri of this.#watched.keys()) this.#queueChange(uri);
  }

  /**
   * Sends notifications for the changed resources. While access checks are running, does nothing; the last check that
   * ends sends them.
   */
  #notifyChanges(): void {
    this.#telling = undefined;
    if (this.#checks > 0) return;
    for (const uri of this.#changed)
      if (this.#watched.has(uri)) this.#notify('notifications/resources/updated', { uri });
    this.#changed.clear();
  }

  #accessChanged(change: unknown, caller: Caller): void {
    const topics = [...this.#watched.values()].map(({ watch }) => watch.topic);
    if (mayConcern(change, caller.userId, topics))
      void runInBackground('looking whether a listener may still hear', () => this.#checkAccess());
  }

  async #checkAccess(): Promise<void> {
    this.#checks++;
    try {
      const caller = await this.#options.caller();
      const uris = [...this.#watched.keys()];
      for (const uri of uris) await this.#watch(uri, caller);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#end();
    } finally {
      this.#checks--;
    }
    this.#notifyChanges();
  }

  #notify(method: string, params: Record<string, unknown>): void {
    const { notify, id } = this.#options;
    notify({ jsonrpc: '2.0', method, params: { ...params, _meta: { [metaKeys.subscription]: id } } });
  }
}

interface SubscriptionFilter {
  resources: string[];
  tasks: string[];
  lists: ListKind[];
}

function filterOf(params: Readonly<Record<string, unknown>>): SubscriptionFilter {
  const { notifications } = params;
  if (!isObject(notifications))
    throw new RpcError(
      rpcErrorCodes.invalidParams,
      `notifications: must be an object (got ${formatValue(notifications)})`,
    );
  const kinds: readonly ListKind[] = ['tools', 'prompts'];
  return {
    resources: textsOf(notifications, 'resourceSubscriptions', 'addresses'),
    tasks: textsOf(notifications, 'taskIds', 'ids'),
    lists: kinds.filter((kind) => notifications[`${kind}ListChanged`] === true),
  };
}

function textsOf(notifications: Readonly<Record<string, unknown>>, name: string, what: string): string[] {
  const texts = notifications[name] ?? [];
  if (!Array.isArray(texts) || texts.length > maxWatched || texts.some((one) => typeof one !== 'string'))
    throw new RpcError(
      rpcErrorCodes.invalidParams,
      `notifications.${name}: must be at most ${maxWatched} ${what} (got ${formatValue(texts)})`,
    );
  return [...new Set(texts as string[])];
}
