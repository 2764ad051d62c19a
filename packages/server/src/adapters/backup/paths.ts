import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { sha256 } from '../../lib/hash.ts';

/**
 * Paths of the files in a backup, computed by the functions below. A manifest also contains the paths but may be
 * forged, so a restore accepts only paths that equal these.
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
