import type { MaybePromise } from '../../ports/account-store.ts';
import type { Database } from './database.ts';

const most = 5000;

/**
 * Cache of rows that nearly every request looks up. Invalidated by `forget` when this process changes them, and by the
 * database's access version when another process does. While that version is unknown, nothing is cached.
 */
export class Remembered<Found extends object> {
  readonly #db: Pick<Database, 'accessVersion'>;
  #found = new Map<string, Found>();
  #version: number | undefined;

  constructor(db: Pick<Database, 'accessVersion'>) {
    this.#db = db;
  }

  find(key: string, load: () => Promise<Found | undefined>): MaybePromise<Found | undefined> {
    const version = this.#db.accessVersion();
    if (version === undefined) return load();
    if (version !== this.#version) {
      this.forget();
      this.#version = version;
    }
    return this.#found.get(key) ?? this.#load(key, load);
  }

  async #load(key: string, load: () => Promise<Found | undefined>): Promise<Found | undefined> {
    // If `forget` replaces the map during the read, the row goes into the discarded map and is not cached.
    const found = this.#found;
    const row = await load();
    if (row) {
      if (found.size >= most) found.clear();
      found.set(key, row);
    }
    return row;
  }

  forget(): void {
    this.#found = new Map();
  }
}
