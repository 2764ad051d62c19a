// npm run conformance -- mcp: runs the official MCP suite against a new server; --write puts the result into the
// documentation.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './root-folder.mjs';
import { ensureBuilt, ensureInstalled, outside } from './setup.mjs';

ensureInstalled(root, { withTests: true });
ensureInstalled(outside);
await ensureBuilt();
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', 'packages/server/test/mcp/conformance.test.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, SHEAF_BUILT: '1', ...(process.argv.includes('--write') ? { SHEAF_WRITE_RESULT: '1' } : {}) },
  },
);
process.exit(status ?? 1);
