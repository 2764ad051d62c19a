import { expect, test } from 'vitest';
import { onWiki, wikiKit } from './support.ts';

const mb = 1048576;

onWiki('create_media', (call, server) => {
  const kit = wikiKit(call);
  const create = async (more: object) =>
    call('create_media', {
      file_name: 'a.pdf',
      file_size: 10,
      content_type: 'application/pdf',
      knowledge_base_id: await kit.base(),
      file_ext: 'pdf',
      ...more,
    });

  test('[W10] gives a media id and a credential for one key, one hour', async () => {
    const { code, data } = await create({});
    expect(code).toBe(0);
    expect(data.media_id).toMatch(/^media_/);
    const credential = data.cos_credential;
    expect(Object.keys(credential).sort()).toEqual([
      'appid',
      'bucket_name',
      'cos_key',
      'custom_domain',
      'expired_time',
      'region',
      'secret_id',
      'secret_key',
      'start_time',
      'token',
    ]);
    expect(credential.expired_time - credential.start_time).toBe(3600);
    expect(credential.bucket_name).toBe(`${credential.bucket_name.split('-')[0]}-${credential.appid}`);
    for (const field of ['token', 'secret_id', 'secret_key', 'region', 'appid', 'custom_domain', 'cos_key'])
      expect(credential[field]).not.toBe('');
  });

  test.each([
    ['application/pdf', 'pdf', 200],
    ['application/msword', 'doc', 200],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx', 200],
    ['application/vnd.ms-powerpoint', 'ppt', 200],
    ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx', 200],
    ['application/vnd.ms-excel', 'xls', 10],
    ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx', 10],
    ['text/csv', 'csv', 10],
    ['text/markdown', 'md', 10],
    ['text/x-markdown', 'md', 10],
    ['application/md', 'md', 10],
    ['application/markdown', 'markdown', 10],
    ['image/png', 'png', 30],
    ['image/jpeg', 'jpg', 30],
    ['image/webp', 'webp', 30],
    ['text/plain', 'txt', 10],
    ['application/x-xmind', 'xmind', 10],
    ['application/vnd.xmind.workbook', 'xmind', 10],
    ['application/zip', 'xmind', 10],
    ['audio/mpeg', 'mp3', 200],
    ['audio/x-m4a', 'm4a', 200],
    ['audio/wav', 'wav', 200],
    ['audio/aac', 'aac', 200],
    ['text/html', 'html', 10],
  ])('[W11] %s (%s): at most %s MB', async (content_type, file_ext, megabytes) => {
    expect(await create({ content_type, file_ext, file_size: megabytes * mb })).toMatchObject({ code: 0 });
    expect(await create({ content_type, file_ext, file_size: megabytes * mb + 1 })).toMatchObject({
      code: 110001,
      data: {},
      msg: expect.stringContaining(`${megabytes} MB`),
    });
  });

  test('[W12] the content type decides; the extension when it says nothing; neither: refused', async () => {
    // 11 MB is too much for Markdown and fine for a PDF.
    expect(
      await create({ content_type: 'application/pdf; charset=binary', file_ext: 'md', file_size: 11 * mb }),
    ).toMatchObject({ code: 0 });
    expect(await create({ content_type: 'TEXT/MARKDOWN', file_ext: 'pdf', file_size: 11 * mb })).toMatchObject({
      code: 110001,
    });
    expect(
      await create({ content_type: 'application/octet-stream', file_ext: 'PDF', file_size: 11 * mb }),
    ).toMatchObject({ code: 0 });
    expect(await create({ content_type: '', file_ext: '.md' })).toMatchObject({ code: 0 });
    for (const [content_type, file_ext] of [
      ['application/octet-stream', 'exe'],
      ['image/svg+xml', 'svg'],
      ['', ''],
      ['video/mp4', 'mp4'],
      ['__proto__', 'constructor'],
    ]) {
      expect(await create({ content_type, file_ext })).toMatchObject({
        code: 110001,
        data: {},
        msg: expect.stringContaining('content_type'),
      });
    }
  });

  test('[W13] numbers may come as text, unknown fields are ignored', async () => {
    expect(await create({ file_size: '10', surprise: { x: 1 } })).toMatchObject({ code: 0 });
  });

  test('[W14][T19] any file name is taken, and none becomes part of the key', async () => {
    for (const file_name of [
      '../../etc/passwd',
      'é'.repeat(1024),
      '\u202egpj.exe',
      'CON',
      '-rf',
      '😀.pdf',
      'a/b\\c',
      '<script>.pdf',
      'half\ud800.pdf',
    ]) {
      const { code, data } = await create({ file_name });
      expect([file_name, code]).toEqual([file_name, 0]);
      expect(data.cos_credential.cos_key).toMatch(/^media\/media_[0-9a-z]+\.pdf$/);
    }
    expect(await create({ file_name: '字'.repeat(1025) })).toMatchObject({
      code: 110001,
      msg: expect.stringContaining('1024'),
    });
  });

  test('[W15] viewers may not upload', async () => {
    const base = await kit.base();
    const viewer = await server().newUser();
    await kit.member(base, viewer, 'viewer');
    const input = {
      file_name: 'a.pdf',
      file_size: 10,
      content_type: 'application/pdf',
      knowledge_base_id: base,
      file_ext: 'pdf',
    };
    expect(await call('create_media', input, viewer)).toMatchObject({
      code: 110030,
      data: {},
      msg: expect.stringContaining('viewer'),
    });
    await kit.member(base, viewer, 'editor');
    expect(await call('create_media', input, viewer)).toMatchObject({ code: 0 });
  });

  test('[W8] what does not fit the quota is refused before the upload', async () => {
    await server().app.database.write(null, (tx) =>
      tx.run('UPDATE user_account SET quota_bytes = 100 WHERE id = ?', server().owner.userId),
    );
    expect(await create({ file_size: 101 })).toMatchObject({
      code: 110011,
      data: {},
      msg: expect.stringContaining('100'),
    });
    await server().app.database.write(null, (tx) =>
      tx.run('UPDATE user_account SET quota_bytes = NULL WHERE id = ?', server().owner.userId),
    );
    expect(await create({ file_size: 101 })).toMatchObject({ code: 0 });
  });

  test('[W16][T17] uploads that nobody uses are forgotten after their hour, with their bytes', async () => {
    const { data } = await create({
      file_name: 'left.md',
      content_type: 'text/markdown',
      file_ext: 'md',
      file_size: 3,
    });
    const { blobs, wiki } = server().app.services;
    await blobs.put(data.cos_credential.cos_key, Buffer.from('abc'), 3);
    const before = await wiki.uploads.storage(server().owner.userId, 0);
    const later = data.cos_credential.expired_time * 1000 + 2000;
    expect(await wiki.uploads.expire(later, 1000)).toBeGreaterThan(0);
    expect(await wiki.uploads.garbage(later, 1000)).toContain(data.cos_credential.cos_key);
    expect(await wiki.uploads.upload(data.media_id)).toBeUndefined();
    expect(await wiki.uploads.storage(server().owner.userId, 0)).toEqual(before);
  });
});
