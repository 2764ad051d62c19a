// npm run docs: writes docs/operations from the registry.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled } from './setup.mjs';
import { root } from './paths.mjs';

ensureInstalled();
const { build } = await import('esbuild');
const out = join(root, 'node_modules', '.docs', 'docs.mjs');
await build({
  stdin: {
    contents: "export { modules } from './src/modules.ts'; export { markdownPage } from './src/operation/describe.ts';",
    resolveDir: root,
    loader: 'ts',
  },
  outfile: out,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
});
const { modules, markdownPage } = await import(pathToFileURL(out).href);
const folder = join(root, 'docs', 'operations');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const module of Object.values(modules)) writeFileSync(join(folder, `${module.name}.md`), markdownPage(module));
