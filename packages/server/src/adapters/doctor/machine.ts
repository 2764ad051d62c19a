import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { diskWriteCheck } from '../readiness.ts';
import { failure, ok, errorReason, warning, type Finding } from './finding.ts';

const oldestNode = 20;
const mebibyte = 2 ** 20;
const scarceBytes = 1024 * mebibyte;
const tooFewBytes = 100 * mebibyte;
const scarceShare = 0.05;
/** Permission bits of a file's group and of other users. None of them may be set on files with private data. */
const others = 0o077;

export function checkRuntime(version: string): Finding {
  const [major = 0] = process.versions.node.split('.').map(Number);
  const says = `sheaf ${version} on Node.js ${process.versions.node}, ${process.platform} ${process.arch}`;
  return major >= oldestNode
    ? ok('versions', says)
    : failure('versions', says, `Install Node.js ${oldestNode} or newer.`);
}

export async function checkDisk(folder: string): Promise<Finding> {
  try {
    await diskWriteCheck(folder).check();
  } catch (error) {
    return failure('disk', `nothing can be written to ${folder}: ${errorReason(error)}`, adviceFor(error, folder));
  }
  const { bavail, blocks, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const share = blocks === 0 ? 1 : bavail / blocks;
  const says = `${Math.floor(free / mebibyte)} MiB (${Math.floor(share * 100)} %) are free in ${folder}`;
  if (free < tooFewBytes) return failure('disk', says, 'Free some space now: writes are about to be refused.');
  if (free < scarceBytes || share < scarceShare)
    return warning('disk', says, 'Free some space or move SHEAF_DATA to a larger disk.');
  return ok('disk', says);
}

function adviceFor(error: unknown, folder: string): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EACCES':
    case 'EPERM':
      return `Run sheaf as the user who owns that folder, or: chown -R ${process.getuid?.() ?? 'USER'} ${folder}`;
    case 'EROFS':
      return 'Mount the disk for writing.';
    case 'ENOTDIR':
    case 'ENOENT':
      return 'Set SHEAF_DATA to a folder that can be created, or mount the disk that holds it.';
    default:
      return 'Free some space; the server recovers by itself.';
  }
}

/**
 * Checks the permissions of the database file and the credentials file: other users of the machine must not have
 * access, and this process must be able to read and write them.
 */
export async function checkPermissions(folder: string): Promise<Finding[]> {
  if (process.platform === 'win32') return [ok('rights', 'not looked at on Windows')];
  const findings: Finding[] = [];
  for (const name of ['sheaf.db', 'credentials.json']) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (!found) continue;
    if ((found.mode & others) !== 0)
      findings.push(
        warning(
          'rights',
          `${path} can be read by other users of this machine (mode ${(found.mode & 0o777).toString(8)})`,
          `Run: chmod 600 ${path}`,
        ),
      );
    const isOurs = await access(path, constants.R_OK | constants.W_OK).then(
      () => true,
      () => false,
    );
    if (!isOurs)
      findings.push(
        failure(
          'rights',
          `user ${process.getuid?.()} may not read and write ${path}, which belongs to user ${found.uid}`,
          `Run sheaf as the user it belongs to, or: chown -R ${process.getuid?.()} ${folder}`,
        ),
      );
  }
  return findings.length > 0 ? findings : [ok('rights', 'files are readable by their owner alone')];
}
