/** Code of others for pages in tests, from tools/outside. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const outside = fileURLToPath(new URL('../outside/', import.meta.url));

/** Returns the host's side of MCP Apps from the official package as a script, which sets `apps`. */
export async function appBridgeScript(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: "export { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';",
      resolveDir: outside,
    },
    bundle: true,
    format: 'iife',
    globalName: 'apps',
    platform: 'browser',
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0]!.text.replaceAll('</script', String.raw`<\/script`);
}

/** Returns axe as a script, which sets `axe`. */
export function axeScript(): string {
  return readFileSync(`${outside}node_modules/axe-core/axe.min.js`, 'utf8');
}
