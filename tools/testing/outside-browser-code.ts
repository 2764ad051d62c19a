/** Code of others for pages in tests, from tools/outside. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const outside = fileURLToPath(new URL('../outside/', import.meta.url));

/** Returns the host's side of MCP Apps from the official package as a script, which sets `apps`. */
export async function appBridgeScript(): Promise<string> {
  const exported = "export { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';";
  return (await bundle(exported, 'apps')).replaceAll('</script', String.raw`<\/script`);
}

/** Returns axe as a script, which sets `axe`. */
export function axeScript(): string {
  return readFileSync(`${outside}node_modules/axe-core/axe.min.js`, 'utf8');
}

/** Returns a screen reader that runs in a page as a script, which sets `reader`. */
export function screenReaderScript(): Promise<string> {
  return bundle("export { virtual } from '@guidepup/virtual-screen-reader';", 'reader');
}

async function bundle(contents: string, globalName: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: outside },
    bundle: true,
    format: 'iife',
    globalName,
    platform: 'browser',
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0]!.text;
}
