import { buffer } from 'node:stream/consumers';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
  type CompletedPart,
  type CompleteMultipartUploadCommandInput,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { awsClient, newGrant, patterned, type Grant } from './support.ts';

const MiB = 2 ** 20;

/** Of `hello ` and `world`, and of the two together. */
const sums = [
  ['CRC32', 'DUoRhQ==', '1Fu2mQ==-2', ['7YH59g==', 'OncRQw==']],
  ['CRC32C', 'yZRlqg==', 'vUZpoA==-2', ['fmJ+WA==', 'MaqBTg==']],
  ['CRC64NVME', 'jSnVw/bqjr4=', '6sDIYil0oVY=-2', ['w0MIGLRZZYI=', 'NKb0GPs3WL8=']],
  [
    'SHA1',
    'Kq5sNclPz7QV2+lfQIuc6R7oRu0=',
    '9oeo+kMlG3hL6irRRMB+8GuSWwc=-2',
    ['xNhxrROtAP3pp7t/9+0lQ67FQkE=', 'fCEUM/AgcVl3Qeb/Wo6jR4mrv0M='],
  ],
  [
    'SHA256',
    'uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=',
    'Zhie15keHg/OBlOZxcoF/BXCgYZaeimRvdZnwUZqkaQ=-2',
    ['XjI1qDRuWkWF+MWFYvUFK4/iajuxIuHpbHZ4SWTfxGE=', 'SG6kYiTRu0+2gPNPfJrZao8k7Ii+c+qOWmxlJg6cuKc='],
  ],
] as const;
const [full, composite] = ['FULL_OBJECT', 'COMPOSITE'] as const;

for (const blobs of ['files', 's3'] as const) {
  describe(`checksums of objects made of parts, kept as ${blobs}`, () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startServer({ blobs });
    });
    afterAll(() => server?.close());

    const stored = async (grant: Grant): Promise<Buffer | undefined> => {
      const stream = await server.app.services.blobs.get(grant.cos_key);
      return stream && buffer(stream);
    };

    /** An upload with its parts sent, and what completes it. */
    const uploaded = async (bodies: readonly Uint8Array[], ChecksumAlgorithm?: (typeof sums)[number][0]) => {
      const grant = await newGrant(server, { bytes: bodies.reduce((sum, body) => sum + body.length, 0) });
      const client = awsClient(grant);
      const place = { Bucket: grant.bucket_name, Key: grant.cos_key };
      const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...place, ChecksumAlgorithm }));
      const answers: CompletedPart[] = [];
      for (const [index, Body] of bodies.entries())
        answers.push({
          ...(await client.send(
            new UploadPartCommand({ ...place, UploadId, PartNumber: index + 1, Body, ChecksumAlgorithm }),
          )),
          PartNumber: index + 1,
        });
      const plain = answers.map(({ PartNumber, ETag }) => ({ PartNumber, ETag }));
      const complete = (claims: Partial<CompleteMultipartUploadCommandInput>, Parts: CompletedPart[] = plain) =>
        client.send(new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts }, ...claims }));
      const listed = async (): Promise<number | undefined> =>
        (await client.send(new ListPartsCommand({ ...place, UploadId }))).Parts?.length;
      return { grant, answers, plain, complete, listed };
    };
    const hello = [Buffer.from('hello '), Buffer.from('world')];

    describe.each(sums)('%s', (algorithm, whole, ofParts, each) => {
      const field = `Checksum${algorithm}`;

      test.each([
        ['of the whole', { [field]: whole, ChecksumType: full }, [whole, full]],
        ['of the whole, its type not said', { [field]: whole }, [whole, full]],
        ['of the parts', { [field]: ofParts, ChecksumType: composite }, [ofParts, composite]],
        ['of the parts, its type not said', { [field]: ofParts }, [ofParts, composite]],
        [
          'of the parts, without their number',
          { [field]: ofParts.slice(0, -2), ChecksumType: composite },
          [ofParts, composite],
        ],
      ])('%s: compared, and answered with its type', async (_form, claims, [sum, type]) => {
        const { grant, complete } = await uploaded(hello);
        expect(await complete(claims)).toMatchObject({
          [field]: sum,
          ChecksumType: type,
          ETag: '"e09e4fd6265b36115fe3db32df945d84-2"',
        });
        expect(String(await stored(grant))).toBe('hello world');
      });

      test('a wrong one is BadDigest, nothing is completed, and the right one completes it', async () => {
        const { grant, complete, listed } = await uploaded(hello);
        const wrong = [
          { [field]: each[0] },
          { [field]: ofParts, ChecksumType: full },
          { [field]: whole, ChecksumType: composite },
          { [field]: ofParts.replace('-2', '-3') },
          { [field]: `${each[0]}-2`, ChecksumType: composite },
        ];
        for (const claims of wrong) {
          await expect(complete(claims)).rejects.toMatchObject({
            name: 'BadDigest',
            $metadata: { httpStatusCode: 400 },
          });
          expect(await stored(grant)).toBeUndefined();
        }
        expect(await listed()).toBe(2);
        expect(await complete({ [field]: whole, ChecksumType: full })).toMatchObject({ [field]: whole });
        expect(String(await stored(grant))).toBe('hello world');
      });

      test('parts answer with theirs; listed, they are compared and make that of the object', async () => {
        const { grant, answers, plain, complete } = await uploaded(hello, algorithm);
        expect(answers).toMatchObject([{ [field]: each[0] }, { [field]: each[1] }]);
        const swapped = plain.map((part, index) => ({ ...part, [field]: each[1 - index] }));
        await expect(complete({}, swapped)).rejects.toMatchObject({ name: 'InvalidPart' });
        expect(await stored(grant)).toBeUndefined();
        const expected =
          algorithm === 'CRC64NVME'
            ? { [field]: whole, ChecksumType: full }
            : { [field]: ofParts, ChecksumType: composite };
        expect(
          await complete(
            {},
            plain.map((part, index) => ({ ...part, [field]: each[index] })),
          ),
        ).toMatchObject(expected);
        expect(String(await stored(grant))).toBe('hello world');
      });

      test('an object sent whole answers with it; a wrong one leaves nothing', async () => {
        const grant = await newGrant(server, { bytes: 11 });
        const put = (sum: string) =>
          awsClient(grant).send(
            new PutObjectCommand({ Bucket: grant.bucket_name, Key: grant.cos_key, Body: 'hello world', [field]: sum }),
          );
        await expect(put(each[0])).rejects.toMatchObject({ name: 'BadDigest' });
        expect(await stored(grant)).toBeUndefined();
        expect(await put(whole)).toMatchObject({ [field]: whole, ChecksumType: full });
      });
    });

    test('of parts of a MiB, and of one without bytes between them', async () => {
      const bytes = patterned(2 * MiB);
      const first = await uploaded([bytes.subarray(0, MiB), bytes.subarray(MiB)]);
      await expect(first.complete({ ChecksumCRC32: 'DUoRhQ==', ChecksumType: full })).rejects.toMatchObject({
        name: 'BadDigest',
      });
      await expect(
        first.complete({ ChecksumSHA256: 'Zhie15keHg/OBlOZxcoF/BXCgYZaeimRvdZnwUZqkaQ=-2' }),
      ).rejects.toMatchObject({ name: 'BadDigest' });
      expect(await stored(first.grant)).toBeUndefined();
      expect(await first.complete({ ChecksumSHA256: '97v5kOowpupn945ILz4Ej/c+cNjelkiwpivFzeu2urA=-2' })).toMatchObject({
        ChecksumType: composite,
      });
      expect((await stored(first.grant))?.equals(bytes)).toBe(true);
      const second = await uploaded([bytes.subarray(0, MiB), Buffer.alloc(0), bytes.subarray(MiB)]);
      expect(await second.complete({ ChecksumCRC32: 'mYxLyw==', ChecksumType: full })).toMatchObject({
        ChecksumCRC32: 'mYxLyw==',
      });
    });

    test('two at once, and a type that is none, are refused before anything is read', async () => {
      const { grant, complete } = await uploaded(hello);
      await expect(complete({ ChecksumCRC32: 'DUoRhQ==', ChecksumCRC32C: 'yZRlqg==' })).rejects.toMatchObject({
        name: 'InvalidRequest',
        message: expect.stringContaining('x-amz-checksum-crc32, x-amz-checksum-crc32c'),
      });
      await expect(
        complete({ ChecksumCRC32: 'DUoRhQ==', ChecksumType: 'HALF_OBJECT' as 'COMPOSITE' }),
      ).rejects.toMatchObject({ name: 'InvalidRequest', message: expect.stringContaining('HALF_OBJECT') });
      expect(await stored(grant)).toBeUndefined();
      // Completed without a checksum, and asked for again: the same object, and none answered.
      const done = await complete({});
      expect(done.ChecksumType).toBeUndefined();
      expect((await complete({ ChecksumCRC32: 'DUoRhQ==' })).ETag).toBe(done.ETag);
    });
  });
}
