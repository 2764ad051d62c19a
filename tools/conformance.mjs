/**
 * Runs one of several conformance suites.
 *
 * Case files against the engine:
 *    npm run conformance -- FILE.jsonl [--fn NAME] [--family NAME] [--source NAME] [--failures N]
 * Workbooks through import, calculation, export and a second import (--libreoffice also opens originals and exports in
 * LibreOffice and compares the displayed values):
 *    npm run conformance -- FOLDER [--json] [--verbose] [--libreoffice]
 * Documents compared with the words that other programs find in them (packages/files/test/words/run.ts):
 *    npm run conformance -- words FILES TEXTS [--misses N]
 * Workbooks and their exports compared by pictures that LibreOffice renders
 * (packages/files/test/xlsx/conformance/pictures.ts):
 *    npm run conformance -- pictures FOLDER... [--take 60] [--keep FOLDER]
 * The official MCP suite against a new server (--write puts the result into the documentation):
 *    npm run conformance -- mcp [--write]
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { useBundled } from './bundle-module.mjs';
import { root } from './root-folder.mjs';
import { ensureBuilt, ensureInstalled, outside } from './setup.mjs';

const args = process.argv.slice(2);
if (args[0] === 'mcp') await runMcpSuite();
else if (args[0] === 'words' || args[0] === 'pictures') {
  const source =
    args[0] === 'words' ? 'packages/files/test/words/run.ts' : 'packages/files/test/xlsx/conformance/pictures.ts';
  process.exitCode = await useBundled(join(root, source), ({ main }) => main(args.slice(1)));
} else {
  const takesCases = args.some((one) => one.endsWith('.jsonl'));
  const source = takesCases ? 'packages/engine/test/conformance.ts' : 'packages/files/test/xlsx/conformance/run.ts';
  process.exitCode = await useBundled(join(root, source), ({ main }) => main(args));
}

async function runMcpSuite() {
  ensureInstalled(root, { withTests: true });
  ensureInstalled(outside);
  await ensureBuilt();
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', 'packages/server/test/mcp/conformance.test.ts'],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, SHEAF_BUILT: '1', ...(args.includes('--write') ? { SHEAF_WRITE_RESULT: '1' } : {}) },
    },
  );
  process.exitCode = status ?? 1;
}
