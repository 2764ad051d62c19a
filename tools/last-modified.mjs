import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Inputs of the page's build in addition to its sources. */
export const pageFiles = ['index.html', 'page-per-route.ts', 'public', 'service-worker-build.ts', 'vite.config.ts'].map(
  (name) => join('packages', 'web', name),
);

/** Returns the time of the last change below the path in milliseconds; 0 if it does not exist. */
export function newest(path) {
  const info = statSync(path, { throwIfNoEntry: false });
  if (!info) return 0;
  return info.isDirectory() ? newestIn(path) : info.mtimeMs;
}

function newestIn(folder) {
  let time = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) time = Math.max(time, newest(path));
    else if (entry.name !== 'node_modules') time = Math.max(time, newestIn(path));
  }
  return time;
}
