/**
 * Returns third-party browser code that tests run in pages. The packages are installed separately, in tools/outside.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const outside = fileURLToPath(new URL('../outside/', import.meta.url));

/**
 * Returns a script that defines the global `apps`, with which a test page acts as the host of MCP Apps. MCP Apps are
 * pages that a chat application shows for an MCP server. The code is from the official package.
 */
export async function appBridgeScript(): Promise<string> {
  const exported = "export { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';";
  return (await bundle(exported, 'apps')).replaceAll('</script', String.raw`<\/script`);
}

/** Returns the accessibility checker axe as a script that defines the global `axe`. */
export function axeScript(): string {
  return readFileSync(`${outside}node_modules/axe-core/axe.min.js`, 'utf8');
}

/** Returns a screen reader that runs inside a page, as a script that defines the global `reader`. */
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
