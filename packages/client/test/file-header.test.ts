import { createServer, type IncomingHttpHeaders } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../src/index.ts';

test('calls of a document name it in a header, by which a proxy can send them to one node', async () => {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    response.setHeader('content-type', 'application/json');
    response.end('{"code":0,"msg":"success","data":{}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const client = createClient({ url: `http://127.0.0.1:${port}`, apiKey: 'sk_x' });
  await client.sheet.get_sheet_info({ file_id: 'doc_1' });
  await client.account.get_me({});
  // What cannot stand in a header is no id of ours; the call itself says so.
  await client.sheet.get_sheet_info({ file_id: 'döc\n' });
  expect(seen.map((headers) => headers['x-sheaf-file'])).toEqual(['doc_1', undefined, undefined]);
});

test('a client and its modules can be returned by an async function', async () => {
  const client = createClient({ url: 'http://127.0.0.1:9' });
  expect(typeof (await client).account.get_me).toBe('function');
  expect(typeof (await client.account).get_me).toBe('function');
});
