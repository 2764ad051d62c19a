import { CreateMultipartUploadCommand, PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { purgeDocuments } from '../../src/modules/sheet/document-storage.ts';
import { collectWikiGarbage } from '../../src/modules/wiki/garbage-collection.ts';
import { abortUnfinishedUploads } from '../../src/modules/wiki/jobs/abort-unfinished-uploads.ts';
import { png } from '@sheaf/tools/testing/tiny-images.ts';
import { startServer, type Key, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { awsClient, newGrant } from './support.ts';

const quota = 2 ** 20;
const day = 24 * 60 * 60 * 1000;

/** An image of one pixel with something behind its end. */
function imageOf(bytes: number): Buffer {
  const image = Buffer.from(png, 'base64');
  return Buffer.concat([image, Buffer.alloc(bytes - image.length, 7)]);
}

function textOf(characters: number, seed: number): string {
  let text = '';
  for (let i = seed; text.length < characters; i++) text += Math.imul(i + 1, 2654435761).toString(36);
  return text.slice(0, characters);
}

for (const [database, blobs] of [
  ['sqlite', 'files'],
  ['postgres', 's3'],
] as const) {
  describe(`[finding R5] every byte that is kept counts, on ${database} with ${blobs}`, () => {
    let server: TestServer;
    let user: Key;
    beforeAll(async () => {
      server = await startServer({ database, blobs, config: { SHEAF_QUOTA_BYTES: quota } });
    });
    afterAll(() => server?.close());
    beforeEach(async () => {
      user = await server.newUser();
    });

    const call = (module: string, operation: string, input: object, as = user) =>
      server.call('http', module, operation, input, as);
    const used = async (): Promise<number> => (await server.app.services.wiki.uploads.storage(user.userId, quota)).used;
    const fill = async (bytes: number): Promise<void> => {
      await server.app.services.blobAccounting.charge(user.userId, `test/${user.userId}`, bytes, {
        field: 'test',
        quotaBytes: quota,
      });
    };
    /** The housekeeping of some days later. */
    const clean = async (later: number): Promise<void> => {
      const services = { ...server.app.services, clock: { now: () => Date.now() + later } };
      await abortUnfinishedUploads(services);
      await purgeDocuments(services);
      await collectWikiGarbage(services);
    };

    test(
      '[finding R5] an upload counts when it is put, is refused past the quota, and is free when nobody used it',
      { timeout: 60_000 },
      async () => {
        const put = async (bytes: number): Promise<unknown> => {
          const grant = await newGrant(server, { bytes, userId: user.userId });
          return awsClient(grant, { maxAttempts: 1 }).send(
            new PutObjectCommand({ Bucket: grant.bucket_name, Key: grant.cos_key, Body: Buffer.alloc(bytes, 7) }),
          );
        };
        await put(600_000);
        expect(await used()).toBe(600_000);
        await expect(put(600_000)).rejects.toMatchObject({
          name: 'QuotaExceeded',
          message: expect.stringContaining('600000 more bytes do not fit: 600000 of 1048576'),
        });
        expect(await used()).toBe(600_000);
        await clean(day);
        expect(await used()).toBe(0);
      },
    );

    test(
      '[finding R5] parts count one by one, in parallel too, and are free when the upload is given up',
      { timeout: 60_000 },
      async () => {
        const grant = await newGrant(server, { bytes: 4_000_000, userId: user.userId });
        const client = awsClient(grant, { maxAttempts: 1 });
        const object = { Bucket: grant.bucket_name, Key: grant.cos_key };
        const { UploadId } = await client.send(new CreateMultipartUploadCommand(object));
        const part = (PartNumber: number): Promise<string> =>
          client
            .send(new UploadPartCommand({ ...object, UploadId, PartNumber, Body: Buffer.alloc(400_000, PartNumber) }))
            .then(
              () => 'kept',
              (error: Error) => error.name,
            );
        const done = await Promise.all([1, 2, 3, 4, 5].map(part));
        expect(done.toSorted()).toEqual(['QuotaExceeded', 'QuotaExceeded', 'QuotaExceeded', 'kept', 'kept']);
        expect(await used()).toBe(800_000);
        expect(await part(done.indexOf('kept') + 1)).toBe('kept');
        expect(await used()).toBe(800_000);
        await clean(3 * 60 * 60 * 1000);
        expect(await used()).toBe(0);
      },
    );

    test('[finding R5] a file that became an item counts once', { timeout: 60_000 }, async () => {
      const { data: base } = await call('wiki', 'create_knowledge_base', { name: 'Files' });
      const content = Buffer.from(textOf(300_000, 1)).toString('base64');
      const file = { knowledge_base_id: base.knowledge_base_id, file_name: 'a.txt', content };
      expect(await call('wiki', 'upload_knowledge', file)).toMatchObject({ code: 0 });
      expect(await used()).toBe(300_000);
    });

    test(
      '[finding R5] what is sent to an address of pre_import counts, and is free once it is imported or garbage',
      { timeout: 60_000 },
      async () => {
        const { data: first } = await call('manage', 'pre_import', {});
        const csv = `${'a,b\n'.repeat(100)}`;
        expect((await fetch(first.upload_url, { method: 'PUT', body: csv })).status).toBe(200);
        expect(await used()).toBe(400);
        const { data: second } = await call('manage', 'pre_import', {});
        const refused = await fetch(second.upload_url, { method: 'PUT', body: Buffer.alloc(quota, 'a') });
        expect([refused.status, await refused.text()]).toEqual([
          507,
          `content-length: ${quota} more bytes do not fit: 400 of ${quota} are in use; delete something permanently or ask the owner for more space\n`,
        ]);
        expect(await call('manage', 'import_file', { title: 'Imported', file_key: first.file_key })).toMatchObject({
          code: 0,
        });
        expect(await used()).toBe(16_384);
        const { data: third } = await call('manage', 'pre_import', {});
        expect((await fetch(third.upload_url, { method: 'PUT', body: csv })).status).toBe(200);
        expect(await used()).toBe(16_784);
        await clean(2 * day);
        expect(await used()).toBe(16_384);
      },
    );

    test(
      '[finding R5] upload_image counts, and an image that does not fit leaves nothing',
      { timeout: 60_000 },
      async () => {
        const image = imageOf(600_000);
        expect(await call('manage', 'upload_image', { content: image.toString('base64') })).toMatchObject({ code: 0 });
        expect(await used()).toBe(image.length);
        const again = await call('manage', 'upload_image', { content: image.toString('base64') });
        expect(again).toMatchObject({
          code: 310006,
          msg:
            `content: ${image.length} more bytes do not fit: ${image.length} of ${quota} are in use; delete ` +
            'something permanently or ask the owner for more space',
        });
        expect(await used()).toBe(image.length);
      },
    );

    test(
      '[M13] [finding R5] cells count, their history too; edits that do not fit change nothing',
      { timeout: 60_000 },
      async () => {
        const { data: file } = await call('manage', 'create_file', { title: 'Cells' });
        const cell = (row: number) => ({
          file_id: file.file_id,
          sheet_id: file.sheet_id,
          row,
          col: 0,
          value_type: 'STRING',
          string_value: textOf(30_000, row),
        });
        const codes: number[] = [];
        for (let row = 0; row < 40; row++) codes.push((await call('sheet', 'set_cell_value', cell(row))).code);
        expect(codes.filter((code) => code === 0).length).toBeGreaterThan(10);
        expect(codes.at(-1)).toBe(310006);
        expect(await used()).toBeLessThanOrEqual(quota);
        expect(await used()).toBeGreaterThan(quota - 100_000);
        const read = await call('sheet', 'get_cell_data', {
          file_id: file.file_id,
          sheet_id: file.sheet_id,
          start_row: 39,
          end_row: 39,
          start_col: 0,
          end_col: 0,
        });
        expect(JSON.stringify(read.data)).not.toContain(textOf(30_000, 39).slice(0, 50));
        await call('manage', 'delete_file', { file_id: file.file_id });
        await clean(31 * day);
        expect(await used()).toBe(0);
      },
    );

    test('[finding R5] copy_file counts the copy', { timeout: 60_000 }, async () => {
      const { data: file } = await call('manage', 'create_file', { title: 'Original' });
      for (let row = 0; row < 4; row++) {
        const cell = {
          file_id: file.file_id,
          sheet_id: file.sheet_id,
          row,
          col: 0,
          value_type: 'STRING',
          string_value: textOf(30_000, row),
        };
        expect(await call('sheet', 'set_cell_value', cell)).toMatchObject({ code: 0 });
      }
      const before = await used();
      expect(await call('manage', 'copy_file', { file_id: file.file_id })).toMatchObject({ code: 0 });
      expect(await used()).toBeGreaterThan(before + 50_000);
      await fill(quota - (await used()));
      expect(await call('manage', 'copy_file', { file_id: file.file_id })).toMatchObject({
        code: 310006,
        msg: expect.stringContaining(`of ${quota} are in use`),
      });
    });

    test(
      '[finding R5] export_file as a link counts, is recorded, needs a key that may write, and is free two hours later',
      { timeout: 60_000 },
      async () => {
        const { data: file } = await call('manage', 'create_file', { title: 'Exported' });
        const before = await used();
        const reading = await server.call('http', 'account', 'create_key', {
          name: 'reads',
          user_id: user.userId,
          access: 'read',
        });
        const reader = {
          userId: user.userId,
          clientId: reading.data.key.client_id as string,
          apiKey: reading.data.api_key as string,
        };
        const input = { file_id: file.file_id, format: 'xlsx' };
        expect(await call('manage', 'export_file', input, reader)).toMatchObject({
          code: 0,
          data: { content: expect.any(String) },
        });
        expect(await used()).toBe(before);
        expect(await call('manage', 'export_file', { ...input, as_link: true }, reader)).toMatchObject({
          code: 310007,
          msg: expect.stringContaining('as_link: this API key is read-only'),
        });
        const { data } = await call('manage', 'export_file', { ...input, as_link: true });
        expect(await used()).toBe(before + data.file_size);
        const rows = await server.app.services.accounts.listAudit({
          userId: user.userId,
          operation: 'manage.export_file',
          limit: 10,
        });
        expect(rows.map((row) => row.target)).toEqual([file.file_id]);
        await fill(quota - (await used()));
        expect(await call('manage', 'export_file', { ...input, as_link: true })).toMatchObject({
          code: 310006,
          msg: expect.stringContaining(`file_id: ${data.file_size} more bytes do not fit`),
        });
        await server.app.services.blobAccounting.release(`test/${user.userId}`);
        await clean(3 * 60 * 60 * 1000);
        expect(await used()).toBe(before);
      },
    );
  });
}
