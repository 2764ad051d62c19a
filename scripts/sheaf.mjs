#!/usr/bin/env node
// The command: sets up what is missing, then hands over to the built product in the same process.
import { ensureBuilt, ensureInstalled } from './setup.mjs';

ensureInstalled();
await ensureBuilt();
const { main } = await import('../dist/main.js');
await main(process.argv.slice(2));
