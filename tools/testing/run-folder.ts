import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const variable = 'SHEAF_TEST_RUN';

/**
 * Creates the folder for the files of the whole test run, and stores its path in an environment variable, which the
 * test workers inherit from the global setup.
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
