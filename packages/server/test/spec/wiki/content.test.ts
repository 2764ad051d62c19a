import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { newId } from '../../../src/lib/ids.ts';
import { onWiki, titles, wikiKit } from './support.ts';
import { makeUpload } from './things.ts';

onWiki('content, state, search_all, tags, export, sessions', (call, server) => {
  const kit = wikiKit(call);
  const indexed = () => server().app.services.searchFeed.waitUntilDrained();

  test('[W130] the text within a budget of tokens, part after part, without loss', async () => {
    const base = await kit.base();
    const text = Array.from({ length: 60 }, (_, i) => `第${i}行 line number ${i} of the text.`).join('\n');
    const media_id = await kit.file(base, 'long.txt', text);
    await kit.ready(media_id);
    let read = '';
    let cursor = '';
    for (let part = 0; part < 100; part++) {
      const answer = await kit.done('get_knowledge_content', { media_id, max_tokens: 50, cursor });
      expect(answer.tokens).toBeLessThanOrEqual(50);
      read += answer.content;
      if (answer.is_end) break;
      cursor = answer.next_cursor;
    }
    expect(read).toBe(text);
    expect(await kit.done('get_knowledge_content', { media_id })).toMatchObject({
      title: 'long.txt',
      state: 'ready',
      is_end: true,
      next_cursor: '',
    });
  });

  test('[W131] no text, and why', async () => {
    const base = await kit.base();
    const media_id = await kit.file(base, 'broken.pdf', '%PDF-1.4 broken');
    const { states, is_done } = await kit.done('get_knowledge_state', { media_ids: [media_id], wait_seconds: 30 });
    expect([states[0].state, is_done]).toEqual(['failed', true]);
    expect(states[0].reason).not.toBe('');
    expect(await call('get_knowledge_content', { media_id })).toMatchObject({
      code: 110001,
      msg: expect.stringContaining(states[0].reason),
    });
    expect((await kit.list(base)).knowledge_list[0]).toMatchObject({ state: 'failed', reason: states[0].reason });
  });

  test('[W140][W7] waiting ends when the client or the server does, with 110013', async () => {
    const { app, owner } = server();
    const base = await kit.base();
    const id = newId('media');
    const item = {
      id,
      baseId: base,
      folderId: base,
      userId: owner.userId,
      mediaType: 7,
      title: 'W',
      state: 'ready' as const,
      kind: null,
      fileName: '',
      contentType: '',
      fileSize: 0,
      blobKey: '',
      contentId: '',
      lastModifyTime: 0,
      sealedPassword: '',
    };
    await app.services.wiki.items.addItems(
      { at: 1, userId: owner.userId, keyId: '', operation: 'test', requestId: '' },
      [item],
      { quotaBytes: 1e9 },
    );
    await app.database.write(null, (tx) => tx.run("UPDATE wiki_item SET state = 'queued' WHERE id = ?", id));
    const gone = new AbortController();
    const entry = app.registry.get('wiki', 'get_knowledge_state')!;
    const caller = {
      userId: owner.userId,
      userName: 'owner',
      role: 'owner' as const,
      clientId: '',
      keyId: '',
      modules: ['*'],
      access: 'write' as const,
      via: 'local' as const,
    };
    const waiting = app.invoker.invoke(
      entry,
      { media_ids: [id], wait_seconds: 30 },
      { caller, requestId: 'r', signal: gone.signal },
    );
    gone.abort();
    expect(await waiting).toMatchObject({ code: 110013, data: {} });
    expect(await call('get_knowledge_content', { media_id: id })).toMatchObject({
      code: 110010,
      msg: expect.stringContaining('get_knowledge_state'),
    });
  });

  test('[W150] search_all finds items, folders and notes the caller may see, and nothing else', async () => {
    const user = await server().newUser();
    const other = await server().newUser();
    const word = newId('zebra').replace('_', '');
    const base = await kit.base('Mine', user);
    const folder = await kit.folder(base, `${word} folder`, undefined, user);
    const { data: note } = await server().call(
      'http',
      'note',
      'import_doc',
      { content_format: 1, content: `# My note\n\nabout ${word} herds` },
      user,
    );
    const { media_id } = await kit.done(
      'add_knowledge',
      { media_type: 11, title: 'Shared note', knowledge_base_id: base, note_info: { content_id: note.note_id } },
      user,
    );
    await indexed();
    const { info_list, totals, is_end } = await kit.done('search_all', { query: word }, user);
    expect(info_list.map((one: { kind: string; id: string }) => [one.kind, one.id]).toSorted()).toEqual(
      [
        ['folder', folder],
        ['knowledge', media_id],
        ['note', note.note_id],
      ].toSorted(),
    );
    expect([totals.wiki, totals.note, is_end]).toEqual([2, 1, true]);
    expect(info_list.find((one: { kind: string }) => one.kind === 'note').highlight_content).toContain(
      `<em>${word}</em>`,
    );
    expect(info_list.find((one: { kind: string }) => one.kind === 'folder')).toMatchObject({
      container_id: base,
      container_name: 'Mine',
    });
    expect((await kit.done('search_all', { query: word }, other)).info_list).toEqual([]);
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; page < 5; page++) {
      const answer = await kit.done('search_all', { query: word, limit: 1, cursor }, user);
      seen.push(...answer.info_list.map((one: { id: string }) => one.id));
      if (answer.is_end) break;
      cursor = answer.next_cursor;
    }
    expect(seen.toSorted()).toEqual([folder, media_id, note.note_id].toSorted());
  });

  test('[W160] tags are kept once, listed, searched, removed', async () => {
    const base = await kit.base();
    const media_id = await kit.file(base, 'a.md', 'x');
    await kit.ready(media_id);
    await kit.done('add_tag', { media_id, tags: ['draft', '重要', 'draft', '__proto__'] });
    expect((await kit.list(base)).knowledge_list[0].tags.toSorted()).toEqual(['__proto__', 'draft', '重要']);
    await indexed();
    expect(
      titles((await kit.done('search_knowledge', { query: '重要', cursor: '', knowledge_base_id: base })).info_list),
    ).toEqual(['a.md']);
    await kit.done('remove_tag', { media_id, tags: ['draft', '__proto__'] });
    expect((await kit.list(base)).knowledge_list[0].tags).toEqual(['重要']);
    expect(await call('add_tag', { media_id, tags: Array.from({ length: 50 }, (_, i) => `t${i}`) })).toMatchObject({
      code: 110001,
      msg: expect.stringContaining('50'),
    });
  });

  test('[W120] replace_knowledge keeps the item and reads the new bytes', async () => {
    const base = await kit.base();
    const media_id = await kit.file(base, 'a.md', 'the old bison');
    await kit.ready(media_id);
    const upload = await makeUpload(server(), base, { bytes: Buffer.from('the new caribou') });
    await kit.done('replace_knowledge', { media_id, new_media_id: upload.media_id });
    await kit.ready(media_id);
    expect((await kit.done('get_knowledge_content', { media_id })).content).toBe('the new caribou');
    await indexed();
    expect(
      (await kit.done('search_knowledge', { query: 'bison', cursor: '', knowledge_base_id: base })).info_list,
    ).toEqual([]);
    expect((await kit.list(base)).knowledge_list).toMatchObject([{ media_id, title: 'a.md', file_size: 15 }]);
  });

  test('[W180] a base as a zip archive: folders, files, hostile names inside it', async () => {
    const base = await kit.base('../My "base"');
    const folder = await kit.folder(base, '../outside');
    await kit.file(base, 'a.md', '# A');
    await kit.file(base, 'a.md', '# Second');
    await kit.file(base, 'c.txt', 'deep', { title: '../../etc/passwd', folder_id: folder });
    const { session_id } = await kit.done('create_session', {
      title: 'S',
      messages: [{ role: 'user', content: 'hi' }],
    });
    await kit.done('add_knowledge', {
      media_type: 12,
      title: 'Chat',
      knowledge_base_id: base,
      session_info: { content_id: session_id },
    });
    const { url, item_number } = await kit.done('export_knowledge_base', { knowledge_base_id: base });
    const response = await fetch(url);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([response.status, item_number]).toEqual([200, 4]);
    const files = Object.fromEntries(
      Object.entries(unzipSync(bytes)).map(([name, content]) => [name, strFromU8(content)]),
    );
    expect(Object.keys(files).toSorted()).toEqual(
      ['.._outside/.._.._etc_passwd.txt', 'Chat.md', 'a (2).md', 'a.md'].toSorted(),
    );
    expect(files['.._outside/.._.._etc_passwd.txt']).toBe('deep');
    expect([files['a.md'], files['a (2).md']].toSorted()).toEqual(['# A', '# Second']);
    expect(files['Chat.md']).toBe('user: hi');
  });

  test('[W190] upload_knowledge: base64 up to 8 MiB, any file, of the kind its name says', async () => {
    const base = await kit.base();
    const upload = (file_name: string, content: string, more: object = {}) =>
      call('upload_knowledge', { knowledge_base_id: base, file_name, content, ...more });
    expect(await upload('a.exe', 'eA==')).toMatchObject({
      code: 0,
      data: { media_type: 13, content_type: 'text/plain' },
    });
    expect(await upload('a.md', 'no base64!')).toMatchObject({ code: 110001, msg: expect.stringContaining('base64') });
    expect(await upload('a.pdf', 'eA==')).toMatchObject({ code: 110001, msg: expect.stringContaining('PDF') });
    expect(await upload('a.txt', Buffer.alloc(8 * 1048576 + 1, 'x').toString('base64'))).toMatchObject({
      code: 110001,
      msg: expect.stringContaining('8388608'),
    });
    expect(await upload('a.txt', Buffer.alloc(8 * 1048576, 'x').toString('base64'))).toMatchObject({ code: 0 });
    expect((await kit.list(base)).knowledge_list).toHaveLength(2);
  });

  test("[W200] sessions are the caller's own: made, added to, read page by page, deleted", async () => {
    const { session_id } = await kit.done('create_session', {
      title: '旅行',
      messages: [{ role: 'user', content: 'one' }],
    });
    await kit.done('append_session', {
      session_id,
      messages: [
        { role: 'assistant', content: 'two' },
        { role: 'user', content: 'th\ud800ree' },
      ],
    });
    const first = await kit.done('get_session', { session_id, limit: 2 });
    expect(first).toMatchObject({
      title: '旅行',
      message_number: 3,
      is_end: false,
      messages: [
        { role: 'user', content: 'one' },
        { role: 'assistant', content: 'two' },
      ],
    });
    expect((await kit.done('get_session', { session_id, limit: 2, cursor: first.next_cursor })).messages).toMatchObject(
      [{ content: 'th\ud800ree' }],
    );
    const base = await kit.base();
    const { media_id } = await kit.done('add_knowledge', {
      media_type: 12,
      title: 'T',
      knowledge_base_id: base,
      session_info: { content_id: session_id },
    });
    await kit.done('delete_session', { session_id });
    expect(await call('get_session', { session_id })).toMatchObject({ code: 110030 });
    expect(await call('get_knowledge_content', { media_id })).toMatchObject({ code: 110030 });
  });
});
