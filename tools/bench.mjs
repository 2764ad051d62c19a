// npm run bench -- NAME: bundles tools/bench/NAME.ts and runs it. Valid names are the files in that folder.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled } from './setup.mjs';
import { externalPackagesPlugin } from './external-packages-plugin.mjs';
import { root } from './root-folder.mjs';

ensureInstalled(root, { withTests: true });
await ensureBuilt();
const names = readdirSync(join(root, 'tools', 'bench'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -3));
const wanted = process.argv[2];
if (!names.includes(wanted)) {
  process.stderr.write(`usage: npm run bench -- ${names.join(' | ')}\n`);
  process.exit(2);
}
const { build } = await import('esbuild');
const folder = mkdtempSync(join(root, 'node_modules', '.bench-'));
try {
  const outfile = join(folder, `${wanted}.mjs`);
  await build({
    entryPoints: [join(root, 'tools', 'bench', `${wanted}.ts`)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [externalPackagesPlugin],
    logLevel: 'warning',
  });
  const { run } = await import(pathToFileURL(outfile).href);
  await run(process.argv.slice(3));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
