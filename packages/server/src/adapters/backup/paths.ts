import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { sha256 } from '../../lib/hash.ts';

/**
 * Path of the list of blobs in a backup.
 *
 * The functions below compute the paths of all files in a backup. A manifest contains the paths too but may be forged,
 * so a restore accepts only paths that equal the computed ones.
 */
export const blobsFile = 'blobs.jsonl';

export function tableFile(table: string): string {
  return `tables/${table}.jsonl`;
}

export function blobFile(key: string): string {
  const name = sha256(key);
  return `blobs/${name.slice(0, 2)}/${name}`;
}

/**
 * Returns why a backup file must not be read: its path differs from the expected one, or it is a link to a file outside
 * the backup. Returns undefined if the file may be read.
 */
export async function pathError(folder: string, file: string, expected: string): Promise<string | undefined> {
  if (file !== expected || !/^[\w./-]+$/.test(file) || file.includes('..')) return 'does not lie where it belongs';
  try {
    const real = await realpath(join(folder, file));
    return real.startsWith((await realpath(folder)) + sep) ? undefined : 'lies outside of the backup';
  } catch (error) {
    return `cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
}
