import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { pagePerRoute } from './page-per-route.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const server = process.env['SHEAF_URL'] ?? 'http://127.0.0.1:8787';
const proxied = Object.fromEntries(
  ['/openapi', '/public', '/sign-in', '/sign-out', '/files', '/mcp'].map((path) => [path, { target: server }]),
);

/** By the name that transports/http/page.ts gives an address: the code that is needed there. */
const pages = {
  '-': ['src/home/page.tsx'],
  notes: ['src/notes/page.tsx'],
  'notes-x': ['src/notes/page.tsx'],
  wiki: ['src/wiki/bases-page.tsx'],
  'wiki-x': ['src/wiki/base-page.tsx'],
  'wiki-x-x-x': ['src/wiki/reader-page.tsx'],
  search: ['src/search/page.tsx'],
  sheet: ['src/sheets/documents.tsx'],
  'sheet-x': ['src/sheets/page.tsx', 'src/sheets/open-session.ts'],
  'account-x': ['src/account/page.tsx'],
};

export default defineConfig({
  root: here,
  plugins: [react(), tailwindcss(), pagePerRoute(['src/parts/react.ts', 'src/parts/router.ts', 'src/main.tsx'], pages)],
  server: { proxy: proxied, fs: { allow: [fileURLToPath(new URL('..', import.meta.url))] } },
  build: {
    outDir: fileURLToPath(new URL('../../dist/web', import.meta.url)),
    emptyOutDir: true,
    // light-dark() is used as it is.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Asks for the data of a page before the rest of the page is here: it must not wait for it.
            { name: 'boot', test: /web[\\/]src[\\/](boot|lib[\\/]early)\.ts|vite[\\/]preload-helper/, priority: 1 },
            // Each is evaluated in a turn of its own: see boot.ts.
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store)[\\/]|parts[\\/]react\.ts/,
              priority: 1,
            },
            { name: 'router', test: /node_modules[\\/]@tanstack[\\/](?!.*virtual)|parts[\\/]router\.ts/, priority: 1 },
            // What is used in several places is fetched once and as one: a file for every icon would be dozens of questions.
            {
              name: 'app',
              test: new RegExp(
                String.raw`node_modules[\\/]lucide-react[\\/]|web[\\/]src[\\/](lib[\\/](?!outbox)|ui[\\/](?!members)|shell[\\/]|text[\\/]use)|` +
                  String.raw`web[\\/]src[\\/]\w+[\\/](queries|prepare|new-note|made-notes)\.ts`,
              ),
              minShareCount: 2,
            },
            // All of it is needed to show a sheet; as one file it is smaller than as the eight that its other users would make.
            {
              name: 'grid',
              test: new RegExp(
                String.raw`web[\\/]src[\\/]sheets[\\/](grid[\\/]|` +
                  String.raw`(commands|formula-bar|active-cell|geometry|pasting|selected|selection|session|several)\.)`,
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
