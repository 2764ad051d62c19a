import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const variable = 'SHEAF_TEST_RUN';

/**
 * Creates the folder for the files of the whole test run. Called by the global setup; workers inherit it through the
 * environment.
 */
export function makeRunFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-test-'));
  process.env[variable] = folder;
  return folder;
}

export function runFolder(): string {
  const given = process.env[variable];
  if (given) return given;
  const own = makeRunFolder();
  process.once('exit', () => rmSync(own, { recursive: true, force: true }));
  return own;
}
