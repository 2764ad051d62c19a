import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { isLocked } from './connection.ts';

export interface ServingLock {
  release(): void;
}

/**
 * One process at a time runs the jobs of a data folder: a second one would take over what the first has under way. The lock
 * is the operating system's, so it ends with the process, however that ends. Undefined when another has it.
 */
export async function lockForServing(folder: string): Promise<ServingLock | undefined> {
  await mkdir(folder, { recursive: true });
  const file = new DatabaseSync(join(folder, 'serving.lock'), { timeout: 0 });
  try {
    // In memory: a journal would stay behind when the process is killed.
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    if (!isLocked(error)) throw error;
    return undefined;
  }
  return { release: () => file.close() };
}
