import { randomName } from '../random-name.ts';

/** An edit that the server has not confirmed yet. */
export interface KeptEntry<Call> {
  /** Also the idempotency key it is sent with, however often. */
  readonly id: string;
  /** Sorts entries as they were made, those of several visits too. */
  readonly order: string;
  /** When it was made, in Unix milliseconds. */
  readonly at: number;
  /** It was sent at least once: the server may have carried it out. */
  readonly tried: boolean;
  readonly call: Call;
  /** Why the server did not take it. Such an entry waits for the person, not for the server. */
  readonly refused?: string;
}

/** What a browser's storage does, with failures as answers. */
export interface TextStore {
  keys(): readonly string[];
  read(key: string): string | null;
  /** Whether it is stored. */
  write(key: string, value: string | null): boolean;
}

/**
 * Entries in the browser's storage, each under a key of its own: pages that show the same document at once add and remove
 * theirs without touching the others'.
 */
export class KeptEntries<Call> {
  readonly #store: TextStore;
  readonly #prefix: string;
  #newest: number | undefined;

  constructor(store: TextStore, name: string) {
    this.#store = store;
    this.#prefix = `sheaf.outbox/${name}/`;
  }

  /** A new entry, later than all before it even where the clock was set back. */
  make(call: Call, now: number, tried: boolean): KeptEntry<Call> {
    this.#newest = Math.max(now, (this.#newest ?? this.#newestStored()) + 1);
    const order = `${this.#newest.toString(36).padStart(9, '0')}-${randomName().slice(0, 6)}`;
    return { id: randomName(), order, at: this.#newest, tried, call };
  }

  /** In the order they were made. What cannot be read is left where it is. */
  all(): KeptEntry<Call>[] {
    const found: KeptEntry<Call>[] = [];
    for (const key of this.#keys()) {
      const entry = parsed<Call>(this.#store.read(key));
      if (entry) found.push(entry);
    }
    return found;
  }

  #keys(): string[] {
    return this.#store
      .keys()
      .filter((one) => one.startsWith(this.#prefix))
      .toSorted();
  }

  #newestStored(): number {
    const order = this.#keys().at(-1)?.slice(this.#prefix.length).split('-')[0] ?? '0';
    return Number.parseInt(order, 36) || 0;
  }

  /** Whether it is safe there: a full storage takes nothing. */
  put(entry: KeptEntry<Call>): boolean {
    return this.#store.write(this.#prefix + entry.order, JSON.stringify(entry));
  }

  remove(entry: KeptEntry<Call>): void {
    this.#store.write(this.#prefix + entry.order, null);
  }
}

/** The names under which somebody has entries: `<owner>/<document>` by its second part. */
export function namesKept(store: TextStore, owner: string): string[] {
  const prefix = `sheaf.outbox/${owner}/`;
  return [
    ...new Set(
      store
        .keys()
        .filter((key) => key.startsWith(prefix))
        .map((key) => key.slice(prefix.length).split('/')[0]!),
    ),
  ];
}

function parsed<Call>(text: string | null): KeptEntry<Call> | undefined {
  if (text === null) return undefined;
  try {
    const entry = JSON.parse(text) as Partial<KeptEntry<Call>> | null;
    const isWhole =
      typeof entry?.id === 'string' &&
      typeof entry.order === 'string' &&
      typeof entry.at === 'number' &&
      typeof entry.call === 'object';
    return isWhole ? (entry as KeptEntry<Call>) : undefined;
  } catch (error) {
    console.info('kept edit', error);
    return undefined;
  }
}
