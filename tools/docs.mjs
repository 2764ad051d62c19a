// npm run docs: writes docs/operations from the registry, and docs/api from the types of the package.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled } from './setup.mjs';
import { root } from './paths.mjs';

ensureInstalled(root, { withTests: true });
const { loadRegistry } = await import('./registry.mjs');
const { modules, markdownPage } = await loadRegistry();
write(
  'operations',
  Object.values(modules).map((module) => [`${module.name}.md`, markdownPage(module)]),
);

const { makeTypes } = await import('./package/types.mjs');
const { apiReport } = await import('./package/api-report.mjs');
write(
  'api',
  Object.entries(await makeTypes()).map(([entry, types]) => [`${entry}.d.ts`, apiReport(entry, types)]),
);

function write(name, files) {
  const folder = join(root, 'docs', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of files) writeFileSync(join(folder, file), text);
}
