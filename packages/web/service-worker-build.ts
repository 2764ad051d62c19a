import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { build, type Plugin } from 'vite';

/** Files that pages need. The icons and the manifest, which have no hash, are only for the browser itself. */
const needed = /^assets\/.*\.(js|css|woff2|svg)$/;

/**
 * Completes the service worker, src/offline/worker: writes the build it belongs to before its code, and adds the
 * document with which every page starts without a connection. All names contain a hash of their content, also that of
 * theme.js, which has none among the public files: a page must not get files of two builds.
 */
export function serviceWorkerBuild(workerSource: string, themeFile: string): Plugin {
  return {
    name: 'service-worker-build',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const index = bundle['index.html'];
      if (index?.type !== 'asset') throw new Error('there is no index.html');
      const theme = readFileSync(themeFile, 'utf8');
      const themeName = `assets/theme-${hashOf(theme)}.js`;
      const html = String(index.source).replace('src="/theme.js"', `src="/${themeName}"`);
      if (!html.includes(themeName)) throw new Error('index.html does not load theme.js');
      index.source = html;
      const shellName = `assets/shell-${hashOf(html)}.html`;
      const code = await bundleWorker(workerSource);
      const shell = `/${shellName}`;
      const files = [...Object.keys(bundle).filter((name) => needed.test(name)), themeName].map((name) => `/${name}`);
      files.sort();
      const id = hashOf([shell, ...files, code].join('\n'));
      this.emitFile({ type: 'asset', fileName: themeName, source: theme });
      this.emitFile({ type: 'asset', fileName: shellName, source: html });
      this.emitFile({
        type: 'asset',
        fileName: 'service-worker.js',
        source: `self.sheafBuild=${JSON.stringify({ id, shell, files })};\n${code}`,
      });
    },
  };
}

/** Bundles the worker apart from the page, because it must be one script and share no files with the page. */
async function bundleWorker(input: string): Promise<string> {
  const result = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: { write: false, rolldownOptions: { input, output: { format: 'iife' } } },
  });
  const outputs = [result].flat().flatMap((one) => ('output' in one ? one.output : []));
  const [chunk, ...others] = outputs;
  if (chunk?.type !== 'chunk' || others.length > 0) throw new Error('the service worker must be a single script');
  return chunk.code;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
