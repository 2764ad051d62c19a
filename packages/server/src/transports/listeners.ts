import type { App } from '../app.ts';
import type { Caller } from '../context.ts';
import { accessTopic } from '../operation/access.ts';
import { fail, Failure } from '../operation/errors.ts';
import type { ResourceWatch } from '../operation/resource.ts';

/** Streams of one user on one node: several tabs and agents. */
const maxStreams = 64;
/** Resources that all streams of one user watch together: each is looked at again while somebody listens. */
const maxResources = 1000;
const retrySeconds = 10;
/** As long a finding about access serves every stream of the same caller; a change of access ends it at once. */
const sharedMs = 8000;

type Find = () => Promise<ResourceWatch | undefined>;

/** Event streams that are open on this node, and what they share. */
export class EventListeners {
  readonly #held = new Map<string, { streams: number; resources: number }>();
  #found = new Map<string, Promise<ResourceWatch | undefined>>();
  #foundSince = 0;

  private constructor(app: App) {
    const forget = (): void => this.#found.clear();
    app.services.events.subscribe(accessTopic, forget);
    app.services.events.onGap(forget);
  }

  static #ofApps = new WeakMap<App, EventListeners>();

  /** The same for every transport of the app. Subscribed before any stream: it forgets before a stream looks again. */
  static of(app: App): EventListeners {
    let found = this.#ofApps.get(app);
    if (!found) this.#ofApps.set(app, (found = new EventListeners(app)));
    return found;
  }

  /** Counts a stream of a user until the returned function is called, once; throws `rate_limited` where there are too many. */
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

  /** Whether a caller may watch a resource, found once for all its streams; undefined where it may not. */
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
