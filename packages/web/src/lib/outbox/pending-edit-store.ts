import { parseJson } from '../browser-storage.ts';
import { randomId } from '../random-id.ts';

export interface PendingEdit<Call> {
  /** Id of the edit. It is also the idempotency key of every attempt to send the edit. */
  readonly id: string;
  /** Sort key of the entry in the browser's storage. It follows the creation time, also across page loads. */
  readonly order: string;
  /** Creation time in Unix milliseconds. */
  readonly at: number;
  /** True after the first attempt to send the edit. The server may have applied it even if no response arrived. */
  readonly tried: boolean;
  readonly call: Call;
  /**
   * The server's reason for rejecting the edit; absent if it was not rejected. A rejected edit stays in the browser's
   * storage until the user discards it or sends it again.
   */
  readonly refused?: string;
}

/** A key-value store like localStorage that reports failures as return values instead of exceptions. */
export interface KeyValueStore {
  keys(): readonly string[];
  read(key: string): string | null;
  /** Stores a value, or removes it if null. Returns false if it could not be stored. */
  write(key: string, value: string | null): boolean;
}

/**
 * Edits in the browser's storage that the server has not confirmed yet. Each edit has a separate storage key, so that
 * several browser tabs with the same document can add and remove edits without conflicts.
 */
export class PendingEditStore<Call> {
  readonly #store: KeyValueStore;
  readonly #prefix: string;
  #newest: number | undefined;

  constructor(store: KeyValueStore, name: string) {
    this.#store = store;
    this.#prefix = `sheaf.outbox/${name}/`;
  }

  /**
   * Creates an entry for an edit, without storing it. It sorts after all earlier entries, even if the clock (`now`) was
   * set back.
   */
  create(call: Call, now: number, tried: boolean): PendingEdit<Call> {
    this.#newest = Math.max(now, (this.#newest ?? this.#newestStored()) + 1);
    const order = `${this.#newest.toString(36).padStart(9, '0')}-${randomId().slice(0, 6)}`;
    return { id: randomId(), order, at: this.#newest, tried, call };
  }

  /** Returns all entries in creation order. Unreadable entries are skipped but not removed. */
  all(): PendingEdit<Call>[] {
    const found: PendingEdit<Call>[] = [];
    for (const key of this.#keys()) {
      const entry = parsePendingEdit<Call>(this.#store.read(key));
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

  /** Stores an entry. Returns false if it could not be stored, for example because the storage is full. */
  put(entry: PendingEdit<Call>): boolean {
    return this.#store.write(this.#prefix + entry.order, JSON.stringify(entry));
  }

  remove(entry: PendingEdit<Call>): void {
    this.#store.write(this.#prefix + entry.order, null);
  }
}

/**
 * Returns the ids of the documents for which unconfirmed edits of a user are stored. `owner` is the user's id; storage
 * keys contain `<owner>/<document>`.
 */
export function documentsWithPendingEdits(store: KeyValueStore, owner: string): string[] {
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

function parsePendingEdit<Call>(text: string | null): PendingEdit<Call> | undefined {
  const entry = parseJson<Partial<PendingEdit<Call>>>(text);
  const isWhole =
    typeof entry?.id === 'string' &&
    typeof entry.order === 'string' &&
    typeof entry.at === 'number' &&
    typeof entry.call === 'object';
  return isWhole ? (entry as PendingEdit<Call>) : undefined;
}
