// Bundles one module of the project for Node. Third-party packages stay external.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './root-folder.mjs';

/** Keeps packages external, except the project's own, which are TypeScript and must be bundled. */
const externalPackagesPlugin = {
  name: 'external-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ kind, path }) =>
      kind === 'entry-point' || path.startsWith('@sheaf/') ? undefined : { path, external: true },
    );
  },
};

/** Bundles a file, or a module given as `{ contents }` whose imports resolve from the root folder. */
export async function bundleModule(source, outfile) {
  // Imported on demand, because some scripts install the packages first.
  const { build } = await import('esbuild');
  await build({
    ...(typeof source === 'string'
      ? { entryPoints: [source] }
      : { stdin: { ...source, resolveDir: root, loader: 'ts' } }),
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [externalPackagesPlugin],
    logLevel: 'warning',
  });
}

/**
 * Bundles a module, imports it and passes it to `use`. The bundle is in a folder below node_modules, so that packages
 * resolve.
 */
export async function useBundled(source, use) {
  const folder = mkdtempSync(join(root, 'node_modules', '.bundle-'));
  try {
    const outfile = join(folder, 'module.mjs');
    await bundleModule(source, outfile);
    return await use(await import(pathToFileURL(outfile).href));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
