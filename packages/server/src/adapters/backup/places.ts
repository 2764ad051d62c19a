import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { sha256 } from '../../lib/hash.ts';

/** Where things lie in a backup. A manifest says so too, but anybody can write one: what it says must be this. */
export const blobsFile = 'blobs.jsonl';

export function tableFile(table: string): string {
  return `tables/${table}.jsonl`;
}

export function blobFile(key: string): string {
  const name = sha256(key);
  return `blobs/${name.slice(0, 2)}/${name}`;
}

/** Why a file of a backup is not read, or nothing: it is somewhere else than it belongs, or a link to elsewhere. */
export async function misplaced(folder: string, file: string, expected: string): Promise<string | undefined> {
  if (file !== expected || !/^[\w./-]+$/.test(file) || file.includes('..')) return 'does not lie where it belongs';
  try {
    const real = await realpath(join(folder, file));
    return real.startsWith((await realpath(folder)) + sep) ? undefined : 'lies outside of the backup';
  } catch (error) {
    return `cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
}
