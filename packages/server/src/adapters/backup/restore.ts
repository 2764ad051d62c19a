import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { BlobStore } from '../../ports/blob-store.ts';
import { ChecksumCheck } from '../sql/checksums.ts';
import type { Database, Param, Sql } from '../sql/database.ts';
import { sql } from '../sql/statement.ts';
import { migrate } from '../sql/migrate.ts';
import { migrations } from '../sql/migrations/index.ts';
import { quoteIdentifier, readCatalog, type Table } from './catalog.ts';
import { digestError, readLines } from './hashed-files.ts';
import { BackupError, parseBlobLine, readManifest, type Manifest, type BackupProgress } from './manifest.ts';
import { blobFile, blobsFile, pathError, tableFile } from './paths.ts';
import { unsealSecret, secretTable, type SecretRow } from './sealed-secret.ts';
import { decodeRow, type Row } from './table-rows.ts';

const maxParams = 500;
const maxBytes = 4 * 2 ** 20;
const maxFaultsNamed = 10;

export interface RestoreOptions {
  source: string;
  /**
   * The database to restore into, which must be empty. It may be SQLite or PostgreSQL, regardless of the database that
   * was backed up.
   */
  database: Database;
  blobs: BlobStore;
  /** Passphrase that decrypts the installation's secret. Without it, the restored installation creates a new secret. */
  passphrase?: string;
  progress?: (progress: BackupProgress) => void;
}

export interface RestoreSummary {
  tables: number;
  rows: number;
  blobs: number;
  createdAt: string;
  /**
   * Whether the installation's secret, the key that signs links, was restored. If not, all links that were issued
   * before the restore are invalid.
   */
  hasSecret: boolean;
  /**
   * Result of comparing the restored texts with their checksums. A text that differs was already damaged when it was
   * backed up; it is restored unchanged.
   */
  texts: ChecksumCheck;
}

/**
 * Checks every file of the backup before writing anything, then writes the blobs, then all rows in one transaction. If
 * it is interrupted while it writes blobs or rows, the database stays empty and the restore can be run again.
 */
export async function restore(options: RestoreOptions): Promise<RestoreSummary> {
  const { source, database } = options;
  const manifest = await readManifest(source);
  const newest = migrations.at(-1)!.number;
  if (manifest.schema > newest) {
    throw new BackupError(
      `the backup has schema version ${manifest.schema}, this sheaf knows ${newest}: restore it with the newer sheaf`,
    );
  }
  const secret = await unsealSecret(manifest, options.passphrase);
  await requireEmptyDatabase(database, manifest.schema);
  await verify(manifest, options);
  await loadBlobs(manifest, options);
  await migrate(
    database,
    migrations.filter(({ number }) => number <= manifest.schema),
  );
  const texts = await loadTables(manifest, options, secret ?? []);
  await migrate(database);
  return {
    tables: manifest.tables.length,
    rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0),
    blobs: manifest.blobs.count,
    createdAt: manifest.createdAt,
    hasSecret: secret !== undefined || manifest.tables.some((table) => table.name === secretTable && table.rows > 0),
    texts,
  };
}

async function requireEmptyDatabase(database: Database, schema: number): Promise<void> {
  const tables = await database.snapshot((view) => readCatalog(view, database.dialect));
  if (tables.length === 0) return;
  for (const table of tables) {
    const row = await database.get(`SELECT 1 AS found FROM ${quoteIdentifier(table.name)} LIMIT 1`);
    if (row) throw new BackupError(`the database is not empty (${table.name} has rows): restore into a new one`);
  }
  const version = await database.get<{ number: number | null }>('SELECT MAX(number) AS number FROM schema_version');
  if (version?.number !== schema) {
    throw new BackupError(
      `the database has schema version ${version?.number ?? 0}, the backup ${schema}: restore into a new, empty one`,
    );
  }
}

async function verify(manifest: Manifest, { source, progress }: RestoreOptions): Promise<void> {
  const faults: string[] = [];
  const total = manifest.tables.length + 1 + manifest.blobs.count;
  let done = 0;
  const check = async (entry: { file: string; size: number; sha256: string }, place: string): Promise<boolean> => {
    progress?.({ stage: 'verify', name: entry.file, done: done++, total });
    const found = (await pathError(source, entry.file, place)) ?? (await digestError(join(source, entry.file), entry));
    if (found !== undefined) faults.push(`${entry.file.slice(0, 200)} ${found}`);
    return found === undefined;
  };
  for (const table of manifest.tables) await check(table, tableFile(table.name));
  if (await check(manifest.blobs, blobsFile)) {
    for await (const text of readLines(join(source, manifest.blobs.file))) {
      const line = parseBlobLine(text);
      await check(line, blobFile(line.key));
    }
  }
  if (faults.length === 0) return;
  const more = faults.length > maxFaultsNamed ? `, and ${faults.length - maxFaultsNamed} more` : '';
  throw new BackupError(
    `the backup is damaged: ${faults.slice(0, maxFaultsNamed).join(', ')}${more}; nothing was restored`,
  );
}

async function loadBlobs(manifest: Manifest, { source, blobs, progress }: RestoreOptions): Promise<void> {
  let done = 0;
  for await (const text of readLines(join(source, manifest.blobs.file))) {
    const line = parseBlobLine(text);
    progress?.({ stage: 'blobs', name: line.key, done: done++, total: manifest.blobs.count });
    await blobs.put(line.key, createReadStream(join(source, line.file)), line.size);
  }
}

async function loadTables(
  manifest: Manifest,
  { source, database, progress }: RestoreOptions,
  secret: readonly SecretRow[],
): Promise<ChecksumCheck> {
  const catalog = new Map(
    (await database.snapshot((view) => readCatalog(view, database.dialect))).map((table) => [table.name, table]),
  );
  const missing = manifest.tables.find((table) => !catalog.has(table.name));
  if (missing)
    throw new BackupError(
      `the backup has a table ${missing.name} that schema version ${manifest.schema} does not have`,
    );
  return database.write(null, async (tx) => {
    const texts = new ChecksumCheck();
    await deferForeignKeys(tx, database, async () => {
      // Delete the rows that migrations inserted, because the backup contains them too.
      for (const name of catalog.keys()) await tx.run(`DELETE FROM ${quoteIdentifier(name)}`);
      for (const [done, entry] of manifest.tables.entries()) {
        progress?.({ stage: 'load', name: entry.name, done, total: manifest.tables.length });
        const table = catalog.get(entry.name)!;
        await loadTable(tx, database, table, { path: join(source, entry.file), expected: entry.rows, texts });
        if (entry.lastId !== undefined && table.identity !== undefined)
          await setIdentity(tx, database, table, entry.lastId);
      }
      for (const { name, value } of secret)
        await tx.run(sql`INSERT INTO installation_secret (name, value) VALUES (${name}, ${value})`);
    });
    return texts;
  });
}

/** Runs `load` and checks foreign keys only at the end, because a row may be loaded before the row it refers to. */
async function deferForeignKeys(tx: Sql, database: Database, load: () => Promise<void>): Promise<void> {
  if (database.dialect.name === 'sqlite') {
    await tx.run('PRAGMA defer_foreign_keys = ON');
    return load();
  }
  const keys = await tx.all<{ name: string; constraint_name: string }>(
    `SELECT conrelid::regclass::text AS name, conname AS constraint_name FROM pg_constraint
     WHERE contype = 'f' AND NOT condeferrable AND connamespace = current_schema()::regnamespace`,
  );
  const alter = async (how: string): Promise<void> => {
    for (const key of keys)
      await tx.run(`ALTER TABLE ${key.name} ALTER CONSTRAINT ${quoteIdentifier(key.constraint_name)} ${how}`);
  };
  await alter('DEFERRABLE INITIALLY DEFERRED');
  await load();
  await tx.run('SET CONSTRAINTS ALL IMMEDIATE');
  await alter('NOT DEFERRABLE');
}

async function loadTable(
  tx: Sql,
  database: Database,
  table: Table,
  { path, expected, texts }: { path: string; expected: number; texts: ChecksumCheck },
): Promise<void> {
  const overriding =
    database.dialect.name === 'postgres' && table.identity !== undefined ? 'OVERRIDING SYSTEM VALUE ' : '';
  const columns = table.columns.map(quoteIdentifier).join(', ');
  const marks = `(${table.columns.map(() => '?').join(', ')})`;
  const full = Math.max(1, Math.floor(maxParams / table.columns.length));
  let rows = 0;
  let batch: Row[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    texts.add(table.name, batch);
    const params: Param[] = batch.flatMap((row) => table.columns.map((column) => row[column] ?? null));
    await tx.run(
      `INSERT INTO ${quoteIdentifier(table.name)} (${columns}) ${overriding}VALUES ${batch.map(() => marks).join(', ')}`,
      ...params,
    );
    rows += batch.length;
    batch = [];
    bytes = 0;
  };
  for await (const line of readLines(path)) {
    batch.push(decodeRow(line));
    bytes += line.length;
    if (batch.length >= full || bytes >= maxBytes) await flush();
  }
  await flush();
  if (rows !== expected)
    throw new BackupError(
      `the backup is damaged: ${table.name} has ${rows} rows instead of ${expected}; nothing was restored`,
    );
}

async function setIdentity(tx: Sql, database: Database, table: Table, lastId: number): Promise<void> {
  if (database.dialect.name === 'sqlite') {
    await tx.run(sql`DELETE FROM sqlite_sequence WHERE name = ${table.name}`);
    await tx.run(sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${table.name}, ${lastId})`);
    return;
  }
  if (lastId > 0) await tx.run('SELECT setval(pg_get_serial_sequence(?, ?), ?)', table.name, table.identity!, lastId);
}
