import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPartList } from '../../src/transports/http/storage/multipart-part-list.ts';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { sha1Headers } from '@sheaf/tools/testing/signed-storage-requests.ts';
import { newGrant } from './support.ts';

const etag = 'd41d8cd98f00b204e9800998ecf8427e';

async function read(text: string): Promise<unknown> {
  return readPartList(
    (async function* () {
      yield Buffer.from(text);
    })(),
  );
}

describe('the list of parts', () => {
  test('is read with prefixes, entities, checksums, and whatever else stands between', async () => {
    const list = `<?xml version="1.0"?><a:CompleteMultipartUpload xmlns:a="x">
      <a:Part><a:ETag>&quot;${etag}&quot;</a:ETag><a:PartNumber> 1 </a:PartNumber><a:Unknown><a:Deeper>2</a:Deeper></a:Unknown></a:Part>
      <Part><PartNumber>2</PartNumber><ETag>"${etag.toUpperCase()}"</ETag><ChecksumCRC32>DUoRhQ==</ChecksumCRC32></Part>
    </a:CompleteMultipartUpload>`;
    expect(await read(list)).toEqual([
      { part: 1, etag, checksums: {} },
      { part: 2, etag, checksums: { crc32: 'DUoRhQ==' } },
    ]);
  });

  test.each(['', '<Part>', '<CompleteMultipartUpload></CompleteMultipartUpload>', '<<<<>>>>', '<Part'])(
    'without a part is refused: %s',
    async (text) => {
      await expect(read(text)).rejects.toThrow('the body must be a CompleteMultipartUpload with at least one Part');
    },
  );

  test('of more than 10,000 parts is refused', async () => {
    const one = `<Part><PartNumber>1</PartNumber><ETag>${etag}</ETag></Part>`;
    await expect(read(one.repeat(10_001))).rejects.toThrow('the list of parts is too long: over 10000 parts');
  });

  // 9.3 s where the time grew with the square of the length.
  test.each([
    ['openings', '<Part>'],
    ['prefixes', '<aaaaaaaa:'],
    ['names', '<Part><a'],
    ['ends', '</Part><Part>'],
  ])('[finding R2] 3 MB of nothing but %s are read in a moment', async (_name, piece) => {
    const text = piece.repeat(Math.floor(3_000_000 / piece.length));
    const started = performance.now();
    await read(text).catch(() => undefined);
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});

describe('completing an upload', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server?.close());

  test('[finding R2] of an unknown id is refused before the list is read, an oversized list before it arrives', async () => {
    const grant = await newGrant(server, { bytes: 1000 });
    const ask = (length: number, query: Record<string, string>) =>
      new Promise<[number, string]>((resolve, reject) => {
        const headers = { ...sha1Headers(grant, { method: 'POST', query }), 'content-length': String(length) };
        const request = httpRequest(
          `${server.url}/${grant.cos_key}?${new URLSearchParams(query).toString()}`,
          { method: 'POST', headers },
          (response) => {
            let text = '';
            response.on('data', (chunk: Buffer) => {
              text += chunk.toString();
              const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1];
              if (code === undefined) return;
              resolve([response.statusCode ?? 0, code]);
              request.destroy();
            });
          },
        );
        request.on('error', reject);
        // The rest never comes.
        request.write('<CompleteMultipartUpload>');
      });
    expect(await ask(200_000, { uploadId: 'nope' })).toEqual([404, 'NoSuchUpload']);
    const uploadId = await server.app.services.blobs.startUpload(grant.cos_key);
    expect(await ask(5 * 2 ** 20, { uploadId })).toEqual([400, 'MalformedXML']);
  });
});
