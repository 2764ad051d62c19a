import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { S3BlobStore } from '../../src/adapters/blob/s3-store.ts';
import { GuardedWebFetcher } from '../../src/adapters/web/guarded-fetcher.ts';

/** How a server tells where its body ends, in the three ways of HTTP/1.1. */
const framings: Record<string, (body: Buffer) => [head: string, body: Buffer]> = {
  'by its length': (body) => [`Content-Length: ${body.length}\r\n`, body],
  'in chunks': (body) => [
    'Transfer-Encoding: chunked\r\n',
    Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]),
  ],
  'by closing': (body) => ['', body],
};
// Up to and past what streams and sockets hold before they make the sender wait.
const sizes = [16, 64, 128, 300, 1000, 4000].map((kibibytes) => kibibytes * 1024);

/** A server that sends everything at once and closes, while its reader has not yet begun. */
const server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', (request) => {
    const [, framing, size] = /\/(\d)\/(\d+)/.exec(request.toString())!;
    const [head, body] = Object.values(framings)[Number(framing)]!(Buffer.alloc(Number(size), 'a'));
    socket.write(`HTTP/1.1 200 OK\r\n${head}Connection: close\r\n\r\n`);
    socket.end(body);
  });
});
let address: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

describe.each(Object.keys(framings))('a server that closes before its body, ended %s, is read', (framing) => {
  const place = Object.keys(framings).indexOf(framing);

  test.each(sizes)('a page of %d bytes comes over whole', async (size) => {
    const fetcher = new GuardedWebFetcher({ allow: ['127.0.0.1'], userAgent: 'sheaf' });
    const { body } = await fetcher.fetch(`${address}/${place}/${size}`, { maxBytes: 2 ** 23, timeoutMs: 10_000 });
    expect((await body.read()).length).toBe(size);
    await body.discard();
    await fetcher.close();
  });

  test.each(sizes)('an object of %d bytes comes over whole to a slow reader', async (size) => {
    const keys = { bucket: 'b', region: 'r', accessKey: 'a', secretKey: 's' };
    const store = new S3BlobStore({ endpoint: address, prefix: `${place}/`, ...keys });
    const body = (await store.get(String(size)))!;
    await sleep(30);
    let read = 0;
    for await (const chunk of body) {
      read += (chunk as Buffer).length;
      await sleep(1);
    }
    expect(read).toBe(size);
    await store.close();
  });
});
