import type { Plugin } from 'vite';

type Output = Parameters<Extract<NonNullable<Plugin['generateBundle']>, (...args: never[]) => unknown>>[1];

/**
 * Writes one HTML file per page beside index.html, with preload links for the files the page needs, so that the browser
 * requests them all at once.
 */
export function pagePerRoute(
  everywhere: readonly string[],
  pages: Readonly<Record<string, readonly string[]>>,
): Plugin {
  return {
    name: 'page-per-route',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const index = bundle['index.html'];
      if (index?.type !== 'asset') throw new Error('there is no index.html to make pages of');
      const html = withFonts(String(index.source), Object.keys(bundle));
      index.source = html;
      for (const [name, sources] of Object.entries(pages)) {
        const needed = new Set([...everywhere, ...sources].flatMap((source) => [...filesOf(bundle, source)]));
        const links = [...needed]
          .filter((file) => !html.includes(file))
          .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`);
        this.emitFile({
          type: 'asset',
          fileName: `${name}.html`,
          source: html.replace('</head>', `${links.map((link) => `  ${link}\n  `).join('')}</head>`),
        });
      }
    },
  };
}

/** Adds preload links for the fonts, which the browser would otherwise request only after the style sheet. */
function withFonts(html: string, files: readonly string[]): string {
  const links = files
    .filter((file) => file.endsWith('.woff2'))
    .map((file) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${file}">`);
  return html.replace('</head>', `${links.map((link) => `  ${link}\n  `).join('')}</head>`);
}

/** Returns the chunk that contains a module, together with all its static imports. */
function filesOf(bundle: Output, source: string): Set<string> {
  const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
  const isIt = (id: string | null): boolean => id?.replaceAll('\\', '/').endsWith(`web/${source}`) === true;
  const start =
    chunks.find((chunk) => isIt(chunk.facadeModuleId)) ?? chunks.find((chunk) => chunk.moduleIds.some(isIt));
  if (!start) throw new Error(`no chunk holds ${source}`);
  const found = new Set<string>();
  const take = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    const chunk = bundle[file];
    if (chunk?.type === 'chunk') chunk.imports.forEach(take);
  };
  take(start.fileName);
  return found;
}
