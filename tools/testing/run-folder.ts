import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const variable = 'SHEAF_TEST_RUN';

/** Creates the folder for the whole run; called by the global setup, and inherited by every worker. */
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
