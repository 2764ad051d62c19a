import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { isLocked } from './connection.ts';

export interface DataFolderLock {
  release(): void;
}

/**
 * Locks a data folder, because only one process may run its jobs: a second would take over the first one's running
 * jobs. It is an operating system lock, so it ends with the process in any case. Undefined if another process holds it.
 */
export async function lockDataFolder(folder: string): Promise<DataFolderLock | undefined> {
  await mkdir(folder, { recursive: true });
  const file = new DatabaseSync(join(folder, 'serving.lock'), { timeout: 0 });
  try {
    // In memory: a journal file would remain if the process is killed.
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    if (!isLocked(error)) throw error;
    return undefined;
  }
  return { release: () => file.close() };
}
