import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { viewUri, views, type View } from '../../kernel/operation.ts';

/**
 * MIME type of the HTML pages that display tool results in clients that support MCP Apps (io.modelcontextprotocol/ui).
 */
export const appMimeType = 'text/html;profile=mcp-app';

const titles: Record<View, string> = { grid: 'Cells', chart: 'Chart', passages: 'Passages', diff: 'Changes' };

const pages = new Map<View, string>();

/**
 * Returns the HTML page of a view that displays tool results. Returns undefined if the URI names no view. The page is
 * the same for every caller.
 */
export function readView(uri: string): Record<string, unknown>[] | undefined {
  const view = views.find((one) => viewUri(one) === uri);
  if (view === undefined) return undefined;
  let text = pages.get(view);
  if (text === undefined) pages.set(view, (text = pageOf(view)));
  // The empty lists forbid the page to load anything from other hosts.
  const csp = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] };
  return [{ uri, mimeType: appMimeType, text, _meta: { ui: { csp, prefersBorder: true } } }];
}

function pageOf(view: View): string {
  const folder = viewsFolder();
  const file = (name: string): string => readFileSync(join(folder, name), 'utf8');
  // Put the module `bridge.js` and the view's module into one script, so that the page loads no other files.
  const bridge = file('bridge.js').replaceAll(/^export /gm, '');
  const script = file(`${view}.js`).replaceAll(/^import .*\n/gm, '');
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${titles[view]}</title>` +
    `<style>${file('view.css')}</style></head><body><main></main>` +
    `<script>(() => {\n${bridge}${script}})();</script></body></html>`
  );
}

/**
 * Returns the folder of the built MCP App views (HTML pages): next to the server's bundle, or in the package when run
 * from source.
 */
function viewsFolder(): string {
  const places = ['./views', '../../../views'].map((folder) => fileURLToPath(new URL(folder, import.meta.url)));
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error('the views are not built; run npm run build');
  return found;
}
