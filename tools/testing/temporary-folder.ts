/** Creates an empty temporary folder, which is deleted at the end of the test run. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { runFolder } from './run-folder.ts';

export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(runFolder(), 'folder-'));
}
