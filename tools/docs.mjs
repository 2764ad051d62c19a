// npm run docs: writes docs/operations from the operation registry, and docs/api from the types of the package.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled } from './setup.mjs';
import { root } from './root-folder.mjs';

ensureInstalled(root, { withTests: true });
const { loadRegistry } = await import('./operation-registry.mjs');
const { modules, renderModuleMarkdown } = await loadRegistry();
write(
  'operations',
  Object.values(modules).map((module) => [`${module.name}.md`, renderModuleMarkdown(module)]),
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
