import type { MaybePromise } from '../../ports/account-store.ts';
import type { Database } from './database.ts';

const maxEntries = 5000;

/**
 * Caches rows that nearly every request looks up, such as users and API keys. `invalidate` clears the cache when this
 * process changes the rows. When another process changes them, it increments the access version in the database, which
 * clears this cache too. While the access version is unknown, nothing is cached.
 */
export class AccessCache<Found extends object> {
  readonly #db: Pick<Database, 'accessVersion'>;
  #entries = new Map<string, Found>();
  #version: number | undefined;

  constructor(db: Pick<Database, 'accessVersion'>) {
    this.#db = db;
  }

  find(key: string, load: () => Promise<Found | undefined>): MaybePromise<Found | undefined> {
    const version = this.#db.accessVersion();
    if (version === undefined) return load();
    if (version !== this.#version) {
      this.invalidate();
      this.#version = version;
    }
    return this.#entries.get(key) ?? this.#load(key, load);
  }

  async #load(key: string, load: () => Promise<Found | undefined>): Promise<Found | undefined> {
    // Remember the current map. If `invalidate` replaces the map during the read, the row is stored in the discarded
    // map and so is not cached.
    const found = this.#entries;
    const row = await load();
    if (row) {
      if (found.size >= maxEntries) found.clear();
      found.set(key, row);
    }
    return row;
  }

  invalidate(): void {
    this.#entries = new Map();
  }
}
