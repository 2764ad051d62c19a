import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { awsClient, cosClient, newGrant, patterned, type Grant } from './support.ts';

const MiB = 2 ** 20;
const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');

for (const blobs of ['files', 's3'] as const) {
  describe(`uploads by real clients, kept as ${blobs}`, () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startServer({ blobs });
    });
    afterAll(() => server?.close());

    const stored = async (grant: Grant): Promise<Buffer> =>
      buffer((await server.app.services.blobs.get(grant.cos_key))!);

    test('cos-nodejs-sdk-v5: putObject', async () => {
      const bytes = patterned(100_000);
      const grant = await newGrant(server, { bytes: bytes.length });
      const answer = await cosClient(grant).putObject({
        Bucket: grant.bucket_name,
        Region: grant.region,
        Key: grant.cos_key,
        Body: bytes,
      });
      expect(answer).toMatchObject({ statusCode: 200, ETag: `"${md5(bytes)}"` });
      expect((await stored(grant)).equals(bytes)).toBe(true);
    });

    test('cos-nodejs-sdk-v5: sliceUploadFile, in parts of 1 MiB', async () => {
      const bytes = patterned(3 * MiB + 17);
      const file = join(await temporaryFolder(), 'sliced.bin');
      await writeFile(file, bytes);
      const grant = await newGrant(server, { bytes: bytes.length });
      const answer = await cosClient(grant).sliceUploadFile({
        Bucket: grant.bucket_name,
        Region: grant.region,
        Key: grant.cos_key,
        FilePath: file,
        ChunkSize: MiB,
      });
      expect(answer.ETag).toMatch(/^"[0-9a-f]{32}-4"$/);
      expect((await stored(grant)).equals(bytes)).toBe(true);
    });

    test('cos-nodejs-sdk-v5: an address signed in advance', async () => {
      const grant = await newGrant(server, { bytes: 5 });
      const url = cosClient(grant).getObjectUrl(
        { Bucket: grant.bucket_name, Region: grant.region, Key: grant.cos_key, Method: 'PUT', Sign: true },
        () => undefined,
      );
      const answer = await fetch(url, { method: 'PUT', body: 'hello' });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('etag')).toBe('"5d41402abc4b2a76b9719d911017c592"');
    });

    test('@aws-sdk/client-s3: PutObject of bytes, of a stream, and without a checksum', async () => {
      const bytes = patterned(300_000);
      const file = join(await temporaryFolder(), 'streamed.bin');
      await writeFile(file, bytes);
      const bodies = [
        { Body: bytes, options: {} },
        // A stream is sent in the aws-chunked form, with its checksum after it.
        { Body: () => createReadStream(file), options: {} },
        { Body: bytes, options: { requestChecksumCalculation: 'WHEN_REQUIRED' } },
      ];
      for (const { Body, options } of bodies) {
        const grant = await newGrant(server, { bytes: bytes.length });
        const client = awsClient(grant, options);
        const answer = await client.send(
          new PutObjectCommand({
            Bucket: grant.bucket_name,
            Key: grant.cos_key,
            Body: typeof Body === 'function' ? Body() : Body,
            ContentLength: bytes.length,
          }),
        );
        expect(answer.ETag).toBe(`"${md5(bytes)}"`);
        expect((await stored(grant)).equals(bytes)).toBe(true);
      }
    });

    test.each(['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const)(
      '@aws-sdk/client-s3: %s of bytes and of a stream',
      async (ChecksumAlgorithm) => {
        const bytes = patterned(300_000);
        const file = join(await temporaryFolder(), 'streamed.bin');
        await writeFile(file, bytes);
        for (const Body of [bytes, createReadStream(file)]) {
          const grant = await newGrant(server, { bytes: bytes.length });
          const answer = await awsClient(grant).send(
            new PutObjectCommand({
              Bucket: grant.bucket_name,
              Key: grant.cos_key,
              Body,
              ContentLength: bytes.length,
              ChecksumAlgorithm,
            }),
          );
          expect(answer.ETag).toBe(`"${md5(bytes)}"`);
          expect((await stored(grant)).equals(bytes)).toBe(true);
        }
      },
    );

    test('@aws-sdk/client-s3: an upload in parts, listed, completed, completed again', async () => {
      const bytes = patterned(2 * MiB);
      const grant = await newGrant(server, { bytes: bytes.length });
      const client = awsClient(grant);
      const place = { Bucket: grant.bucket_name, Key: grant.cos_key };
      const { UploadId } = await client.send(new CreateMultipartUploadCommand(place));
      const parts: { PartNumber: number; ETag: string }[] = [];
      for (const PartNumber of [1, 2]) {
        const { ETag } = await client.send(
          new UploadPartCommand({
            ...place,
            UploadId,
            PartNumber,
            Body: bytes.subarray((PartNumber - 1) * MiB, PartNumber * MiB),
          }),
        );
        parts.push({ PartNumber, ETag: ETag! });
      }
      const listed = await client.send(new ListPartsCommand({ ...place, UploadId }));
      expect(listed.Parts?.map((part) => [part.PartNumber, part.Size])).toEqual([
        [1, 1_048_576],
        [2, 1_048_576],
      ]);
      const complete = new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts: parts } });
      const done = await client.send(complete);
      expect(done.ETag).toMatch(/^"[0-9a-f]{32}-2"$/);
      expect((await client.send(complete)).ETag).toBe(done.ETag);
      expect((await stored(grant)).equals(bytes)).toBe(true);
    });

    test('@aws-sdk/client-s3: faults come back with the names clients know', async () => {
      const grant = await newGrant(server, { bytes: 10 });
      const client = awsClient(grant);
      const place = { Bucket: grant.bucket_name, Key: grant.cos_key };
      const { UploadId } = await client.send(new CreateMultipartUploadCommand(place));
      await client.send(new UploadPartCommand({ ...place, UploadId, PartNumber: 1, Body: 'hello' }));
      const wrongPart = {
        ...place,
        UploadId,
        MultipartUpload: { Parts: [{ PartNumber: 1, ETag: '"00000000000000000000000000000000"' }] },
      };
      await expect(client.send(new CompleteMultipartUploadCommand(wrongPart))).rejects.toMatchObject({
        name: 'InvalidPart',
      });
      await expect(
        client.send(new UploadPartCommand({ ...place, UploadId, PartNumber: 2, Body: 'too long' })),
      ).rejects.toMatchObject({ name: 'EntityTooLarge' });
      await client.send(new AbortMultipartUploadCommand({ ...place, UploadId }));
      await expect(client.send(new ListPartsCommand({ ...place, UploadId }))).rejects.toMatchObject({
        name: 'NoSuchUpload',
      });
      await expect(client.send(new PutObjectCommand({ ...place, Body: 'short' }))).rejects.toMatchObject({
        name: 'EntityTooSmall',
      });
    });
  });
}
