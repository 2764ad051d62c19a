import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** When anything below the path changed last, in milliseconds; 0 when there is nothing. */
export function newest(path) {
  const info = statSync(path, { throwIfNoEntry: false });
  if (!info) return 0;
  if (!info.isDirectory()) return info.mtimeMs;
  let time = 0;
  for (const name of readdirSync(path)) if (name !== 'node_modules') time = Math.max(time, newest(join(path, name)));
  return time;
}
