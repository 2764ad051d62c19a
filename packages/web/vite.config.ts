import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { importWhenFetched } from './import-when-fetched.ts';
import { pagePerRoute } from './page-per-route.ts';
import { serviceWorkerBuild } from './service-worker-build.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const server = process.env['SHEAF_URL'] ?? 'http://127.0.0.1:8787';
const proxied = Object.fromEntries(
  ['/openapi', '/public', '/sign-in', '/sign-out', '/files', '/mcp'].map((path) => [path, { target: server }]),
);

/** The modules each page needs, by the page name that transports/http/web-app.ts derives from the address. */
const pages = {
  '-': ['src/features/home/page.tsx'],
  notes: ['src/features/notes/page.tsx'],
  'notes-x': ['src/features/notes/page.tsx'],
  wiki: ['src/features/knowledge/bases-page.tsx'],
  'wiki-x': ['src/features/knowledge/base-page.tsx'],
  'wiki-x-x-x': ['src/features/knowledge/reader-page.tsx'],
  search: ['src/features/search/page.tsx'],
  sheet: ['src/features/sheets/document-list-page.tsx'],
  'sheet-x': ['src/features/sheets/page.tsx', 'src/features/sheets/open-session.ts'],
  shared: ['src/features/sharing/shared-page.tsx'],
  inbox: ['src/features/inbox/page.tsx'],
  'account-x': ['src/features/account/page.tsx'],
};

/** Files of icons that several chunks share, of which the first loads of Home and notes show none. */
const laterIcons = (
  'arrow-down arrow-right arrow-up audio-lines bell bell-off bot circle-check columns-3 eye eye-off file-type file-up ' +
  'folder globe key-round lock log-out pin presentation remove-formatting rotate-cw settings-2 unlink'
).replaceAll(' ', '|');

export default defineConfig({
  root: here,
  plugins: [
    react(),
    tailwindcss(),
    importWhenFetched(`${here}src/lib/import-when-fetched.ts`),
    serviceWorkerBuild(`${here}src/offline/worker/service-worker.ts`, `${here}public/theme.js`),
    pagePerRoute(['src/chunks/react.ts', 'src/chunks/router.ts', 'src/main.tsx'], pages),
  ],
  server: { proxy: proxied, fs: { allow: [fileURLToPath(new URL('..', import.meta.url))] } },
  build: {
    outDir: fileURLToPath(new URL('../../dist/web', import.meta.url)),
    emptyOutDir: true,
    // These browsers support light-dark(), so it is not transpiled.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Requests the page's data early, so this chunk must not depend on the others.
            {
              name: 'boot',
              test: /web[\\/]src[\\/](boot|lib[\\/](prefetch|first-request-inputs|import-when-fetched))\.ts|vite[\\/]preload-helper/,
              priority: 1,
            },
            // Each of these chunks is evaluated in its own task; see boot.ts.
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store)[\\/]|chunks[\\/]react\.ts/,
              priority: 1,
            },
            { name: 'router', test: /node_modules[\\/]@tanstack[\\/](?!.*virtual)|chunks[\\/]router\.ts/, priority: 1 },
            // Shared modules go into one chunk; a file per icon would mean dozens of requests.
            {
              name: 'app',
              test: new RegExp(
                String.raw`node_modules[\\/]lucide-react[\\/](?!.*[\\/](${laterIcons})\.m?js$)|` +
                  String.raw`web[\\/]src[\\/](lib[\\/](?!outbox|delivery|retry-timer|upload)|` +
                  String.raw`ui[\\/](?!trash-dialog|tree-row|drop-target|progress-bar|combo-box)|shell[\\/]|i18n[\\/]use)|` +
                  String.raw`web[\\/]src[\\/]features[\\/]\w+[\\/](queries|preload-document|new-note-draft|note-ids)\.ts`,
              ),
              minShareCount: 2,
            },
            {
              name: 'icons',
              test: new RegExp(String.raw`node_modules[\\/]lucide-react[\\/].*[\\/](${laterIcons})\.m?js$`),
              minShareCount: 2,
            },
            // Every sheet page needs all of these modules, and one chunk is smaller than the eight that separate
            // sharing would create.
            {
              name: 'grid',
              test: new RegExp(
                String.raw`web[\\/]src[\\/]features[\\/]sheets[\\/](grid[\\/]|` +
                  String.raw`(grid-commands|formula-bar|active-cell-announcer|cell-geometry|clipboard-commands|` +
                  String.raw`selection-ranges|selection|sheet-session|multi-range)\.)`,
              ),
            },
            {
              name: 'radix',
              test: new RegExp(
                String.raw`node_modules[\\/](radix-ui|@radix-ui|@floating-ui|aria-hidden|react-remove-scroll.*|` +
                  String.raw`react-style-singleton|use-callback-ref|use-sidecar|get-nonce|tslib)[\\/]`,
              ),
            },
          ],
        },
      },
    },
  },
});
