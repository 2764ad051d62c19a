// npm run bench -- NAME: bundles tools/bench/NAME.ts and runs it. Valid names are the files in that folder.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { useBundled } from './bundle-module.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';
import { root } from './root-folder.mjs';

const folder = join(root, 'tools', 'bench');
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -3));
const [wanted, ...args] = process.argv.slice(2);
if (!names.includes(wanted)) {
  process.stderr.write(`usage: npm run bench -- ${names.join(' | ')}\n`);
  process.exit(2);
}
// Exit on signals, so that exit handlers stop child processes and remove temporary folders.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
ensureInstalled(root, { withTests: true });
await ensureBuilt();
await useBundled(join(folder, `${wanted}.ts`), ({ run }) => run(args));
