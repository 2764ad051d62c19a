// Bundles one module of the sources for Node. Third-party packages stay external.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './root-folder.mjs';

/** The project's own packages are TypeScript, so they are bundled. */
const externalPackagesPlugin = {
  name: 'external-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ kind, path }) =>
      kind === 'entry-point' || path.startsWith('@sheaf/') ? undefined : { path, external: true },
    );
  },
};

/** Bundles a file, or `{ contents }` of a module whose imports resolve from the root folder. */
export async function bundleModule(source, outfile) {
  // Imported on demand, because scripts install packages first.
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

/** Bundles below node_modules, so that packages resolve, and passes the imported module to `use`. */
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
