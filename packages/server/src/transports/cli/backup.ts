import { resolve } from 'node:path';
import { backup, type BackupSummary } from '../../adapters/backup/backup.ts';
import { recordBackup } from '../../adapters/backup/last-backup.ts';
import { BackupError, readManifest, type BackupProgress } from '../../adapters/backup/manifest.ts';
import { restore } from '../../adapters/backup/restore.ts';
import { openBlobs } from '../../app/open-blobs.ts';
import { openDatabase } from '../../app/open-database.ts';
import { readConfig, type Config } from '../../config.ts';
import { serializeError, type Logger } from '../../lib/logger.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import { CommandError } from './command-error.ts';
import { refuseMissingData } from './data-folder-check.ts';

/**
 * Copies all data of the installation, as of one point in time, to a new folder. Returns the exit code. The server may
 * be running.
 */
export async function backupCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const target = folderArgument(args, 'backup');
  refuseMissingData(readConfig(env));
  return withStorage(env, async (database, blobs, config) => {
    const done = await backup({
      database,
      blobs,
      target,
      passphrase: config.SHEAF_BACKUP_PASSPHRASE,
      progress: showProgress(),
    });
    endProgress();
    await recordBackup(database, done.createdAt).catch((error: unknown) =>
      line({ err: error }, 'the backup is complete, but its time could not be stored for /metrics:'),
    );
    process.stdout.write(
      `backed up ${done.rows} rows of ${done.tables} tables and ${done.blobs} files (${done.bytes} bytes) to ${target}\n`,
    );
    reportDamagedTexts(done.texts);
    if (done.damaged.length === 0) return done.texts.damaged === 0 ? 0 : 1;
    process.stderr.write(
      `sheaf: these files are damaged in the store and were left out of the backup: ${done.damaged.join(', ')}\n`,
    );
    return 1;
  });
}

/**
 * Verifies a backup and restores it into an empty data folder or an empty PostgreSQL database. Returns the exit code.
 */
export async function restoreCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const source = folderArgument(args, 'restore');
  // Check the backup's manifest before opening the database, so that a wrong folder does not create an empty database.
  await readManifest(source).catch(rethrowBackupError);
  return withStorage(env, async (database, blobs, config) => {
    const done = await restore({
      source,
      database,
      blobs,
      passphrase: config.SHEAF_BACKUP_PASSPHRASE,
      progress: showProgress(),
    });
    endProgress();
    process.stdout.write(
      `restored ${done.rows} rows of ${done.tables} tables and ${done.blobs} files, as of ${done.createdAt}\n`,
    );
    reportDamagedTexts(done.texts);
    if (!done.hasSecret)
      process.stdout.write(
        'the secret of the old installation was not restored: existing links to files are void, and passwords of files not yet parsed must be sent again\n',
      );
    return 0;
  });
}

function reportDamagedTexts({ damaged, names }: BackupSummary['texts']): void {
  if (damaged === 0) return;
  process.stderr.write(
    `sheaf: these versions of notes and spreadsheets are not as they were written, and are kept as they were found: ${names}\n`,
  );
}

function folderArgument(args: readonly string[], command: string): string {
  const [folder, ...rest] = args;
  if (folder === undefined || folder.startsWith('-') || rest.length > 0)
    throw new CommandError(`usage: sheaf ${command} FOLDER`);
  return resolve(folder);
}

type OpenDatabase = Awaited<ReturnType<typeof openDatabase>>['database'];

async function withStorage(
  env: NodeJS.ProcessEnv,
  work: (database: OpenDatabase, blobs: BlobStore, config: Config) => Promise<number>,
): Promise<number> {
  const config: Config = readConfig(env);
  const { database, events } = await openDatabase(config, stderrLog, {});
  try {
    return await work(database, await openBlobs(config), config);
  } catch (error) {
    return rethrowBackupError(error);
  } finally {
    await events.close();
    await database.close();
  }
}

function rethrowBackupError(error: unknown): never {
  throw error instanceof BackupError ? new CommandError(error.message) : error;
}

const line = (fields: object, message = ''): void =>
  void process.stderr.write(
    `sheaf: ${message} ${JSON.stringify(fields, (key, value: unknown) => (key === 'err' ? serializeError(value) : value))}\n`,
  );
const stderrLog: Logger = { debug: () => undefined, info: () => undefined, warn: line, error: line };

/**
 * Returns a function that prints the progress of a backup or a restore. On a terminal it rewrites one line; otherwise
 * it prints one line per stage.
 */
function showProgress(): (progress: BackupProgress) => void {
  let stage = '';
  return (progress) => {
    if (process.stderr.isTTY) {
      process.stderr.write(
        `\r\x1b[K${progress.stage} ${progress.done}${progress.total === undefined ? '' : `/${progress.total}`} ${progress.name.slice(-60)}`,
      );
    } else if (progress.stage !== stage) {
      process.stderr.write(`${progress.stage}\n`);
    }
    stage = progress.stage;
  };
}

function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
}
