import { expect, test } from 'vitest';
import { onWiki, titles, wikiKit } from './support.ts';

onWiki('get_knowledge_list', (call, server) => {
  const kit = wikiKit(call);

  test('[W20] pinned folders, folders, then items, the newest first', async () => {
    const base = await kit.base('Lists');
    await kit.file(base, 'first.md', '# One');
    const pinned = await kit.folder(base, 'Pinned');
    await kit.folder(base, 'Plain');
    await kit.file(base, 'second.md', '# Two');
    await kit.folder(base, 'Later');
    await kit.done('set_knowledge_top', { knowledge_base_id: base, folder_id: pinned, is_top: true });
    const { knowledge_list, is_end, next_cursor } = await kit.list(base);
    expect(titles(knowledge_list)).toEqual(['Pinned', 'Later', 'Plain', 'second.md', 'first.md']);
    expect([is_end, next_cursor]).toEqual([true, '']);
  });

  test('[W21] [finding C3] folders carry FolderInfo, again as folder_info, type 99 and no media_id; items their fields', async () => {
    const base = await kit.base('Fields');
    const folder = await kit.folder(base, 'Box');
    await kit.file(base, 'in.md', 'x', { folder_id: folder });
    await kit.folder(base, 'Inner', folder);
    const item = await kit.file(base, 'note.md', 'hello');
    const { knowledge_list } = await kit.list(base);
    const info = {
      folder_id: folder,
      name: 'Box',
      file_number: 1,
      folder_number: 1,
      parent_folder_id: base,
      is_top: false,
    };
    expect(knowledge_list[0]).toEqual({
      ...info,
      folder_info: info,
      title: 'Box',
      media_type: 99,
      create_time: expect.any(Number),
      update_time: expect.any(Number),
    });
    expect(knowledge_list[1]).toMatchObject({
      media_id: item,
      title: 'note.md',
      parent_folder_id: base,
      media_type: 7,
      file_size: 5,
      tags: [],
      state: expect.stringMatching(/queued|parsing|ready/),
    });
    expect(knowledge_list[1]).not.toHaveProperty('folder_info');
  });

  test('[W22] current_path starts with the root', async () => {
    const base = await kit.base('Paths');
    const outer = await kit.folder(base, 'Outer');
    const inner = await kit.folder(base, 'Inner', outer);
    const { current_path } = await kit.list(base, { folder_id: inner });
    expect(
      current_path.map((step: { folder_id: string; name: string; parent_folder_id: string }) => [
        step.folder_id,
        step.name,
        step.parent_folder_id,
      ]),
    ).toEqual([
      [base, 'Paths', ''],
      [outer, 'Outer', base],
      [inner, 'Inner', outer],
    ]);
    expect(current_path[0]).toMatchObject({ file_number: 0, folder_number: 1, is_top: false });
  });

  test("[W23] omitted, empty and the base's id mean the root", async () => {
    const base = await kit.base('Roots');
    await kit.file(base, 'a.md', 'a');
    for (const folder_id of [undefined, '', base])
      expect(titles((await kit.list(base, { folder_id })).knowledge_list)).toEqual(['a.md']);
  });

  test('[W24][T77] pages neither repeat nor skip, whatever comes and goes between them', async () => {
    const base = await kit.base('Pages');
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) ids.push(await kit.file(base, `${i}.md`, `text ${i}`));
    for (let i = 0; i < 3; i++) await kit.folder(base, `F${i}`);
    const seen: string[] = [];
    let cursor = '';
    for (let round = 0; round < 20; round++) {
      const page = await kit.list(base, { cursor, limit: 2 });
      seen.push(...titles(page.knowledge_list));
      if (page.is_end) break;
      cursor = page.next_cursor;
      if (round === 1) await kit.folder(base, 'New folder');
      if (round === 2) await kit.file(base, 'new.md', 'new');
      if (round === 3) await kit.done('delete_knowledge', { knowledge_base_id: base, media_ids: [ids[5]] });
    }
    expect(seen).toEqual(['F2', 'F1', 'F0', '6.md', '5.md', '4.md', '3.md', '2.md', '1.md', '0.md']);
  });

  test('[W25] a cursor that was changed, or is of another folder, is refused', async () => {
    const base = await kit.base('Cursors');
    const folder = await kit.folder(base, 'F');
    for (let i = 0; i < 3; i++) await kit.file(base, `${i}.md`, 'x');
    const { next_cursor } = await kit.list(base, { limit: 1 });
    const changed = `${next_cursor[0] === 'W' ? 'X' : 'W'}${next_cursor.slice(1)}`;
    for (const [cursor, folder_id] of [
      ['nonsense', base],
      [changed, base],
      [next_cursor, folder],
    ]) {
      expect(await call('get_knowledge_list', { cursor, limit: 1, knowledge_base_id: base, folder_id })).toMatchObject({
        code: 110001,
        data: {},
        msg: expect.stringContaining('cursor'),
      });
    }
    expect(titles((await kit.list(base, { cursor: '0', limit: 1 })).knowledge_list)).toEqual(['F']);
  });

  test('[W26] a foreign base and one that never was give the same answer', async () => {
    const other = await server().newUser();
    const base = await kit.base('Mine');
    const foreign = await call('get_knowledge_list', { cursor: '', limit: 1, knowledge_base_id: base }, other);
    expect(foreign).toEqual({
      code: 110030,
      msg: `knowledge_base_id: there is no knowledge base "${base}" that you may see`,
      data: {},
    });
    const none = await call('get_knowledge_list', { cursor: '', limit: 1, knowledge_base_id: 'kb_nothing' }, other);
    expect(none).toEqual({
      code: 110030,
      msg: 'knowledge_base_id: there is no knowledge base "kb_nothing" that you may see',
      data: {},
    });
  });
});
