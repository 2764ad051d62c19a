import { inflateSync } from 'node:zlib';
import { imageSize } from 'image-size';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderCover, coverPath } from '../../src/lib/generated-cover.ts';
import { crc32 } from '@sheaf/files/zip/crc32';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';

/** The parts of a PNG by their names, each with a right checksum. */
function chunksOf(png: Buffer): Record<string, Buffer> {
  expect(png.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
  const chunks: Record<string, Buffer> = {};
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const end = at + 8 + length;
    expect(png.readUInt32BE(end)).toBe(crc32(png.subarray(at + 4, end)));
    chunks[png.toString('latin1', at + 4, at + 8)] = png.subarray(at + 8, end);
    at = end + 4;
  }
  return chunks;
}

describe('[finding C5] covers of knowledge bases without one', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ database: 'sqlite' });
  });
  afterAll(() => server.close());

  async function coverOfFirstBase(on: TestServer): Promise<string> {
    const { data } = await on.call('http', 'wiki', 'search_knowledge_base', { query: '', limit: 1 });
    return data.info_list[0].cover_url as string;
  }

  test('the address is absolute, and anyone gets a PNG there that may be kept', async () => {
    const cover = await coverOfFirstBase(server);
    expect(new URL(cover).origin).toBe(server.url);
    const answer = await fetch(cover);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(imageSize(bytes)).toMatchObject({ type: 'png', width: 240, height: 240 });
    const { IHDR, PLTE, IDAT, IEND } = chunksOf(bytes);
    expect([...IHDR!.subarray(8)]).toEqual([1, 3, 0, 0, 0]);
    expect([PLTE!.length, IEND!.length]).toEqual([6, 0]);
    expect(inflateSync(IDAT!).length).toBe(240 * 31);
    expect((await fetch(cover, { method: 'HEAD' })).status).toBe(200);
  });

  test('other addresses there are none', async () => {
    for (const path of [
      '/covers/',
      '/covers/x.png',
      '/covers/0123456789ABCDEF.png',
      '/covers/0123456789abcdef0.png',
      '/covers/0123456789abcdef.svg',
    ]) {
      expect([path, (await fetch(server.url + path)).status]).toEqual([path, 404]);
    }
  });

  test('behind a proxy the address is the public one', async () => {
    const proxied = await startServer({
      database: 'sqlite',
      config: { SHEAF_PUBLIC_URL: 'https://sheaf.example.com/office/' },
    });
    try {
      expect(await coverOfFirstBase(proxied)).toMatch(
        /^https:\/\/sheaf\.example\.com\/office\/covers\/[0-9a-f]{16}\.png$/,
      );
    } finally {
      await proxied.close();
    }
  });

  test('it is made from id and name: others differ, the same one stays', () => {
    expect(coverPath('kb_1', 'Physics')).toBe(coverPath('kb_1', 'Physics'));
    const paths = ['kb_1', 'kb_2'].flatMap((id) => ['Physics', '物理', ''].map((name) => coverPath(id, name)));
    expect(new Set(paths).size).toBe(6);
    expect(new Set(paths.map((path) => renderCover(path)!.toString('hex'))).size).toBe(6);
    expect(Math.max(...paths.map((path) => renderCover(path)!.length))).toBeLessThan(1000);
  });
});
