import type { Plugin } from 'vite';

/** Replaces Vite's own code around dynamic imports by `file`, which must export `importWhenFetched`. */
export function importWhenFetched(file: string): Plugin {
  return {
    name: 'import-when-fetched',
    apply: 'build',
    enforce: 'pre',
    load: (id) =>
      id.includes('vite/preload-helper')
        ? `export { importWhenFetched as __vitePreload } from ${JSON.stringify(file)};`
        : undefined,
  };
}
