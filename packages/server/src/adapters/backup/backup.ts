import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { randomText } from '../../lib/ids.ts';
import { DamagedBlob, type BlobInfo, type BlobStore } from '../../ports/blob-store.ts';
import { syncFolder } from '../blob/durable-folder.ts';
import { ChecksumCheck } from '../sql/checksums.ts';
import type { Database } from '../sql/database.ts';
import { lastIdentity, readCatalog, type SnapshotView } from './catalog.ts';
import { writeHashed, type FileDigest } from './hashed-files.ts';
import {
  BackupError,
  manifestFile,
  manifestText,
  type BlobLine,
  type Manifest,
  type BackupProgress,
} from './manifest.ts';
import { blobFile, blobsFile, tableFile } from './paths.ts';
import { readTableLines } from './table-rows.ts';
import { sealSecret, secretTable } from './sealed-secret.ts';

const blobPage = 10_000;
const blobsAtOnce = 8;

export interface BackupOptions {
  database: Database;
  blobs: BlobStore;
  /** Path of the new backup folder; must not exist. The folder appears only once the backup is complete. */
  target: string;
  /**
   * Passphrase with which the installation's secret (the key that signs links) is encrypted into the backup. Without a
   * passphrase the secret is left out, and a restored installation creates a new one.
   */
  passphrase?: string;
  progress?: (progress: BackupProgress) => void;
}

export interface BackupSummary {
  /** Time of the database snapshot, in milliseconds. */
  createdAt: number;
  tables: number;
  rows: number;
  blobs: number;
  bytes: number;
  /** Keys of blobs that could not be copied because they are damaged. */
  damaged: string[];
  /**
   * Result of comparing the stored texts of notes and spreadsheets with their checksums. A damaged text is backed up
   * unchanged.
   */
  texts: ChecksumCheck;
}

/**
 * Backs up a running installation: all tables from one database snapshot, then all blobs. A blob that is deleted before
 * it is copied is left out, as if the backup had been taken later.
 */
export async function backup(options: BackupOptions): Promise<BackupSummary> {
  const target = resolve(options.target);
  if (existsSync(target)) throw new BackupError(`${target} exists already: give the name of a new folder`);
  const partial = `${target}.partial-${randomText(8)}`;
  await mkdir(partial, { recursive: true });
  const texts = new ChecksumCheck();
  try {
    const createdAt = Date.now();
    const { schema, tables, secret } = await options.database.snapshot((view) =>
      writeTables(view, partial, options, texts),
    );
    const { blobs, damaged } = await writeBlobs(partial, options);
    const manifest: Manifest = {
      format: 1,
      createdAt: new Date(createdAt).toISOString(),
      schema,
      database: options.database.dialect.name,
      tables,
      blobs,
      damaged,
      ...(secret && { secret }),
    };
    await writeFile(join(partial, manifestFile), manifestText(manifest), { flush: true });
    await syncFolder(partial);
    await rename(partial, target);
    await syncFolder(dirname(target));
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    return { createdAt, tables: tables.length, rows, blobs: blobs.count, bytes: blobs.bytes, damaged, texts };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function writeTables(
  view: SnapshotView,
  folder: string,
  { database, passphrase, progress }: BackupOptions,
  texts: ChecksumCheck,
): Promise<Pick<Manifest, 'schema' | 'tables' | 'secret'>> {
  const catalog = (await readCatalog(view, database.dialect)).filter((table) => table.name !== secretTable);
  if (catalog.length === 0) throw new BackupError('the database is empty: there is nothing to back up');
  const version = await view.get<{ number: number | null }>('SELECT MAX(number) AS number FROM schema_version');
  const tables: Manifest['tables'] = [];
  for (const table of catalog) {
    progress?.({ stage: 'tables', name: table.name, done: tables.length, total: catalog.length });
    let rows = 0;
    const file = tableFile(table.name);
    const lines = async function* (): AsyncGenerator<string> {
      for await (const page of readTableLines(view, database.dialect, table)) {
        rows += page.rows.length;
        texts.add(table.name, page.rows);
        yield page.lines;
      }
    };
    const written = await writeHashed(join(folder, file), lines());
    const lastId = table.identity === undefined ? {} : { lastId: await lastIdentity(view, database.dialect, table) };
    tables.push({ name: table.name, file, ...written, rows, ...lastId });
  }
  return { schema: version?.number ?? 0, tables, secret: await sealSecret(view, passphrase) };
}

async function writeBlobs(
  folder: string,
  { blobs, progress }: BackupOptions,
): Promise<Pick<Manifest, 'blobs' | 'damaged'>> {
  const damaged: string[] = [];
  let count = 0;
  let bytes = 0;
  const copy = async (info: BlobInfo): Promise<BlobLine | undefined> => {
    const file = blobFile(info.key);
    const written = await copyBlob(blobs, info.key, join(folder, file), damaged);
    return written && { key: info.key, file, ...written };
  };
  const lines = async function* (): AsyncGenerator<string> {
    for (let after: string | undefined; ;) {
      const page = await blobs.list('', { limit: blobPage, ...(after === undefined ? {} : { after }) });
      for (let start = 0; start < page.length; start += blobsAtOnce) {
        for (const line of await Promise.all(page.slice(start, start + blobsAtOnce).map(copy))) {
          if (!line) continue;
          progress?.({ stage: 'blobs', name: line.key, done: count });
          count++;
          bytes += line.size;
          yield `${JSON.stringify(line)}\n`;
        }
      }
      after = page.at(-1)?.key;
      if (page.length < blobPage) return;
    }
  };
  const file = blobsFile;
  const written = await writeHashed(join(folder, file), lines());
  return { blobs: { file, ...written, count, bytes }, damaged };
}

async function copyBlob(
  blobs: BlobStore,
  key: string,
  path: string,
  damaged: string[],
): Promise<FileDigest | undefined> {
  try {
    const stream = await blobs.get(key);
    return stream && (await writeHashed(path, stream));
  } catch (error) {
    if (!(error instanceof DamagedBlob)) throw error;
    // Record the damaged blob and continue, so that all other blobs are backed up.
    damaged.push(key);
    await rm(path, { force: true });
    return undefined;
  }
}
