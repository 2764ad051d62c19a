import { expect, onTestFinished, test, vi } from 'vitest';
import { onWiki, titles, wikiKit } from './support.ts';

onWiki('folders, move, copy, delete, restore', (call, server) => {
  const kit = wikiKit(call);
  const counts = async (base: string, folder_id?: string) => {
    const { file_number, folder_number } = (await kit.list(base, { folder_id })).current_path.at(-1);
    return [file_number, folder_number];
  };
  const total = async (base: string) =>
    (await kit.done('get_knowledge_base', { ids: [base] })).infos[base].content_count;

  test('[W110] folders nest, up to 32 deep; the same name twice in one place is refused', async () => {
    const base = await kit.base();
    let parent = base;
    for (let i = 0; i < 32; i++) parent = await kit.folder(base, 'Deeper', parent);
    expect(
      await call('create_folder', { knowledge_base_id: base, name: 'Too deep', parent_folder_id: parent }),
    ).toMatchObject({ code: 110001, msg: expect.stringContaining('32') });
    expect(await call('create_folder', { knowledge_base_id: base, name: 'Deeper' })).toMatchObject({
      code: 110001,
      msg: expect.stringContaining('Deeper'),
    });
    expect((await kit.list(base, { folder_id: parent })).current_path).toHaveLength(33);
  });

  test('[W111] items and folders are renamed', async () => {
    const base = await kit.base();
    const folder = await kit.folder(base, 'Old');
    const taken = await kit.folder(base, 'Taken');
    const item = await kit.file(base, 'old.md', 'x');
    await kit.done('rename_knowledge', { media_id: folder, title: 'New' });
    await kit.done('rename_knowledge', { media_id: item, title: 'new.md' });
    expect(titles((await kit.list(base)).knowledge_list)).toEqual(['Taken', 'New', 'new.md']);
    expect(await call('rename_knowledge', { media_id: taken, title: 'New' })).toMatchObject({ code: 110001 });
  });

  test('[W112] moves items and folders; counts follow; a folder cannot go into itself', async () => {
    const base = await kit.base();
    const outer = await kit.folder(base, 'Outer');
    const inner = await kit.folder(base, 'Inner', outer);
    const target = await kit.folder(base, 'Target');
    const item = await kit.file(base, 'a.md', 'x', { folder_id: inner });
    const loose = await kit.file(base, 'b.md', 'x');
    expect(
      await kit.done('move_knowledge', {
        knowledge_base_id: base,
        media_ids: [outer, loose],
        target_folder_id: target,
      }),
    ).toEqual({ moved: 2 });
    expect([
      await counts(base),
      await counts(base, target),
      await counts(base, outer),
      await counts(base, inner),
    ]).toEqual([
      [0, 1],
      [1, 1],
      [0, 1],
      [1, 0],
    ]);
    for (const into of [outer, inner])
      expect(
        await call('move_knowledge', { knowledge_base_id: base, media_ids: [outer], target_folder_id: into }),
      ).toMatchObject({ code: 110001, msg: expect.stringContaining('target_folder_id') });
    expect(
      await call('move_knowledge', {
        knowledge_base_id: base,
        media_ids: [loose, 'media_none'],
        target_folder_id: inner,
      }),
    ).toMatchObject({ code: 110030 });
    expect(await counts(base, target)).toEqual([1, 1]);
    expect((await kit.list(base, { folder_id: inner })).knowledge_list[0].media_id).toBe(item);
  });

  test('[W113] moves a tree to another base', async () => {
    const from = await kit.base('From');
    const to = await kit.base('To');
    const folder = await kit.folder(from, 'Tree');
    const item = await kit.file(from, 'leaf.md', 'x', { folder_id: folder });
    await kit.done('move_knowledge', { knowledge_base_id: from, media_ids: [folder], target_knowledge_base_id: to });
    expect([await total(from), await total(to), await counts(from), await counts(to)]).toEqual([0, 1, [0, 0], [0, 1]]);
    expect((await kit.list(to, { folder_id: folder })).knowledge_list[0].media_id).toBe(item);
    await kit.file(to, 'later.md', 'x', { folder_id: folder });
    expect(titles((await kit.list(to, { folder_id: folder })).knowledge_list)).toEqual(['later.md', 'leaf.md']);
    expect(
      await call('get_knowledge_list', { cursor: '', limit: 1, knowledge_base_id: from, folder_id: folder }),
    ).toMatchObject({ code: 110030 });
  });

  test('moves a folder and what is in it, named together, to another base', async () => {
    const from = await kit.base('From');
    const to = await kit.base('To');
    const outer = await kit.folder(from, 'Outer');
    const inner = await kit.folder(from, 'Inner', outer);
    const first = await kit.file(from, 'a.md', 'x', { folder_id: outer });
    const second = await kit.file(from, 'b.md', 'x', { folder_id: inner });
    expect(
      await kit.done('move_knowledge', {
        knowledge_base_id: from,
        media_ids: [outer, first, inner, second],
        target_knowledge_base_id: to,
      }),
    ).toEqual({ moved: 4 });
    expect([await total(from), await total(to)]).toEqual([0, 2]);
    expect([await counts(from), await counts(to), await counts(to, outer), await counts(to, inner)]).toEqual([
      [0, 0],
      [2, 2],
      [0, 0],
      [0, 0],
    ]);
    expect(titles((await kit.list(to)).knowledge_list)).toEqual(['Inner', 'Outer', 'b.md', 'a.md']);
  });

  test('[W114] copies a tree with texts and tags; the originals stay', async () => {
    const from = await kit.base('From');
    const to = await kit.base('To');
    const folder = await kit.folder(from, 'Tree');
    const item = await kit.file(from, 'leaf.md', '# Leaf\n\nchlorophyll', { folder_id: folder });
    await kit.done('add_tag', { media_id: item, tags: ['green'] });
    await kit.ready(item);
    const { media_ids } = await kit.done('copy_knowledge', {
      knowledge_base_id: from,
      media_ids: [folder],
      target_knowledge_base_id: to,
    });
    const copied = (await kit.list(to, { folder_id: media_ids[folder] })).knowledge_list;
    expect(copied).toMatchObject([{ title: 'leaf.md', tags: ['green'] }]);
    await kit.ready(copied[0].media_id);
    expect((await kit.done('get_knowledge_content', { media_id: copied[0].media_id })).content).toContain(
      'chlorophyll',
    );
    expect([await total(from), await total(to)]).toEqual([1, 1]);
    const inside = await kit.done('copy_knowledge', {
      knowledge_base_id: from,
      media_ids: [folder],
      target_folder_id: folder,
    });
    expect(titles((await kit.list(from, { folder_id: inside.media_ids[folder] })).knowledge_list)).toEqual(['leaf.md']);
  });

  test('a copy is recorded and told with its own id; a move is told in both bases', async () => {
    const [from, to] = [await kit.base('From'), await kit.base('To')];
    const item = await kit.file(from, 'a.md', 'x');
    await kit.ready(item);
    const told: { base: string; operation: string; target: string }[] = [];
    for (const base of [from, to])
      onTestFinished(
        server().app.services.events.subscribe(`wiki:${base}`, (news) => {
          const { operation, target } = news as { operation: string; target: string };
          if (/(move|copy)_knowledge$/.test(operation)) told.push({ base, operation, target });
        }),
      );
    const between = { knowledge_base_id: from, media_ids: [item], target_knowledge_base_id: to };
    const copy = (await kit.done('copy_knowledge', between)).media_ids[item];
    const audited = await server().app.database.all(
      "SELECT target FROM audit WHERE operation = 'wiki.copy_knowledge' AND target IN (?, ?)",
      item,
      copy,
    );
    expect(audited).toEqual([{ target: copy }]);
    await kit.done('move_knowledge', between);
    await vi.waitFor(() => expect(told).toHaveLength(3));
    expect(told).toEqual(
      expect.arrayContaining([
        { base: to, operation: 'wiki.copy_knowledge', target: copy },
        { base: to, operation: 'wiki.move_knowledge', target: item },
        { base: from, operation: 'wiki.move_knowledge', target: item },
      ]),
    );
  });

  test("[W115] somebody else's note goes to no other base", async () => {
    const base = await kit.base();
    const editor = await server().newUser();
    await kit.member(base, editor, 'editor');
    const { data } = await server().call('http', 'note', 'import_doc', {
      content_format: 1,
      content: 'private thoughts',
    });
    const { media_id } = await kit.done('add_knowledge', {
      media_type: 11,
      title: 'N',
      knowledge_base_id: base,
      note_info: { content_id: data.note_id },
    });
    const own = await kit.base('Own', editor);
    for (const operation of ['move_knowledge', 'copy_knowledge']) {
      expect(
        await call(
          operation,
          { knowledge_base_id: base, media_ids: [media_id], target_knowledge_base_id: own },
          editor,
        ),
      ).toMatchObject({ code: 110030, data: {} });
    }
    expect((await kit.list(own, {}, editor)).knowledge_list).toEqual([]);
  });

  test('[W116] deletes a folder with all that is in it, and brings it back', async () => {
    const base = await kit.base();
    const folder = await kit.folder(base, 'F');
    const inner = await kit.folder(base, 'Inner', folder);
    const first = await kit.file(base, 'a.md', 'x', { folder_id: folder });
    const second = await kit.file(base, 'b.md', 'x', { folder_id: inner });
    expect(await kit.done('delete_knowledge', { knowledge_base_id: base, media_ids: [folder, first] })).toEqual({
      deleted: 4,
    });
    expect([await counts(base), await total(base), (await kit.list(base)).knowledge_list]).toEqual([[0, 0], 0, []]);
    expect(await call('get_media_info', { media_id: second })).toMatchObject({ code: 110030 });
    expect(await kit.done('restore_knowledge', { knowledge_base_id: base, media_ids: [folder] })).toEqual({
      restored: 4,
    });
    expect([await counts(base), await counts(base, folder), await counts(base, inner), await total(base)]).toEqual([
      [0, 1],
      [1, 1],
      [1, 0],
      2,
    ]);
    await kit.ready(first, second);
  });

  test('[W117] what is restored out of a deleted folder comes to the root', async () => {
    const base = await kit.base();
    const folder = await kit.folder(base, 'F');
    const item = await kit.file(base, 'a.md', 'x', { folder_id: folder });
    await kit.done('delete_knowledge', { knowledge_base_id: base, media_ids: [folder] });
    await kit.done('restore_knowledge', { knowledge_base_id: base, media_ids: [item] });
    expect((await kit.list(base)).knowledge_list).toMatchObject([{ media_id: item, parent_folder_id: base }]);
    await kit.done('restore_knowledge', { knowledge_base_id: base, media_ids: [folder] });
    expect([await counts(base), await counts(base, folder), await total(base)]).toEqual([[1, 1], [0, 0], 1]);
    expect(await call('restore_knowledge', { knowledge_base_id: base, media_ids: [item] })).toMatchObject({
      code: 110030,
    });
  });

  test('what was deleted one by one comes back to its place, in whatever order it is named', async () => {
    const base = await kit.base();
    const outer = await kit.folder(base, 'Outer');
    const inner = await kit.folder(base, 'Inner', outer);
    const item = await kit.file(base, 'a.md', 'x', { folder_id: inner });
    const ids = [item, inner, outer];
    for (const id of ids) await kit.done('delete_knowledge', { knowledge_base_id: base, media_ids: [id] });
    expect(await kit.done('restore_knowledge', { knowledge_base_id: base, media_ids: ids })).toEqual({ restored: 3 });
    expect([await counts(base), await counts(base, outer), await counts(base, inner), await total(base)]).toEqual([
      [0, 1],
      [0, 1],
      [1, 0],
      1,
    ]);
  });

  test('[W118][T71] after 30 days what was deleted is forgotten, bytes and quota included; copies keep theirs', async () => {
    const { wiki, blobs } = server().app.services;
    const user = await server().newUser();
    const base = await kit.base('Trash', user);
    const kept = await kit.file(base, 'kept.md', '12345', {}, user);
    const { media_ids } = await kit.done('copy_knowledge', { knowledge_base_id: base, media_ids: [kept] }, user);
    const gone = await kit.file(base, 'gone.md', '123', {}, user);
    const [keptKey, goneKey] = (await wiki.items.items([kept, gone])).map((item) => item.blobKey) as [string, string];
    await kit.done('delete_knowledge', { knowledge_base_id: base, media_ids: [kept, gone] }, user);
    expect((await wiki.uploads.storage(user.userId, 0)).used).toBe(13);
    const { collectWikiGarbage } = await import('../../../src/modules/wiki/garbage-collection.ts');
    const days = (count: number) => ({ now: () => Date.now() + count * 24 * 60 * 60 * 1000 });
    await collectWikiGarbage({ wiki, blobs, clock: days(29) });
    expect(await wiki.items.item(gone)).toBeDefined();
    await collectWikiGarbage({ wiki, blobs, clock: days(31) });
    expect([
      await wiki.items.item(gone),
      await blobs.head(goneKey),
      (await wiki.uploads.storage(user.userId, 0)).used,
    ]).toEqual([undefined, undefined, 5]);
    expect((await blobs.head(keptKey))?.size).toBe(5);
    expect(await call('restore_knowledge', { knowledge_base_id: base, media_ids: [gone] }, user)).toMatchObject({
      code: 110030,
    });
    expect(await call('get_media_info', { media_id: media_ids[kept] }, user)).toMatchObject({
      code: 0,
      data: { url_info: {} },
    });
  });

  test('[W121] lists the trash, the latest first, page by page; what went along with a folder is not listed', async () => {
    const base = await kit.base();
    const folder = await kit.folder(base, 'F');
    await kit.file(base, 'inside.md', 'x', { folder_id: folder });
    const first = await kit.file(base, 'first.md', 'x');
    const second = await kit.file(base, 'second.md', 'x');
    const kept = await kit.file(base, 'kept.md', 'x');
    expect(await kit.done('list_deleted', { knowledge_base_id: base, cursor: '', limit: 10 })).toEqual({
      knowledge_list: [],
      is_end: true,
      next_cursor: '',
    });
    for (const id of [first, folder, second])
      await kit.done('delete_knowledge', { knowledge_base_id: base, media_ids: [id] });
    const seen: string[] = [];
    for (let cursor = '', pages = 0; pages < 10; pages++) {
      const page = await kit.done('list_deleted', { knowledge_base_id: base, cursor, limit: 1 });
      for (const entry of page.knowledge_list) {
        seen.push(entry.title);
        expect(entry.expire_time - entry.delete_time).toBe(2_592_000_000);
      }
      cursor = page.next_cursor;
      if (page.is_end) break;
    }
    expect(seen).toEqual(['second.md', 'F', 'first.md']);
    const { knowledge_list } = await kit.done('list_deleted', { knowledge_base_id: base, cursor: '', limit: 10 });
    expect(knowledge_list).toMatchObject([
      { media_id: second, media_type: 7 },
      { folder_id: folder, media_type: 99 },
      { media_id: first, media_type: 7 },
    ]);
    await kit.done('restore_knowledge', { knowledge_base_id: base, media_ids: [folder, second] });
    expect(
      titles((await kit.done('list_deleted', { knowledge_base_id: base, cursor: '', limit: 10 })).knowledge_list),
    ).toEqual(['first.md']);
    expect((await kit.list(base)).knowledge_list.map((entry: { media_id?: string }) => entry.media_id)).toContain(kept);
    expect(await call('list_deleted', { knowledge_base_id: base, cursor: 'x', limit: 10 })).toMatchObject({
      code: 110001,
      data: {},
    });
  });

  test('[W122] who may not change a base does not see its trash', async () => {
    const base = await kit.base();
    const viewer = await server().newUser();
    await kit.member(base, viewer, 'viewer');
    expect(await call('list_deleted', { knowledge_base_id: base, cursor: '', limit: 10 }, viewer)).toMatchObject({
      code: 110030,
      data: {},
    });
  });

  test('[W119] pins only folders of the base', async () => {
    const base = await kit.base();
    const item = await kit.file(base, 'a.md', 'x');
    expect(await call('set_knowledge_top', { knowledge_base_id: base, folder_id: item, is_top: true })).toMatchObject({
      code: 110030,
    });
  });
});
