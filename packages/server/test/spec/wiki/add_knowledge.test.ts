import { expect, test } from 'vitest';
import { oneLinePdf } from '@sheaf/tools/testing/one-line-pdf.ts';
import { onWiki, titles, wikiKit } from './support.ts';
import { makeUpload } from './things.ts';

onWiki('add_knowledge', (call, server) => {
  const kit = wikiKit(call);
  const note = async (as = server().owner): Promise<string> =>
    (
      await server().call(
        'http',
        'note',
        'import_doc',
        { content_format: 1, content: '# Whale\n\nleviathan of the deep' },
        as,
      )
    ).data.note_id;

  test('[W30] an uploaded file becomes an item that is read and found', async () => {
    const base = await kit.base();
    const { media_id, ...file } = await makeUpload(server(), base, {
      bytes: Buffer.from('# Plan\n\nThe heron stands still.'),
    });
    expect(
      await call('add_knowledge', {
        media_type: 7,
        media_id,
        title: 'Plan',
        knowledge_base_id: base,
        file_info: { ...file, file_name: 'plan.md', last_modify_time: 1700000000 },
      }),
    ).toEqual({ code: 0, msg: 'success', data: { media_id } });
    await kit.ready(media_id);
    await server().app.services.searchFeed.waitUntilDrained();
    expect(
      (await kit.done('search_knowledge', { query: 'heron', cursor: '', knowledge_base_id: base })).info_list,
    ).toEqual([
      {
        media_id,
        title: 'Plan',
        parent_folder_id: base,
        media_type: 7,
        match: 'all',
        highlight_content: expect.stringContaining('<em>heron</em>'),
      },
    ]);
  });

  test('[W31] the same media_id twice is the same item', async () => {
    const base = await kit.base();
    const { media_id, ...file } = await makeUpload(server(), base);
    const input = {
      media_type: 7,
      media_id,
      title: 'Once',
      knowledge_base_id: base,
      file_info: { ...file, file_name: 'once.md' },
    };
    expect(await call('add_knowledge', input)).toMatchObject({ code: 0, data: { media_id } });
    expect(await call('add_knowledge', { ...input, title: 'Twice' })).toMatchObject({ code: 0, data: { media_id } });
    expect(titles((await kit.list(base)).knowledge_list)).toEqual(['Once']);
  });

  test('[W32] nothing uploaded, another size declared, too few fields: refused', async () => {
    const base = await kit.base();
    const { data } = await call('create_media', {
      file_name: 'a.md',
      file_size: 4,
      content_type: 'text/markdown',
      knowledge_base_id: base,
      file_ext: 'md',
    });
    const file_info = { cos_key: data.cos_credential.cos_key, file_size: 4, file_name: 'a.md' };
    const input = { media_type: 7, media_id: data.media_id, title: 'A', knowledge_base_id: base, file_info };
    expect(await call('add_knowledge', input)).toMatchObject({
      code: 110001,
      data: {},
      msg: expect.stringContaining('nothing was uploaded'),
    });
    expect(await call('add_knowledge', { ...input, file_info: { ...file_info, file_size: 5 } })).toMatchObject({
      code: 110001,
      msg: expect.stringContaining('file_info.file_size'),
    });
    expect(await call('add_knowledge', { ...input, media_id: undefined })).toMatchObject({
      code: 110001,
      msg: expect.stringContaining('media_id'),
    });
    expect(await call('add_knowledge', { ...input, file_info: undefined })).toMatchObject({
      code: 110001,
      msg: expect.stringContaining('file_info'),
    });
    expect((await kit.list(base)).knowledge_list).toEqual([]);
  });

  test('[W33][T15] an object of another size than declared is refused and removed', async () => {
    const base = await kit.base();
    const { data } = await call('create_media', {
      file_name: 'a.md',
      file_size: 4,
      content_type: 'text/markdown',
      knowledge_base_id: base,
      file_ext: 'md',
    });
    const { cos_key } = data.cos_credential;
    await server().app.services.blobs.put(cos_key, Buffer.from('12345'), 5);
    expect(
      await call('add_knowledge', {
        media_type: 7,
        media_id: data.media_id,
        title: 'A',
        knowledge_base_id: base,
        file_info: { cos_key, file_size: 4, file_name: 'a.md' },
      }),
    ).toMatchObject({ code: 110001, data: {} });
    expect(await server().app.services.blobs.head(cos_key)).toBeUndefined();
  });

  test('[W34] bytes must be of the declared kind', async () => {
    const base = await kit.base();
    for (const [name, type, media_type, bytes] of [
      ['a.pdf', 'application/pdf', 1, Buffer.from('PK\x03\x04 not a pdf')],
      ['a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 3, oneLinePdf('x')],
      ['a.png', 'image/png', 9, Buffer.from('<svg onload="x">')],
      ['a.mp3', 'audio/mpeg', 15, Buffer.from('not a sound')],
      ['a.xmind', 'application/zip', 14, Buffer.from('not a zip')],
      ['a.txt', 'text/plain', 13, oneLinePdf('x')],
    ] as const) {
      const { media_id, ...file } = await makeUpload(server(), base, { name, type, bytes });
      const answer = await call('add_knowledge', {
        media_type,
        media_id,
        title: name,
        knowledge_base_id: base,
        file_info: { ...file, file_name: name },
      });
      expect([name, answer.code, answer.msg]).toEqual([name, 110001, expect.stringContaining('media_type')]);
    }
    expect((await kit.list(base)).knowledge_list).toEqual([]);
  });

  test('[W35] the type must be one the file was declared as', async () => {
    const base = await kit.base();
    const { media_id, ...file } = await makeUpload(server(), base);
    const input = { media_id, title: 'A', knowledge_base_id: base, file_info: { ...file, file_name: 'a.md' } };
    expect(await call('add_knowledge', { ...input, media_type: 1 })).toMatchObject({
      code: 110001,
      msg: expect.stringContaining('media_type'),
    });
    expect(await call('add_knowledge', { ...input, media_type: 16 })).toMatchObject({
      code: 110001,
      msg: expect.stringContaining('video'),
    });
    expect(await call('add_knowledge', { ...input, media_type: 8 })).toMatchObject({
      code: 110001,
      msg: expect.stringContaining('media_type'),
    });
    expect(await call('add_knowledge', { ...input, media_type: '7' })).toMatchObject({ code: 0 });
  });

  test('[W36] a note of the caller: members of the base see its title and read its text', async () => {
    const base = await kit.base();
    const id = await note();
    const { media_id } = await kit.done('add_knowledge', {
      media_type: 11,
      title: 'Whale',
      knowledge_base_id: base,
      note_info: { content_id: id },
    });
    const viewer = await server().newUser();
    await kit.member(base, viewer, 'viewer');
    await kit.ready(media_id);
    expect((await kit.list(base, {}, viewer)).knowledge_list).toMatchObject([
      { media_id, title: 'Whale', media_type: 11, state: 'ready' },
    ]);
    expect((await kit.done('get_knowledge_content', { media_id }, viewer)).content).toContain('leviathan of the deep');
    await server().app.services.searchFeed.waitUntilDrained();
    expect(
      (await kit.done('search_knowledge', { query: 'leviathan', cursor: '', knowledge_base_id: base }, viewer))
        .info_list,
    ).toMatchObject([{ media_id }]);
    expect(
      await server().call('http', 'note', 'get_doc_content', { note_id: id, target_content_format: 0 }, viewer),
    ).toMatchObject({ code: 210011 });
    await server().call('http', 'note', 'append_doc', { note_id: id, content_format: 1, content: 'Ahab follows.' });
    await server().app.services.searchFeed.waitUntilDrained();
    expect(
      (await kit.done('search_knowledge', { query: 'ahab', cursor: '', knowledge_base_id: base }, viewer)).info_list,
    ).toMatchObject([{ media_id }]);
  });

  test("[W37] somebody else's note is as unknown as none", async () => {
    const base = await kit.base();
    const other = await server().newUser();
    const id = await note(other);
    expect(
      await call('add_knowledge', {
        media_type: 11,
        title: 'N',
        knowledge_base_id: base,
        note_info: { content_id: id },
      }),
    ).toEqual({
      code: 110030,
      msg: `note_info.content_id: there is no note "${id}" that you may see`,
      data: {},
    });
    expect(await call('add_knowledge', { media_type: 11, title: 'N', knowledge_base_id: base })).toMatchObject({
      code: 110001,
      msg: expect.stringContaining('note_info'),
    });
  });

  test('[W38] a saved AI session of the caller is read as text', async () => {
    const base = await kit.base();
    const { session_id } = await kit.done('create_session', {
      title: 'Rome',
      messages: [
        { role: 'user', content: 'Three days?' },
        { role: 'assistant', content: 'Begin at the Colosseum.' },
      ],
    });
    const { media_id } = await kit.done('add_knowledge', {
      media_type: 12,
      title: 'Rome',
      knowledge_base_id: base,
      session_info: { content_id: session_id },
    });
    expect((await kit.done('get_knowledge_content', { media_id })).content).toBe(
      'user: Three days?\n\nassistant: Begin at the Colosseum.',
    );
    await server().app.services.searchFeed.waitUntilDrained();
    expect(
      (await kit.done('search_knowledge', { query: 'colosseum', cursor: '', knowledge_base_id: base })).info_list,
    ).toMatchObject([{ media_id }]);
    expect(await call('get_media_info', { media_id })).toEqual({ code: 0, msg: 'success', data: { media_type: 12 } });
  });

  test('[W39] duplicate_name_strategy: both by default, replace, reject', async () => {
    const base = await kit.base();
    const first = await kit.file(base, 'same.md', 'one');
    const second = await kit.file(base, 'same.md', 'two');
    expect((await kit.list(base)).knowledge_list.map((entry: { media_id: string }) => entry.media_id)).toEqual([
      second,
      first,
    ]);
    const again = { knowledge_base_id: base, file_name: 'same.md', content: Buffer.from('three').toString('base64') };
    expect(await call('upload_knowledge', { ...again, duplicate_name_strategy: 'reject' })).toMatchObject({
      code: 110001,
      data: {},
      msg: expect.stringContaining('same.md'),
    });
    const third = (await kit.done('upload_knowledge', { ...again, duplicate_name_strategy: 'replace' })).media_id;
    expect((await kit.list(base)).knowledge_list.map((entry: { media_id: string }) => entry.media_id)).toEqual([third]);
    await kit.done('restore_knowledge', { knowledge_base_id: base, media_ids: [first] });
    expect((await kit.list(base)).current_path[0].file_number).toBe(2);
  });

  test('[W4][T19][T46] hostile titles come back as they were sent', async () => {
    const base = await kit.base();
    const hostile = [
      '../../etc/x',
      '\u202eevil',
      '__proto__',
      'constructor',
      '<script>alert(1)</script>',
      '😀',
      'half\ud800',
      '\\u0041',
      '"quoted"\\',
      'é',
      "'; DROP TABLE wiki_item; --",
    ];
    for (const title of hostile) await kit.file(base, 'x.md', 'x', { title });
    expect(titles((await kit.list(base)).knowledge_list)).toEqual(hostile.toReversed());
    const names = await kit.done('check_repeated_names', {
      params: hostile.map((name) => ({ name, media_type: 7 })),
      knowledge_base_id: base,
    });
    expect(names.results).toEqual(hostile.map((name) => ({ name, is_repeated: true })));
  });

  test('[W40] web pages: types 2 and 6 by their address; video pages, other schemes and bad addresses refused', async () => {
    const base = await kit.base();
    const add = (media_type: number, url: string) =>
      call('add_knowledge', { media_type, title: 'Page', knowledge_base_id: base, web_info: { content_id: url } });
    for (const [type, url] of [
      [2, 'https://www.bilibili.com/video/x'],
      [2, 'file:///etc/passwd'],
      [2, 'javascript:alert(1)'],
      [2, 'nonsense'],
      [2, 'http://user:pass@example.com/'],
      [6, 'https://example.com/s/x'],
    ] as const) {
      expect([url, await add(type, url)]).toMatchObject([
        url,
        { code: 110001, data: {}, msg: expect.stringContaining('web_info.content_id') },
      ]);
    }
    expect(await call('add_knowledge', { media_type: 2, title: 'Page', knowledge_base_id: base })).toMatchObject({
      code: 110001,
      msg: expect.stringContaining('web_info'),
    });
    const article = await add(2, 'https://mp.weixin.qq.com/s/abc');
    const page = await add(2, 'https://example.com/post');
    expect((await call('get_media_info', { media_id: article.data.media_id })).data).toEqual({
      media_type: 6,
      url_info: { url: 'https://mp.weixin.qq.com/s/abc', headers: {} },
    });
    expect((await call('get_media_info', { media_id: page.data.media_id })).data).toEqual({
      media_type: 2,
      url_info: { url: 'https://example.com/post', headers: {} },
    });
  });
});
