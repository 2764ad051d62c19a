import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ImportError } from './import-error.ts';
import type { ImportReport } from './import-report.ts';

const maxDepth = 64;
/**
 * Maximum size in bytes of a file that is read. It equals the server's highest limit for files of any type. If the
 * server has a lower limit for a file's type, the server refuses the file and reports that limit.
 */
const maxBytes = 200 * 2 ** 20;

export interface Vault {
  readonly root: string;
  /**
   * Paths of the Markdown files (`notes`) and of all other files (`files`), relative to `root`, with forward slashes.
   * Files of the same folder are sorted by name.
   */
  readonly notes: readonly string[];
  readonly files: readonly string[];
}

/**
 * Lists the Markdown files and the other files below a folder. Does not follow symbolic links, and skips hidden files
 * and folders.
 */
export async function readVault(root: string, report: ImportReport): Promise<Vault> {
  const found = await lstat(root).catch((error: NodeJS.ErrnoException) => {
    throw new ImportError(`${root}: ${error.code === 'ENOENT' ? 'there is no such folder' : error.message}`);
  });
  if (found.isSymbolicLink()) throw new ImportError(`${root}: is a symbolic link; pass the folder itself`);
  if (!found.isDirectory()) throw new ImportError(`${root}: is not a folder`);
  const notes: string[] = [];
  const files: string[] = [];
  const walk = async (path: string, depth: number): Promise<void> => {
    const entries = await readdir(join(root, path), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const here = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.name.startsWith('.')) continue;
      if (entry.isSymbolicLink()) report.skip(here, 'symbolic links are not followed');
      else if (entry.isDirectory()) {
        if (depth < maxDepth) await walk(here, depth + 1);
        else report.fail(here, `folders are read ${maxDepth} levels deep`);
      } else if (!entry.isFile()) report.skip(here, 'is not a file');
      else if (/\.(md|markdown)$/i.test(entry.name)) notes.push(here);
      else files.push(here);
    }
  };
  await walk('', 1);
  return { root, notes, files };
}

/** Thrown for a file that cannot be imported. The message says why. */
export class FileError extends Error {}

/**
 * Reads a file of the folder being imported. Throws FileError if it is too large or is not a regular file. A symbolic
 * link is refused, because the file may have been replaced by one since it was listed.
 */
export async function readVaultFile(root: string, path: string): Promise<Buffer> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(join(root, path), flags).catch((error: NodeJS.ErrnoException) => {
    throw new FileError(error.code === 'ELOOP' ? 'symbolic links are not followed' : error.message, { cause: error });
  });
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new FileError('is no longer a file');
    if (found.size > maxBytes) throw new FileError(`is larger than ${maxBytes / 2 ** 20} MB (${found.size} bytes)`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
