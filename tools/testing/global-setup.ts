/**
 * Global setup of vitest: builds what the tests need and creates the folder for the files of the test run. Servers are
 * started by the first test that needs them (see postgres.ts). The function that `setup` returns stops them at the end.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stopPostgres } from './postgres.ts';
import { makeRunFolder } from './run-folder.ts';
import { stopSharedServers } from './shared-server.ts';

const buildScript = fileURLToPath(new URL('../build.mjs', import.meta.url));

export function setup(): () => Promise<void> {
  if (existsSync(buildScript) && !process.env['SHEAF_BUILT']) {
    const built = spawnSync(process.execPath, [buildScript], { stdio: 'inherit' });
    if (built.status !== 0) throw new Error('the build failed; its output is above');
  }
  const folder = makeRunFolder();
  return async () => {
    await stopSharedServers();
    await stopPostgres();
    rmSync(folder, { recursive: true, force: true });
  };
}
