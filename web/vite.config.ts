import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));
const server = process.env['SHEAF_URL'] ?? 'http://127.0.0.1:8787';
const proxied = Object.fromEntries(['/openapi', '/sign-in', '/sign-out', '/files', '/mcp'].map((path) => [path, { target: server }]));

export default defineConfig({
  root: here,
  plugins: [react(), tailwindcss()],
  server: { proxy: proxied, fs: { allow: [here, fileURLToPath(new URL('../src/client', import.meta.url))] } },
  build: {
    outDir: fileURLToPath(new URL('../dist/web', import.meta.url)),
    emptyOutDir: true,
    // light-dark() is used as it is.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
  },
});
