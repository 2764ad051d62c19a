import type { App } from '../app.ts';
import type { Caller } from '../context.ts';
import { accessTopic } from '../kernel/access-changes.ts';
import { fail, Failure } from '../kernel/errors.ts';
import type { ResourceWatch } from '../kernel/mcp-resource.ts';

/** Maximum number of event streams per user and node: enough for several browser tabs and agents. */
const maxStreams = 64;
/**
 * Maximum number of resources that all streams of one user together may watch. Each watched resource is checked again
 * periodically.
 */
const maxResources = 1000;
const retrySeconds = 10;
/**
 * Time in milliseconds for which the result of an access check is cached and shared by all streams of a caller. A
 * change of access clears the cached results at once.
 */
const sharedMs = 8000;

type Find = () => Promise<ResourceWatch | undefined>;

/** Limits the open event streams of this node per user, and shares the results of their access checks. */
export class EventStreamLimits {
  readonly #held = new Map<string, { streams: number; resources: number }>();
  #found = new Map<string, Promise<ResourceWatch | undefined>>();
  #foundSince = 0;

  private constructor(app: App) {
    const forget = (): void => this.#found.clear();
    app.services.events.subscribe(accessTopic, forget);
    app.services.events.onGap(forget);
  }

  static #ofApps = new WeakMap<App, EventStreamLimits>();

  /**
   * Returns the instance that all transports of an app share. It subscribes to access changes before any stream does,
   * so that its cache is cleared before a stream checks access again.
   */
  static of(app: App): EventStreamLimits {
    let found = this.#ofApps.get(app);
    if (!found) this.#ofApps.set(app, (found = new EventStreamLimits(app)));
    return found;
  }

  /**
   * Registers a stream of a user that watches `resources` resources. Returns a function that removes the stream and
   * must be called once. Throws `rate_limited` if the user's streams or watched resources are too many.
   */
  open(userId: string, resources = 0): () => void {
    const held = this.#held.get(userId) ?? { streams: 0, resources: 0 };
    if (held.streams >= maxStreams)
      throw tooMany(`${maxStreams} event streams of this user are open, which is the most`);
    if (held.resources + resources > maxResources)
      throw tooMany(
        `the event streams of this user may watch at most ${maxResources} resources together (${held.resources} are watched, ${resources} were asked for)`,
      );
    held.streams++;
    held.resources += resources;
    this.#held.set(userId, held);
    return () => {
      held.streams--;
      held.resources -= resources;
      if (held.streams === 0) this.#held.delete(userId);
    };
  }

  /**
   * Looks up a resource to watch by calling `find`, which also checks the caller's access. The result is cached for a
   * few seconds and shared by all streams of the caller. Returns undefined if the caller has no access.
   */
  watch(uri: string, { userId, keyId }: Caller, find: Find): Promise<ResourceWatch | undefined> {
    const now = performance.now();
    if (now - this.#foundSince > sharedMs) {
      this.#found = new Map();
      this.#foundSince = now;
    }
    const key = `${userId}\n${keyId}\n${uri}`;
    let found = this.#found.get(key);
    if (!found) {
      const finding = find().catch((error: unknown) => {
        if (error instanceof Failure) return undefined;
        if (this.#found.get(key) === finding) this.#found.delete(key);
        throw error;
      });
      this.#found.set(key, (found = finding));
    }
    return found;
  }
}

function tooMany(message: string): Failure {
  return fail('rate_limited', `${message}; close some first`, { retryAfter: retrySeconds });
}
