import type { MaybePromise } from '../../ports/account-store.ts';
import type { Database } from './database.ts';

const most = 5000;

/**
 * Rows that nearly every request looks up, kept until they may have changed: by this process, which says so by `forget`,
 * or by another one, which the database tells. While it would not be told, nothing is kept.
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
    // What is forgotten while the row is being read must not be kept: it goes into the map that was thrown away.
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
