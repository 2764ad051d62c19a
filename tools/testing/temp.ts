/**
 * Temporary folders for tests. `await temporaryFolder()` gives an empty one; it goes away at the end of the test run,
 * whether the tests pass or not, so nobody needs to clean up.
 */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { runFolder } from './run-folder.ts';

export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(runFolder(), 'folder-'));
}
