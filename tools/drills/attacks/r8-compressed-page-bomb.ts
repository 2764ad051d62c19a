import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { callOrThrow } from '../../testing/call-client.ts';
import type { Attack } from '../attack.ts';

const addresses = 20;
/** A PDF signature followed by 200 MB of zeros, compressed twice to a few kilobytes. */
const zeros = gzipSync(Buffer.alloc(20 * 2 ** 20));
const bomb = gzipSync(Buffer.concat([gzipSync('%PDF-1.7\n'), ...Array.from({ length: 10 }, () => zeros)]));

export const attack: Attack = {
  name: `R8 ${addresses} addresses of a page of ${(bomb.length / 1024).toFixed(1)} KB that unpacks to 200 MB`,
  env: { SHEAF_FETCH_ALLOW: '127.0.0.1' },
  async run(server) {
    const call = callOrThrow.bind(undefined, server, server.attacker, 'wiki');
    const site = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip, gzip' }).end(bomb);
    });
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    try {
      const { port } = site.address() as AddressInfo;
      const { knowledge_base_id } = await call('create_knowledge_base', { name: 'R8' });
      const urls = Array.from({ length: addresses }, (_, i) => `http://127.0.0.1:${port}/${i}`);
      const ids: string[] = [];
      // One call accepts at most ten URLs.
      for (const ten of [urls.slice(0, 10), urls.slice(10)]) {
        const { results } = await call('import_urls', { knowledge_base_id, folder_id: '', urls: ten });
        ids.push(...ten.map((url) => results[url].media_id as string));
      }
      for (;;) {
        const { states, is_done } = await call('get_knowledge_state', { media_ids: ids, wait_seconds: 10 });
        if (!is_done) continue;
        const isRefused = (states as { state: string; reason: string }[]).every(
          ({ state, reason }) => state === 'failed' && reason.includes('decompresses'),
        );
        if (!isRefused) throw new Error(`the bombs ended otherwise: ${JSON.stringify(states[0])}`);
        return;
      }
    } finally {
      site.closeAllConnections();
      site.close();
    }
  },
};
