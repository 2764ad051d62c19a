import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemStamp } from '../../src/ports/audit-stamp.ts';
import { collectWikiGarbage } from '../../src/modules/wiki/garbage-collection.ts';
import { abortUnfinishedUploads } from '../../src/modules/wiki/jobs/abort-unfinished-uploads.ts';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { sendRaw, sha1Headers, v4Headers } from '@sheaf/tools/testing/signed-storage-requests.ts';
import { awsClient, cosClient, newGrant, patterned, type Grant } from './support.ts';

const hour = 3_600_000;

describe('the object storage endpoint', () => {
  let server: TestServer;
  const clock = { offset: 0, now: () => Date.now() + clock.offset };
  beforeAll(async () => {
    server = await startServer({ clock });
  });
  afterAll(() => server?.close());

  const isThere = async (grant: Grant): Promise<boolean> =>
    (await server.app.services.blobs.head(grant.cos_key)) !== undefined;
  const put = (
    grant: Grant,
    headers: Record<string, string>,
    body: Uint8Array | string = 'hello',
    path = `/${grant.cos_key}`,
  ) => sendRaw(server.url, { path, headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) }, body });

  test('a credential has the shape that storage clients insist on', async () => {
    const grant = await newGrant(server, { bytes: 5 });
    expect(grant).toMatchObject({
      bucket_name: expect.stringMatching(/^[a-z]+-\d+$/),
      appid: expect.stringMatching(/^\d+$/),
      region: expect.stringMatching(/^[a-z-]+$/),
      custom_domain: new URL(server.url).host,
      cos_key: `media/${grant.mediaId}`,
    });
    expect(grant.bucket_name.endsWith(`-${grant.appid}`)).toBe(true);
    expect(grant.expired_time - grant.start_time).toBe(3600);
  });

  describe('by Host and by path', () => {
    test.each(['bucket in Host', 'key as path', 'bucket and key as path', 'path signed as sent'])(
      '%s',
      async (form) => {
        const grant = await newGrant(server, { bytes: 5 });
        const host = form === 'bucket in Host' ? `${grant.bucket_name}.cos.anything.example` : grant.custom_domain;
        const path =
          form === 'bucket and key as path'
            ? `/${grant.bucket_name}/${grant.cos_key}`
            : form === 'path signed as sent'
              ? `/${grant.cos_key.replace('_', '%5F')}`
              : `/${grant.cos_key}`;
        expect(await put(grant, sha1Headers(grant, { host, path }), 'hello', path)).toMatchObject({
          status: 200,
          headers: { etag: '"5d41402abc4b2a76b9719d911017c592"' },
        });
      },
    );

    test('Signature V4 with the key as path', async () => {
      const grant = await newGrant(server, { bytes: 5 });
      expect(await put(grant, v4Headers(grant).headers)).toMatchObject({ status: 200 });
    });

    test('behind a proxy that changed the host, our public name counts', async () => {
      const grant = await newGrant(server, { bytes: 5 });
      expect(await put(grant, { ...sha1Headers(grant), host: 'inner.proxy:9000' })).toMatchObject({ status: 200 });
    });
  });

  describe('[T13] a credential is for one key and for uploading only', () => {
    test('another key, the bucket, reading, deleting, rights, copies: 403 and nothing done', async () => {
      const grant = await newGrant(server, { bytes: 5 });
      const other = await newGrant(server, { bytes: 5 });
      const refused = { status: 403, code: 'AccessDenied' };
      await expect(
        awsClient(grant).send(new PutObjectCommand({ Bucket: grant.bucket_name, Key: other.cos_key, Body: 'hello' })),
      ).rejects.toMatchObject({ name: 'AccessDenied' });
      await expect(
        cosClient(grant).putObject({
          Bucket: grant.bucket_name,
          Region: grant.region,
          Key: other.cos_key,
          Body: 'hello',
        }),
      ).rejects.toMatchObject({ statusCode: 403, code: 'AccessDenied' });
      await expect(
        awsClient(grant).send(new ListObjectsV2Command({ Bucket: grant.bucket_name })),
      ).rejects.toMatchObject({ name: 'AccessDenied' });
      await expect(
        awsClient(grant).send(new GetObjectCommand({ Bucket: grant.bucket_name, Key: other.cos_key })),
      ).rejects.toMatchObject({ name: 'AccessDenied' });
      await expect(
        cosClient(grant).multipartList({
          Bucket: grant.bucket_name,
          Region: grant.region,
          Prefix: 'media/',
          Delimiter: '',
        }),
      ).rejects.toMatchObject({ statusCode: 403 });
      expect(await isThere(other)).toBe(false);
      for (const method of ['GET', 'DELETE', 'POST']) {
        expect(
          await sendRaw(server.url, { method, path: `/${grant.cos_key}`, headers: sha1Headers(grant, { method }) }),
        ).toMatchObject(refused);
      }
      expect(
        (
          await sendRaw(server.url, {
            method: 'HEAD',
            path: `/${grant.cos_key}`,
            headers: sha1Headers(grant, { method: 'HEAD' }),
          })
        ).status,
      ).toBe(403);
      expect(
        await put(grant, sha1Headers(grant, { query: { acl: '' } }), 'hello', `/${grant.cos_key}?acl`),
      ).toMatchObject(refused);
      expect(
        await put(grant, { ...sha1Headers(grant), 'x-cos-copy-source': `${grant.bucket_name}.cos/${other.cos_key}` }),
      ).toMatchObject(refused);
      for (const path of [
        `/${grant.cos_key}/../${other.cos_key.split('/')[1]}`,
        `/${grant.cos_key}x`,
        `//${grant.cos_key}`,
        '/',
      ]) {
        expect([path, await put(grant, sha1Headers(grant, { path }), 'hello', path)]).toMatchObject([path, refused]);
      }
    });

    test('a token that is missing, forged, foreign, or of another credential', async () => {
      const grant = await newGrant(server, { bytes: 5 });
      const other = await newGrant(server, { bytes: 5 });
      const headers = sha1Headers(grant);
      const { 'x-cos-security-token': _token, ...without } = headers;
      const forged = `${grant.token.slice(0, -3)}${grant.token.at(-3) === 'A' ? 'B' : 'A'}${grant.token.slice(-2)}`;
      expect(await put(grant, without)).toMatchObject({ status: 403, code: 'AccessDenied' });
      expect(await put(grant, { ...headers, 'x-cos-security-token': forged })).toMatchObject({
        status: 403,
        code: 'AccessDenied',
      });
      expect(await put(grant, { ...headers, 'x-cos-security-token': 'x' })).toMatchObject({
        status: 403,
        code: 'AccessDenied',
      });
      expect(await put(grant, { ...headers, 'x-cos-security-token': other.token })).toMatchObject({
        status: 403,
        code: 'InvalidAccessKeyId',
      });
      expect(await put(grant, sha1Headers({ ...grant, secret_key: other.secret_key }))).toMatchObject({
        status: 403,
        code: 'SignatureDoesNotMatch',
      });
      expect(await put(grant, v4Headers({ ...grant, secret_key: other.secret_key }).headers)).toMatchObject({
        status: 403,
        code: 'SignatureDoesNotMatch',
      });
      expect(await put(grant, { host: `${grant.bucket_name}.example` })).toMatchObject({
        status: 403,
        code: 'AccessDenied',
      });
      expect(await isThere(grant)).toBe(false);
    });

    test('what was signed cannot be used for another method, path or host header', async () => {
      const grant = await newGrant(server, { bytes: 5 });
      const signed = sha1Headers(grant);
      expect(
        await sendRaw(server.url, { method: 'POST', path: `/${grant.cos_key}?uploads`, headers: signed }),
      ).toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' });
      const v4 = v4Headers(grant, { headers: { 'x-amz-meta-a': '1' } }).headers;
      expect(await put(grant, { ...v4, 'x-amz-meta-a': '2' })).toMatchObject({
        status: 403,
        code: 'SignatureDoesNotMatch',
      });
    });
  });

  describe('[T14] time', () => {
    test('a credential that has run out', async () => {
      const grant = await newGrant(server, { bytes: 5, now: Date.now() - hour - 1 });
      expect(await put(grant, sha1Headers(grant))).toMatchObject({ status: 403, code: 'ExpiredToken' });
      expect(await put(grant, v4Headers(grant).headers)).toMatchObject({ status: 403, code: 'ExpiredToken' });
    });

    test('clocks may be off by five minutes either way, not by more', async () => {
      for (const skew of [-350, -290, 290, 310]) {
        const grant = await newGrant(server, { bytes: 5 });
        const fits = Math.abs(skew) <= 300;
        const expected = fits ? { status: 200 } : { status: 403, code: 'RequestTimeTooSkewed' };
        expect([skew, await put(grant, v4Headers(grant, { skew }).headers)]).toMatchObject([skew, expected]);
        // The sha1 form names its own end, here a minute after its start.
        const sha1Skew = skew < 0 ? skew - 60 : skew;
        expect([skew, await put(grant, sha1Headers(grant, { skew: sha1Skew }))]).toMatchObject([skew, expected]);
      }
    });

    test('a client whose clock is far off learns the time from the refusal', async () => {
      const grant = await newGrant(server, { bytes: 5 });
      const client = cosClient(grant, { SystemClockOffset: -20 * 60_000, CorrectClockSkew: true } as object);
      const answer = await client.putObject({
        Bucket: grant.bucket_name,
        Region: grant.region,
        Key: grant.cos_key,
        Body: 'hello',
      });
      expect(answer.ETag).toBe('"5d41402abc4b2a76b9719d911017c592"');
    });
  });

  describe('[T15] the size is the one declared', () => {
    test('more, less, not said, and lies', async () => {
      const grant = await newGrant(server, { bytes: 1024 });
      expect(await put(grant, sha1Headers(grant), patterned(3 * 2 ** 20))).toMatchObject({
        status: 400,
        code: 'EntityTooLarge',
      });
      expect(await put(grant, sha1Headers(grant), patterned(1023))).toMatchObject({
        status: 400,
        code: 'EntityTooSmall',
      });
      expect(
        await sendRaw(server.url, {
          path: `/${grant.cos_key}`,
          headers: { ...sha1Headers(grant), 'transfer-encoding': 'chunked' },
          body: patterned(2000),
        }),
      ).toMatchObject({ status: 411, code: 'MissingContentLength' });
      const lie = v4Headers(grant, {
        payload: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
        headers: { 'x-amz-decoded-content-length': '1024' },
      }).headers;
      expect(
        await put(grant, lie, Buffer.concat([Buffer.from('800\r\n'), patterned(2048), Buffer.from('\r\n0\r\n\r\n')])),
      ).toMatchObject({ status: 400, code: 'EntityTooLarge' });
      expect(
        await put(grant, lie, Buffer.concat([Buffer.from('200\r\n'), patterned(512), Buffer.from('\r\n0\r\n\r\n')])),
      ).toMatchObject({ status: 400, code: 'EntityTooSmall' });
      expect(await isThere(grant)).toBe(false);
    });

    test('parts that together are not it: the upload is gone', async () => {
      const grant = await newGrant(server, { bytes: 1000 });
      const cos = cosClient(grant);
      const place = { Bucket: grant.bucket_name, Region: grant.region, Key: grant.cos_key };
      const { UploadId } = await cos.multipartInit(place);
      const part = await cos.multipartUpload({ ...place, UploadId, PartNumber: 1, Body: patterned(600) });
      await expect(
        cos.multipartUpload({ ...place, UploadId, PartNumber: 2, Body: patterned(600) }),
      ).rejects.toMatchObject({ code: 'EntityTooLarge' });
      await expect(
        cos.multipartComplete({ ...place, UploadId, Parts: [{ PartNumber: 1, ETag: part.ETag }] }),
      ).rejects.toMatchObject({ code: 'EntityTooSmall' });
      await expect(cos.multipartListPart({ ...place, UploadId })).rejects.toMatchObject({
        statusCode: 404,
        code: 'NoSuchUpload',
      });
      expect(await isThere(grant)).toBe(false);
    });

    test('a credential cannot begin uploads without end', async () => {
      const grant = await newGrant(server, { bytes: 1000 });
      const begin = () =>
        sendRaw(server.url, {
          method: 'POST',
          path: `/${grant.cos_key}?uploads`,
          headers: sha1Headers(grant, { method: 'POST', query: { uploads: '' } }),
        });
      for (let count = 0; count < 64; count++) expect((await begin()).status).toBe(200);
      expect(await begin()).toMatchObject({ status: 503, code: 'SlowDown' });
    });
  });

  describe('[T17] what is abandoned goes away', () => {
    test('uploads that nobody added, their bytes and parts; they count against the quota for as long as they are kept', async () => {
      const { services } = server.app;
      const before = await services.wiki.uploads.storage(server.owner.userId, 1000);
      const grants: Grant[] = [];
      for (let count = 0; count < 30; count++) grants.push(await newGrant(server, { bytes: 5 }));
      expect((await put(grants[0]!, sha1Headers(grants[0]!))).status).toBe(200);
      const { UploadId } = await cosClient(grants[1]!).multipartInit({
        Bucket: grants[1]!.bucket_name,
        Region: grants[1]!.region,
        Key: grants[1]!.cos_key,
      });
      await services.blobs.putPart(grants[1]!.cos_key, UploadId, 1, Buffer.from('he'), 2);
      expect(await services.wiki.uploads.storage(server.owner.userId, 1000)).toEqual({
        ...before,
        used: before.used + 5,
      });
      await collectWikiGarbage(services);
      await abortUnfinishedUploads(services);
      expect(await isThere(grants[0]!)).toBe(true);
      expect(await services.blobs.listParts(grants[1]!.cos_key, UploadId)).toHaveLength(1);
      clock.offset = 3 * hour;
      try {
        await collectWikiGarbage(services);
        clock.offset = 27 * hour;
        await collectWikiGarbage(services);
        await abortUnfinishedUploads(services);
      } finally {
        clock.offset = 0;
      }
      for (const grant of grants) expect(await services.wiki.uploads.upload(grant.mediaId)).toBeUndefined();
      expect(await isThere(grants[0]!)).toBe(false);
      // Uploads that the tests before this one abandoned went with them.
      expect((await services.wiki.uploads.storage(server.owner.userId, 1000)).used).toBeLessThanOrEqual(before.used);
      expect(await services.blobs.listParts(grants[1]!.cos_key, UploadId)).toBeUndefined();
      expect(await put(grants[2]!, sha1Headers(grants[2]!))).toMatchObject({ status: 403, code: 'AccessDenied' });
    });
  });

  describe('[T18] broken uploads', () => {
    test('a connection that breaks half-way leaves nothing, and a second try succeeds', async () => {
      const bytes = patterned(200_000);
      const grant = await newGrant(server, { bytes: bytes.length });
      const headers = { ...sha1Headers(grant), 'content-length': String(bytes.length) };
      const { hostname, port } = new URL(server.url);
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(
            `PUT /${grant.cos_key} HTTP/1.1\r\n${Object.entries(headers)
              .map(([name, value]) => `${name}: ${value}\r\n`)
              .join('')}\r\n`,
          );
          socket.write(bytes.subarray(0, 100_000), () => socket.resetAndDestroy());
        });
        socket.on('close', () => resolve());
      });
      expect(await isThere(grant)).toBe(false);
      expect(await put(grant, sha1Headers(grant), bytes)).toMatchObject({ status: 200 });
      expect(await isThere(grant)).toBe(true);
    });

    test('bytes that are not those of the checksum are not kept', async () => {
      const grant = await newGrant(server, { bytes: 5 });
      const wrong = createHash('md5').update('other').digest('base64');
      expect(await put(grant, { ...sha1Headers(grant), 'content-md5': wrong })).toMatchObject({
        status: 400,
        code: 'BadDigest',
      });
      expect(
        await put(grant, v4Headers(grant, { payload: createHash('sha256').update('other').digest('hex') }).headers),
      ).toMatchObject({ status: 400, code: 'XAmzContentSHA256Mismatch' });
      expect(
        await put(grant, v4Headers(grant, { headers: { 'x-amz-checksum-crc32': 'AAAAAA==' } }).headers),
      ).toMatchObject({ status: 400, code: 'BadDigest' });
      expect(
        await put(grant, v4Headers(grant, { headers: { 'x-amz-checksum-sha256': 'AAAA' } }).headers),
      ).toMatchObject({ status: 400, code: 'BadDigest' });
      const trailer = v4Headers(grant, {
        payload: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
        headers: { 'x-amz-decoded-content-length': '5', 'x-amz-trailer': 'x-amz-checksum-crc32' },
      }).headers;
      expect(await put(grant, trailer, '5\r\nhello\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n')).toMatchObject({
        status: 400,
        code: 'BadDigest',
      });
      expect(await put(grant, trailer, '5\r\nhello\r\n0\r\n\r\n')).toMatchObject({
        status: 400,
        code: 'MalformedTrailerError',
      });
      expect(await isThere(grant)).toBe(false);
      expect(
        await put(grant, { ...sha1Headers(grant), 'content-md5': createHash('md5').update('hello').digest('base64') }),
      ).toMatchObject({ status: 200 });
    });

    test.each([
      ['crc32', 'NhCmhg==', 'NhCmhw=='],
      ['crc32c', 'mnG7TA==', 'AAAAAA=='],
      ['crc64nvme', 'M3eFcAZSQlc=', 'AAAAAAAAAAA='],
      ['sha1', 'qvTGHdzF6KLavt4PO0gs2a6pQ00=', 'qvTGHdzF6KLavt4PO0gs2a6pQ01='],
      ['sha256', 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=', 'AAAA'],
    ])(
      'x-amz-checksum-%s, before the body and after it: taken when right, refused when wrong',
      async (kind, right, wrong) => {
        const name = `x-amz-checksum-${kind}`;
        const early = async (sum: string): Promise<unknown> => {
          const grant = await newGrant(server, { bytes: 5 });
          return {
            ...(await put(grant, v4Headers(grant, { headers: { [name]: sum } }).headers)),
            isThere: await isThere(grant),
          };
        };
        const late = async (sum: string): Promise<unknown> => {
          const grant = await newGrant(server, { bytes: 5 });
          const { headers } = v4Headers(grant, {
            payload: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
            headers: { 'x-amz-decoded-content-length': '5', 'x-amz-trailer': name },
          });
          return {
            ...(await put(grant, headers, `2\r\nhe\r\n3\r\nllo\r\n0\r\n${name}:${sum}\r\n\r\n`)),
            isThere: await isThere(grant),
          };
        };
        expect(await early(right)).toMatchObject({ status: 200, isThere: true });
        expect(await late(right)).toMatchObject({ status: 200, isThere: true });
        expect(await early(wrong)).toMatchObject({ status: 400, code: 'BadDigest', isThere: false });
        expect(await late(wrong)).toMatchObject({ status: 400, code: 'BadDigest', isThere: false });
      },
    );

    test('signed pieces: taken when right, refused when one was changed', async () => {
      for (const isChanged of [false, true]) {
        const grant = await newGrant(server, { bytes: 10 });
        const { headers, chunk } = v4Headers(grant, {
          payload: 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
          headers: { 'x-amz-decoded-content-length': '10' },
        });
        const pieces = ['hello', 'world', ''].map(
          (piece) =>
            `${piece.length.toString(16)};chunk-signature=${chunk(Buffer.from(piece))}\r\n${piece === 'world' && isChanged ? 'wOrld' : piece}\r\n`,
        );
        const answer = await put(grant, headers, pieces.join(''));
        expect(answer).toMatchObject(isChanged ? { status: 403, code: 'SignatureDoesNotMatch' } : { status: 200 });
        expect(await isThere(grant)).toBe(!isChanged);
      }
    });

    test('framing that is no framing', async () => {
      const grant = await newGrant(server, { bytes: 5 });
      const { headers } = v4Headers(grant, {
        payload: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
        headers: { 'x-amz-decoded-content-length': '5' },
      });
      for (const body of [
        'hello',
        'zz\r\nhello\r\n',
        '5\r\nhel',
        '5\r\nhello!!\r\n0\r\n\r\n',
        `${'1'.repeat(20_000)}`,
        '5\r\nhello\r\n',
      ]) {
        expect([body.slice(0, 9), await put(grant, headers, body)]).toMatchObject([
          body.slice(0, 9),
          { status: 400, code: 'IncompleteBody' },
        ]);
      }
      expect(
        await put(
          grant,
          v4Headers(grant, {
            payload: 'STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD',
            headers: { 'x-amz-decoded-content-length': '5' },
          }).headers,
        ),
      ).toMatchObject({ status: 501 });
      expect(await isThere(grant)).toBe(false);
    });
  });

  test('[T16] once its file is added, a credential can no longer change it', async () => {
    const grant = await newGrant(server, { bytes: 5 });
    expect((await put(grant, sha1Headers(grant))).status).toBe(200);
    const { services } = server.app;
    const item = {
      id: grant.mediaId,
      baseId: grant.baseId,
      folderId: grant.baseId,
      userId: server.owner.userId,
      mediaType: 13,
      title: 'a',
      state: 'queued' as const,
      kind: 'text' as const,
      fileName: 'a.txt',
      contentType: 'text/plain',
      fileSize: 5,
      blobKey: grant.cos_key,
      contentId: '',
      lastModifyTime: 0,
      sealedPassword: '',
    };
    await services.wiki.items.addItem(systemStamp(Date.now(), 'test', server.owner.userId), item, 'keep_both', {
      quotaBytes: 1e9,
    });
    expect(await put(grant, sha1Headers(grant), 'other')).toMatchObject({ status: 403, code: 'AccessDenied' });
    expect(
      (
        await sendRaw(server.url, {
          method: 'POST',
          path: `/${grant.cos_key}?uploads`,
          headers: sha1Headers(grant, { method: 'POST', query: { uploads: '' } }),
        })
      ).status,
    ).toBe(403);
  });

  test('our own page may upload from a browser, another one may not', async () => {
    const grant = await newGrant(server, { bytes: 5 });
    const ask = (origin: string) =>
      sendRaw(server.url, {
        method: 'OPTIONS',
        path: `/${grant.cos_key}`,
        headers: {
          host: grant.custom_domain,
          origin,
          'access-control-request-method': 'PUT',
          'access-control-request-headers': 'authorization,x-cos-security-token',
        },
      });
    expect(await ask(server.url)).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-origin': server.url },
    });
    const foreign = await ask('https://evil.example');
    expect(foreign.status).toBe(403);
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('refusals are XML that cannot be broken by what was sent', async () => {
    const grant = await newGrant(server, { bytes: 5 });
    const answer = await put(grant, sha1Headers(grant), 'hello', `/${grant.cos_key}/%3Cscript%3E&%22?x`);
    expect(answer.headers['content-type']).toBe('application/xml');
    expect(answer.body).toMatch(
      new RegExp(
        String.raw`^<\?xml version="1.0" encoding="UTF-8"\?>\n<Error><Code>\w+</Code><Message>[^<>]*</Message>` +
          '<Resource>[^<>]*</Resource><RequestId>[^<>]*</RequestId><ServerTime>[^<>]*</ServerTime></Error>$',
      ),
    );
    expect(await sendRaw(server.url, { path: '/media/%zz', headers: sha1Headers(grant) })).toMatchObject({
      status: 400,
    });
  });
});
