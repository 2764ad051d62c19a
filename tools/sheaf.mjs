#!/usr/bin/env node
// The `sheaf` command. In a clone, it first installs and builds if needed, and then runs the built product in the same
// process.
import { existsSync } from 'node:fs';

if (existsSync(new URL('../packages/server/src', import.meta.url))) {
  const { ensureBuilt, ensureInstalled } = await import('./setup.mjs');
  ensureInstalled();
  await ensureBuilt();
}
const { main } = await import('../dist/main.js');
await main(process.argv.slice(2));
