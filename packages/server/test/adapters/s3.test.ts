import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, onTestFinished } from 'vitest';
import { S3BlobStore } from '../../src/adapters/blob/s3-store.ts';
import { Unavailable } from '../../src/ports/availability-errors.ts';
import { startS3, type TestS3 } from '@sheaf/tools/testing/s3.ts';

/** An object store in trouble: what it does is the test's choice. */
async function troubled(
  listener: RequestListener,
  { timeoutMs = 500 } = {},
): Promise<{ store: S3BlobStore; count: () => number }> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store = new S3BlobStore({
    endpoint,
    bucket: 'sheaf',
    region: 'us-east-1',
    accessKey: 'a',
    secretKey: 's',
    timeoutMs,
  });
  return { store, count: () => requests };
}

const slowDown =
  '<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>';

describe('[T75] s3 in trouble', () => {
  test('503 is tried again, and succeeds when the store recovers', async () => {
    const { store, count } = await troubled((_request, response) => {
      if (count() < 3) response.writeHead(503).end(slowDown);
      else response.writeHead(200, { etag: '"abc"', 'content-length': '5' }).end();
    });
    expect(await store.head('k')).toEqual({ key: 'k', size: 5, etag: 'abc' });
    expect(count()).toBe(3);
  });

  test('503 that lasts is Unavailable', async () => {
    const { store, count } = await troubled((_request, response) => response.writeHead(503).end(slowDown));
    await expect(store.get('k')).rejects.toThrow(Unavailable);
    expect(count()).toBe(4);
  });

  test('a streamed body is sent once and no more', async () => {
    const { store, count } = await troubled((request, response) => {
      request.resume();
      request.on('end', () => response.writeHead(503).end(slowDown));
    });
    await expect(store.put('k', Readable.from([Buffer.from('abc')]), 3)).rejects.toThrow(Unavailable);
    expect(count()).toBe(1);
  });

  test('a store that does not answer, or hangs up, or is not there is Unavailable', async () => {
    const silent = await troubled(() => undefined);
    await expect(silent.store.put('k', Readable.from([Buffer.from('abc')]), 3)).rejects.toThrow(Unavailable);
    const rude = await troubled((request) => request.socket.destroy());
    await expect(rude.store.list('')).rejects.toThrow(Unavailable);
    const gone = new S3BlobStore({
      endpoint: 'http://127.0.0.1:1',
      bucket: 'b',
      region: 'r',
      accessKey: 'a',
      secretKey: 's',
    });
    await expect(gone.head('k')).rejects.toMatchObject({ name: 'Unavailable', retryable: true });
  });

  test('[finding Q18] a silent store is waited for once, and what comes after hears sooner', async () => {
    const { store, count } = await troubled(() => undefined, { timeoutMs: 300 });
    await expect(store.put('k', Buffer.from('abc'), 3)).rejects.toThrow('did not answer in time');
    expect(count()).toBe(1);
    await expect(store.head('k')).rejects.toThrow('did not answer in time');
    expect(count()).toBe(2);
  });

  test(
    '[finding Q5] whether a silent store is there is not asked for longer than anybody waits',
    { timeout: 30_000 },
    async () => {
      let open = 0;
      const { store } = await troubled(
        (request) => {
          open += 1;
          request.socket.once('close', () => (open -= 1));
        },
        { timeoutMs: 60_000 },
      );
      await expect(Promise.all([store.ping(), store.ping()])).rejects.toThrow('did not answer in time');
      await expect.poll(() => open).toBe(0);
    },
  );

  test(
    '[finding Q5] a store that answers again is found although every connection to it is stuck',
    { timeout: 30_000 },
    async () => {
      let isStuck = true;
      const { store, count } = await troubled(
        (_request, response) => {
          if (!isStuck) response.end('<ListBucketResult></ListBucketResult>');
        },
        { timeoutMs: 60_000 },
      );
      const waiting = Array.from({ length: 64 }, () => store.head('k').catch(() => undefined));
      await expect.poll(count).toBe(64);
      await expect(store.ping()).rejects.toThrow('did not answer in time');
      isStuck = false;
      await store.ping();
      await store.close();
      await Promise.all(waiting);
    },
  );

  test('an object that breaks off half-way fails its reader', async () => {
    const { store } = await troubled((_request, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('01234');
      setTimeout(() => response.destroy(), 20);
    });
    const stream = await store.get('k');
    await expect(text(stream!)).rejects.toThrow();
  });

  test('other bytes received than sent is Unavailable', async () => {
    const { store } = await troubled((request, response) => {
      request.resume();
      request.on('end', () => response.writeHead(200, { etag: '"00000000000000000000000000000000"' }).end());
    });
    await expect(store.put('k', Readable.from([Buffer.from('abc')]), 3)).rejects.toThrow(
      'received different bytes from those sent',
    );
  });
});

describe('s3 settings', () => {
  let s3: TestS3;
  beforeAll(async () => {
    s3 = await startS3();
  });
  afterAll(() => s3.stop());

  test('a wrong secret is refused, not retried, and named', async () => {
    const store = new S3BlobStore({ ...s3, secretKey: 'wrong' });
    await expect(store.head('k')).rejects.toThrow('the object store responded with 403');
    await expect(store.list('')).rejects.toThrow('SignatureDoesNotMatch');
    await expect(store.ping()).rejects.toThrow('SignatureDoesNotMatch');
  });

  test('a missing bucket is named', async () => {
    const store = new S3BlobStore({ ...s3, bucket: 'nobucket' });
    await expect(store.list('')).rejects.toThrow('NoSuchBucket');
    await expect(store.ping()).rejects.toThrow('NoSuchBucket');
    await expect(store.put('k', Buffer.from('abc'), 3)).rejects.toThrow('the bucket does not exist');
  });
});
