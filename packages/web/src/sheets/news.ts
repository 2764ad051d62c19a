import type { Revision, Shift } from './revision.ts';
import type { Told as Presence } from './who-is-here.ts';

const againMs = 5000;

interface Told {
  version: number;
  user_id?: string;
  key_id?: string;
  tool?: string;
  range?: string;
  scope?: readonly string[];
  shifts?: readonly Shift[];
  at?: number;
  /** The database was put back: revisions that were told may be gone, and their numbers given to others. */
  reset?: boolean;
}

/** Revisions of one document as they happen, each once and in order, with who made them. */
export class News {
  version: number;
  /** The newest version that this page did not make. */
  newestOfOthers: number;
  readonly #address: string;
  readonly #listeners = new Set<(revision: Revision) => void>();
  readonly #own = new Set<number>();
  #sending = 0;
  /** Connected again, and neither heard where things stand nor written anything since. */
  #isAnew = false;
  /** Heard while a write of our own was under way: it may be that write. */
  #held: Told[] = [];

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
   * `back` is called when the connection is there again after it was lost, `hear` when somebody says where they are,
   * `forget` when versions that were told are gone.
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
        // After an answer that is no stream (of a proxy before a server that starts) the browser does not try again by itself.
        if (source.readyState === EventSource.CLOSED) timer = setTimeout(connect, againMs);
      };
      source.onmessage = (event: MessageEvent<string>) => {
        const told = JSON.parse(event.data) as Told | { presence: Presence };
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

  /** A write of our own begins. */
  sending(): { answered(version: number | undefined, tool: string): void; done(): void } {
    this.#sending++;
    return {
      answered: (version, tool) => {
        if (version === undefined) return;
        this.#isAnew = false;
        this.#own.add(version);
        // Others' revisions before ours are told first.
        this.#release(version - 1);
        // Mostly the event is here before the answer; it says what the write changed.
        const { scope, shifts } = this.#held.find((told) => told.version === version) ?? {};
        this.#take({ version, tool, scope, shifts, at: Date.now() });
      },
      done: () => {
        this.#sending--;
        if (this.#sending === 0) this.#release(Infinity);
      },
    };
  }

  /** A new connection begins with where things stand: behind what is known only where that is gone. */
  #isReset(told: Told): boolean {
    const isBehind = this.#isAnew && told.version < this.version;
    this.#isAnew = false;
    return told.reset === true || isBehind;
  }

  #restart(told: Told): void {
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

  #take({ version, user_id = '', key_id = '', tool = '', range, scope, shifts = [], at = Date.now() }: Told): void {
    const own = this.#own.delete(version);
    if (version <= this.version) return;
    this.version = version;
    if (!own) this.newestOfOthers = version;
    for (const listener of this.#listeners)
      listener({ version, userId: user_id, keyId: key_id, tool, range, scope, shifts, at, own });
  }
}
