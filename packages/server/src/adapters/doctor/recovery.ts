import { readLostFrames } from '../sql/sqlite/lost-frames.ts';
import { warning, type Finding } from './finding.ts';

/**
 * Reports how many database pages were lost when SQLite last recovered from a damaged write-ahead log, according to the
 * record file at `path`. Returns undefined if none were lost.
 */
export async function checkRecoveries(path: string): Promise<Finding | undefined> {
  const lost = await readLostFrames(path);
  const last = lost.at(-1);
  if (!last) return undefined;
  const times = lost.length === 1 ? '' : ` (${lost.length} times in all)`;
  return warning(
    'recovery',
    `at ${new Date(last.at).toISOString()} the log of the database was damaged: ${last.frames} pages (${last.bytes} bytes) were not recovered${times}`,
    `Look whether what people wrote last before that is missing, and at the disk; then delete ${path}.`,
  );
}
