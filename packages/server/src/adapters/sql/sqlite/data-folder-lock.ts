import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { isLocked } from './connection.ts';

export interface DataFolderLock {
  release(): void;
}

/**
 * Locks a data folder for the process that runs its background jobs. A second such process would take over jobs that
 * the first one is still running. The operating system releases the lock when the process ends. Returns undefined if
 * another process holds the lock.
 */
export async function lockDataFolder(folder: string): Promise<DataFolderLock | undefined> {
  await mkdir(folder, { recursive: true });
  const file = new DatabaseSync(join(folder, 'serving.lock'), { timeout: 0 });
  try {
    // Keep the journal in memory. A journal file would stay in the folder if the process is killed while it holds the
    // lock.
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    if (!isLocked(error)) throw error;
    return undefined;
  }
  return { release: () => file.close() };
}
