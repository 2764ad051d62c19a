import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import type { SearchEntry } from '../../ports/search-index.ts';
import { Statements } from '../sql/sqlite/statements.ts';
import { tokensOf } from './entry-tokens.ts';
import { maxTitleKeyLength } from './plan.ts';
import { isDamage, sqliteCode, type EntryTokens, type OpenAnswer } from './protocol.ts';
import { TimesWriter } from './sqlite-times.ts';
import { commonTables, marksOf, numberOf, schemaVersion, spaceName, spaceTables } from './sqlite-schema.ts';

const mergePages = 200;

/**
 * The one connection that writes the index file; lives in the worker thread. Every batch is synced: what the outbox
 * forgets after `put` must be here after a power cut.
 */
export class SqliteWriter {
  readonly #path: string;
  /** The spaces whose tables are there. */
  readonly #spaces = new Map<string, TimesWriter>();
  #open: { db: DatabaseSyncInstance; statements: Statements } | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  open(): OpenAnswer {
    if (!existsSync(this.#path)) return { ...this.reset(), reason: '' };
    try {
      const { db } = this.#connect();
      const version = db.prepare("SELECT value FROM state WHERE name = 'version'").get() as
        | { value: string }
        | undefined;
      if (version?.value === schemaVersion) {
        return {
          needsRebuild: db.prepare("SELECT 1 FROM state WHERE name = 'complete'").get() === undefined,
          reason: '',
        };
      }
      return {
        ...this.reset(),
        reason: `it is of version ${version?.value ?? 'unknown'}, this version of sheaf writes ${schemaVersion}`,
      };
    } catch (error) {
      if (!isDamage(sqliteCode(error)) && !/no such table/.test(String(error))) throw error;
      return { ...this.reset(), reason: error instanceof Error ? error.message : String(error) };
    }
  }

  reset(): OpenAnswer {
    this.close();
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(this.#path + suffix, { force: true });
    const { db } = this.#connect();
    db.exec(commonTables);
    db.prepare("INSERT OR REPLACE INTO state (name, value) VALUES ('version', ?)").run(schemaVersion);
    return { needsRebuild: true, reason: '' };
  }

  put(entries: readonly SearchEntry[]): void {
    const latest = [...new Map(entries.map((entry) => [`${entry.space} ${entry.id}`, entry])).values()];
    // The tokens come first: the file is locked for no longer than writing takes.
    const tokens = new Map(latest.map((entry) => [entry, tokensOf(entry)]));
    for (const entry of latest) this.#ensureSpace(entry.space);
    this.#transaction(() => {
      for (const entry of latest) this.#removeOne(entry.space, entry.id);
      const numbered = latest.map((entry) => ({ entry, ...this.#number(entry) }));
      // FTS5 gathers what comes in ascending order; a step back makes it write what it has.
      numbered.sort((a, b) => a.number - b.number);
      for (const { entry, owner, number } of numbered) this.#addOne(entry, owner, number, tokens.get(entry));
    });
  }

  #number(entry: SearchEntry): { owner: number; number: number } {
    const row = this.#run<{ key: number; last: number }>(
      `INSERT INTO owner (space, name, entries, last) VALUES (?, ?, 1, 1)
       ON CONFLICT (space, name) DO UPDATE SET entries = entries + 1, last = last + 1 RETURNING key, last`,
      entry.space,
      entry.owner,
    );
    if (!row) throw new Error('the search index gave an owner no number');
    return { owner: row.key, number: numberOf(row.key, row.last) };
  }

  #addOne(entry: SearchEntry, owner: number, number: number, tokens: EntryTokens | undefined): void {
    const name = spaceName(entry.space);
    this.#run(
      `INSERT INTO entry_${name} (number, id, owner, created, modified, size, title_key) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      number,
      entry.id,
      owner,
      entry.created,
      entry.modified,
      entry.size,
      entry.titleKey.slice(0, maxTitleKeyLength),
    );
    this.#run(
      `INSERT INTO text_${name} (rowid, marks, title, headings, body) VALUES (?, ?, ?, ?, ?)`,
      number,
      marksOf(owner, tokens ?? { title: '', headings: '' }),
      tokens?.title ?? '',
      tokens?.headings ?? '',
      tokens?.body ?? '',
    );
    this.#spaces.get(name)?.set(number, entry.modified);
    this.#run('UPDATE space SET entries = entries + 1 WHERE name = ?', name);
  }

  remove(space: string, ids: readonly string[]): void {
    this.#ensureSpace(space);
    this.#transaction(() => {
      for (const id of ids) this.#removeOne(space, id);
    });
  }

  #removeOne(space: string, id: string): void {
    const name = spaceName(space);
    const gone = this.#run<{ number: number; owner: number }>(
      `DELETE FROM entry_${name} WHERE id = ? RETURNING number, owner`,
      id,
    );
    if (!gone) return;
    this.#run(`DELETE FROM text_${name} WHERE rowid = ?`, gone.number);
    this.#spaces.get(name)?.unset(gone.number);
    this.#run('UPDATE owner SET entries = entries - 1 WHERE key = ?', gone.owner);
    this.#run('UPDATE space SET entries = entries - 1 WHERE name = ?', name);
  }

  clear(space: string): void {
    this.#ensureSpace(space);
    const name = spaceName(space);
    this.#transaction(() => {
      this.#run(`DELETE FROM entry_${name}`);
      this.#run(`INSERT INTO text_${name}(text_${name}) VALUES ('delete-all')`);
      this.#run(`DELETE FROM times_${name}`);
      // Not deleted: numbers go on where they were, so that none is given twice.
      this.#run('UPDATE owner SET entries = 0 WHERE space = ?', space);
      this.#run('UPDATE space SET entries = 0 WHERE name = ?', name);
    });
  }

  /**
   * One step of merging what batches left behind: every piece of the index that is not merged is one more place where
   * each word is looked up. False when nothing is left to merge. A step takes some tens of milliseconds at most.
   */
  tidy(): boolean {
    for (const name of this.#spaces.keys()) {
      const before = this.#changes();
      this.#run(`INSERT INTO text_${name}(text_${name}, rank) VALUES ('merge', ?)`, mergePages);
      // The statement itself counts as one.
      if (this.#changes() - before >= 2) return true;
    }
    // As long as the log holds anything, a reader looks there for every page.
    this.#run('PRAGMA wal_checkpoint(PASSIVE)');
    return false;
  }

  #changes(): number {
    return this.#run<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0;
  }

  rebuilt(): void {
    this.#run("INSERT OR REPLACE INTO state (name, value) VALUES ('complete', '1')");
  }

  close(): void {
    this.#spaces.clear();
    this.#open?.statements.clear();
    this.#open?.db.close();
    this.#open = undefined;
  }

  #connect(): { db: DatabaseSyncInstance; statements: Statements } {
    mkdirSync(dirname(this.#path), { recursive: true });
    const db = new DatabaseSync(this.#path, { timeout: 10_000 });
    this.#open = { db, statements: new Statements(db) };
    db.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 67108864',
    );
    return this.#open;
  }

  /** A worker that replaces a dead one is not told to open: the file was checked at the start. */
  #opened(): { db: DatabaseSyncInstance; statements: Statements } {
    return this.#open ?? this.#connect();
  }

  #ensureSpace(space: string): void {
    if (this.#spaces.has(space)) return;
    this.#transaction(() => this.#opened().db.exec(spaceTables(space)));
    this.#spaces.set(space, new TimesWriter(space, (sql) => this.#opened().statements.of(sql)));
  }

  #transaction(body: () => void): void {
    const { db } = this.#opened();
    db.exec('BEGIN IMMEDIATE');
    try {
      body();
      for (const times of this.#spaces.values()) times.flush();
      db.exec('COMMIT');
    } catch (error) {
      for (const times of this.#spaces.values()) times.drop();
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }

  #run<Row>(sql: string, ...params: (string | number)[]): Row | undefined {
    return this.#opened()
      .statements.of(sql)
      .get(...params) as Row | undefined;
  }
}
