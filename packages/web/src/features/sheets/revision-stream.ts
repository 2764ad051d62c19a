import type { Revision, AxisShift } from './revision.ts';
import type { PresenceEvent as Presence } from './presence.ts';

const reconnectMs = 5000;

interface RevisionEvent {
  version: number;
  user_id?: string;
  key_id?: string;
  tool?: string;
  range?: string;
  scope?: readonly string[];
  shifts?: readonly AxisShift[];
  at?: number;
  /** True if the database was restored from a backup. Known revisions may be gone and their numbers may be reused. */
  reset?: boolean;
}

/** Delivers the revisions (changes) of a document to listeners, each revision once and in order. */
export class RevisionStream {
  version: number;
  /** The latest document version created by another client. */
  newestOfOthers: number;
  readonly #address: string;
  readonly #listeners = new Set<(revision: Revision) => void>();
  readonly #own = new Set<number>();
  #sending = 0;
  /**
   * True from a reconnect until the first event or the first confirmed write. If the first event has a lower version
   * than `version`, the document was restored from a backup.
   */
  #isAnew = false;
  /**
   * Events received during a write of this browser tab. They are delivered after the response, because only the
   * response tells which of the events reports this write.
   */
  #held: RevisionEvent[] = [];

  constructor(fileId: string, version: number) {
    this.#address = `/openapi/sheet/v1/events?people=1&file_id=${encodeURIComponent(fileId)}`;
    this.version = version;
    this.newestOfOthers = version;
  }

  listen(listener: (revision: Revision) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Connects to the document's event stream. Returns a function that disconnects.
   *
   * - `back` is called after a reconnect.
   * - `hear` is called when a client reports the cells that its user has selected (presence).
   * - `forget` is called when the document was reset by restoring a backup, so that the known versions may not exist
   * anymore.
   */
  start(back: () => void, hear: (presence: Presence) => void, forget: () => void): () => void {
    let source: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLost = false;
    const connect = (): void => {
      source = new EventSource(this.#address);
      source.onopen = () => {
        if (isLost) back();
        this.#isAnew = isLost;
        isLost = false;
      };
      source.onerror = () => {
        isLost = true;
        // Reconnect explicitly, because the browser does not reconnect after a response that is not an event stream,
        // for example from a proxy while the server starts.
        if (source.readyState === EventSource.CLOSED) timer = setTimeout(connect, reconnectMs);
      };
      source.onmessage = (event: MessageEvent<string>) => {
        const told = JSON.parse(event.data) as RevisionEvent | { presence: Presence };
        if ('presence' in told) hear(told.presence);
        else if (this.#isReset(told)) {
          this.#restart(told);
          forget();
        } else if (this.#sending > 0) this.#held.push(told);
        else this.#take(told);
      };
    };
    connect();
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }

  /**
   * Marks the start of a write of this browser tab. The caller reports the response with `answered` and the end of the
   * write with `done`.
   */
  beginWrite(): { answered(version: number | undefined, tool: string): void; done(): void } {
    this.#sending++;
    return {
      answered: (version, tool) => {
        if (version === undefined) return;
        this.#isAnew = false;
        this.#own.add(version);
        // First deliver earlier revisions of other clients, to preserve the order.
        this.#release(version - 1);
        // The event of this write usually arrives before the response to the write. Only the event contains the scope
        // (what changed) and the shifts (how rows and columns moved).
        const { scope, shifts } = this.#held.find((told) => told.version === version) ?? {};
        this.#take({ version, tool, scope, shifts, at: Date.now() });
      },
      done: () => {
        this.#sending--;
        if (this.#sending === 0) this.#release(Infinity);
      },
    };
  }

  /**
   * Returns whether the document was reset by restoring a backup. The first event after a reconnect contains the
   * current version, which is then lower than the known version.
   */
  #isReset(told: RevisionEvent): boolean {
    const isBehind = this.#isAnew && told.version < this.version;
    this.#isAnew = false;
    return told.reset === true || isBehind;
  }

  #restart(told: RevisionEvent): void {
    this.#own.clear();
    this.#held = [];
    this.version = told.version - 1;
    this.#take(told);
  }

  #release(upTo: number): void {
    const due = this.#held.filter((told) => told.version <= upTo);
    this.#held = this.#held.filter((told) => told.version > upTo);
    for (const told of due) this.#take(told);
  }

  #take({
    version,
    user_id = '',
    key_id = '',
    tool = '',
    range,
    scope,
    shifts = [],
    at = Date.now(),
  }: RevisionEvent): void {
    const own = this.#own.delete(version);
    if (version <= this.version) return;
    this.version = version;
    if (!own) this.newestOfOthers = version;
    for (const listener of this.#listeners)
      listener({ version, userId: user_id, keyId: key_id, tool, range, scope, shifts, at, own });
  }
}
