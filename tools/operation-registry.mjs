// Loads the registry of operations and its documentation from the sources.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { externalPackagesPlugin } from './external-packages-plugin.mjs';
import { root } from './root-folder.mjs';

const contents = `
  export { modules } from '@sheaf/server/modules.ts';
  export { renderModuleMarkdown } from '@sheaf/server/kernel/markdown-docs.ts';
  export { generateClientOperations } from '@sheaf/server/kernel/typescript-client.ts';`;

export async function loadRegistry() {
  const { build } = await import('esbuild');
  // Below node_modules, so that imports of packages resolve.
  const parent = join(root, 'node_modules', '.docs');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'registry-'));
  try {
    const outfile = join(folder, 'registry.mjs');
    await build({
      stdin: { contents, resolveDir: root, loader: 'ts' },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      plugins: [externalPackagesPlugin],
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
