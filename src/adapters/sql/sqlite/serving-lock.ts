import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';

export interface ServingLock {
  release(): void;
}

/**
 * One server at a time on a data folder: a second one would take over the jobs of the first and, as news stay within a
 * process, show documents as they once were. The lock is the operating system's, so it ends with the process, however that ends.
 */
export async function lockForServing(folder: string): Promise<ServingLock> {
  await mkdir(folder, { recursive: true });
  const file = new DatabaseSync(join(folder, 'serving.lock'), { timeout: 0 });
  try {
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    throw new Error(`another sheaf is serving ${folder}: stop it first, or give this one a SHEAF_DATA of its own`, { cause: error });
  }
  return { release: () => file.close() };
}
