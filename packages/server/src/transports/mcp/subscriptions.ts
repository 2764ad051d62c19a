import type { App } from '../../app.ts';
import type { Caller } from '../../context.ts';
import { every, inBackground, later } from '../../lib/background.ts';
import { accessTopic } from '../../operation/access.ts';
import { Failure } from '../../operation/errors.ts';
import { show } from '../../operation/parse.ts';
import type { ResourceWatch } from '../../operation/resource.ts';
import { EventListeners } from '../listeners.ts';
import type { ListKind, McpAdditions } from './additions.ts';
import { metaNames, type RequestMeta } from './request.ts';
import type { Resources } from './resources.ts';
import { codes, isObject, RpcError } from './rpc.ts';
import { refuseWithoutTasks, watchedTask } from './tasks.ts';

/** Maximum of watched resources, and of watched tasks. */
const maxWatched = 100;
const lookAgainMs = 10_000;
/** Changes within this time are sent as one notification, since the client reads the latest state anyway. */
const gatherMs = 50;
/** After lost events, all clients are notified, spread over this time so that they do not all read at once. */
const spreadMs = 1000;

export interface ListeningOptions {
  readonly app: App;
  readonly resources: Resources;
  readonly additions: McpAdditions | undefined;
  readonly id: string | number;
  readonly meta: RequestMeta;
  readonly signal: AbortSignal;
  readonly notify: (notification: unknown) => void;
  /** Authenticates the client again; throws if it no longer has access. */
  readonly caller: () => Promise<Caller>;
}

/**
 * One `subscriptions/listen` request: reports which resources changed (not their content), and the results of the
 * caller's tasks. A resource that the caller loses access to is dropped; a caller that loses all access is
 * disconnected. Resolves when the stream ends.
 */
export class Listening {
  readonly #options: ListeningOptions;
  readonly #watched = new Map<string, { watch: ResourceWatch; stop: () => void }>();
  readonly #changed = new Set<string>();
  readonly #stops: (() => void)[] = [];
  #checks = 0;
  #telling: NodeJS.Timeout | undefined;
  #end: () => void = () => undefined;

  constructor(options: ListeningOptions) {
    this.#options = options;
  }

  async run(params: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
    const { app } = this.#options;
    const wanted = filterOf(params);
    if (wanted.tasks.length > 0) refuseWithoutTasks(this.#options.meta);
    const caller = await this.#options.caller();
    const leave = EventListeners.of(app).open(caller.userId, wanted.resources.length);
    try {
      return await this.#listenTo(wanted, caller);
    } finally {
      leave();
      clearTimeout(this.#telling);
      for (const stop of this.#stops) stop();
      for (const { stop } of this.#watched.values()) stop();
    }
  }

  async #listenTo(wanted: Wanted, caller: Caller): Promise<Record<string, unknown>> {
    const { signal, app } = this.#options;
    for (const uri of wanted.resources) await this.#watch(uri, caller);
    const lists = this.#listen(wanted.lists);
    const tasks = await this.#watchTasks(wanted.tasks, caller);
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
    // Send the current states, since a task may have ended before the subscription.
    for (const id of tasks) await this.#tellTask(id, caller);
    const { events } = app.services;
    this.#stops.push(
      events.subscribe(accessTopic, (news) =>
        this.#accessChanged(news as { user_id?: string; topic?: string }, caller),
      ),
      events.onGap(() => {
        later('telling a listener anew', Math.random() * spreadMs, () => this.#all()).unref();
      }),
    );
    const looking = every('looking whether a listener may still hear', lookAgainMs, () => this.#look()).unref();
    await ended;
    clearInterval(looking);
    return { _meta: { [metaNames.subscription]: this.#options.id } };
  }

  /** Skips a resource that does not exist or that the caller may not read; the acknowledgment leaves it out. */
  async #watch(uri: string, caller: Caller): Promise<void> {
    const { resources, app } = this.#options;
    const watch = await EventListeners.of(app).watch(uri, caller, async () => {
      const { kind, values } = resources.find(uri);
      return kind.watch?.(values, resources.reach(caller));
    });
    const before = this.#watched.get(uri);
    if (watch && before?.watch.topic === watch.topic) return;
    before?.stop();
    this.#watched.delete(uri);
    if (!watch) return;
    const { topic } = watch;
    const stop = app.services.events.subscribe(topic, (news) => {
      if (watch.concerns?.(news) ?? true) this.#hear(uri);
    });
    this.#watched.set(uri, { watch, stop });
  }

  #listen(kinds: readonly ListKind[]): Record<string, true> {
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
      if (!(await watchedTask(app, id, caller))) continue;
      found.push(id);
      const tell = (): void => void inBackground('telling of a task', () => this.#tellTask(id, caller));
      this.#stops.push(app.tasks.watch(id, tell));
    }
    return found;
  }

  async #tellTask(id: string, caller: Caller): Promise<void> {
    const task = await watchedTask(this.#options.app, id, caller);
    if (task) this.#notify('notifications/tasks', task);
  }

  #hear(uri: string): void {
    this.#changed.add(uri);
    this.#telling ??= later('telling of changed resources', gatherMs, () => this.#tell()).unref();
  }

  #all(): void {
    for (const uri of this.#watched.keys()) this.#hear(uri);
  }

  /** Sends nothing while access is being checked. */
  #tell(): void {
    this.#telling = undefined;
    if (this.#checks > 0) return;
    for (const uri of this.#changed)
      if (this.#watched.has(uri)) this.#notify('notifications/resources/updated', { uri });
    this.#changed.clear();
  }

  #accessChanged(change: { user_id?: string; topic?: string }, caller: Caller): void {
    const concerns = (topic: string): boolean => [...this.#watched.values()].some(({ watch }) => watch.topic === topic);
    if (change.user_id === caller.userId || (change.topic !== undefined && concerns(change.topic)))
      void inBackground('looking whether a listener may still hear', () => this.#look());
  }

  async #look(): Promise<void> {
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
    this.#tell();
  }

  #notify(method: string, params: Record<string, unknown>): void {
    const { notify, id } = this.#options;
    notify({ jsonrpc: '2.0', method, params: { ...params, _meta: { [metaNames.subscription]: id } } });
  }
}

interface Wanted {
  resources: string[];
  tasks: string[];
  lists: ListKind[];
}

function filterOf(params: Readonly<Record<string, unknown>>): Wanted {
  const { notifications } = params;
  if (!isObject(notifications))
    throw new RpcError(codes.invalidParams, `notifications: must be an object (got ${show(notifications)})`);
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
      codes.invalidParams,
      `notifications.${name}: must be at most ${maxWatched} ${what} (got ${show(texts)})`,
    );
  return [...new Set(texts as string[])];
}
