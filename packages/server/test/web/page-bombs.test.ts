import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GuardedWebFetcher } from '../../src/adapters/web/guarded-fetcher.ts';
import { Spool } from '../../src/adapters/web/spool.ts';
import type { FetchRefused } from '../../src/ports/web-fetcher.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { startCanary, type Canary } from './canary.ts';

const MiB = 2 ** 20;
const file = randomBytes(3 * MiB);
/** 256 MB of nothing behind the mark of a PDF: one member after the other, for none of it should be here whole. */
const once = Buffer.concat([
  gzipSync('%PDF-1.7\n'),
  ...Array.from({ length: 16 }, () => gzipSync(Buffer.alloc(16 * MiB))),
]);
const bodies: Record<string, { body: Buffer; encoding?: string }> = {
  '/once': { body: once, encoding: 'gzip' },
  '/twice': { body: gzipSync(once), encoding: 'gzip, gzip' },
  '/file': { body: file },
  '/dense': { body: gzipSync(Buffer.concat([file, Buffer.alloc(5 * MiB)])), encoding: 'gzip' },
};

let server: Canary;
let fetcher: GuardedWebFetcher;
let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startCanary((request, response) => {
    const { body, encoding } = bodies[request.url!]!;
    response
      .writeHead(200, {
        'content-type': 'text/html',
        ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
      })
      .end(body);
  });
  fetcher = new GuardedWebFetcher({ allow: ['127.0.0.1'], userAgent: 'test', folder });
});
afterAll(async () => {
  await fetcher?.close();
  await server?.close();
});

const caps = { maxBytes: () => 200 * MiB, timeoutMs: 60_000 };

test(
  '[finding R8] [T8] twenty bombs at once, packed once and twice, end early, and memory does not follow them',
  { timeout: 120_000 },
  async () => {
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
    const refusals = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        fetcher.fetch(server.url + (i % 2 === 0 ? '/once' : '/twice'), caps).then(
          () => 'fetched',
          (error: FetchRefused) => error.why,
        ),
      ),
    );
    clearInterval(watch);
    expect(refusals).toEqual(Array.from(refusals, () => ({ reason: 'too_large', fault: 'ratio', maxRatio: 250 })));
    expect(peak - before).toBeLessThan(128 * MiB);
  },
);

test('[finding R8] a large file lies on disk until it is read, and nothing of it stays there', async () => {
  const { body } = await fetcher.fetch(`${server.url}/file`, caps);
  expect(body.size).toBe(file.length);
  expect(Buffer.from(await body.read()).equals(file)).toBe(true);
  expect(await readdir(folder)).toEqual([]);
  await body.discard();
  const dense = await fetcher.fetch(`${server.url}/dense`, caps);
  expect(dense.body.size).toBe(8 * MiB);
  await dense.body.discard();
});

test('[finding R8] all bodies together have a limit; what one gives back another may take', async () => {
  const spool = new Spool(folder, MiB);
  const [one, two] = [spool.begin(), spool.begin()];
  await one.add(Buffer.alloc(700_000));
  await expect(two.add(Buffer.alloc(700_000))).rejects.toMatchObject({ reason: 'crowded' });
  await one.discard();
  await two.add(Buffer.alloc(700_000));
  expect((await two.read()).length).toBe(700_000);
  await two.discard();
});
