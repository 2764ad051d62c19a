import { expect, test } from 'vitest';
import { onWiki, wikiKit } from './support.ts';

onWiki('check_repeated_names', (call) => {
  const kit = wikiKit(call);

  test('[W70] compares with the titles of files in that folder, exactly after NFC', async () => {
    const base = await kit.base();
    const folder = await kit.folder(base, 'F');
    await kit.file(base, 'Caf\u00e9.md', 'x');
    await kit.file(base, 'inside.md', 'x', { folder_id: folder });
    const check = async (names: string[], folder_id?: string) =>
      (
        await kit.done('check_repeated_names', {
          params: names.map((name) => ({ name, media_type: 7 })),
          knowledge_base_id: base,
          folder_id,
        })
      ).results;
    expect(await check(['Cafe\u0301.md', 'Caf\u00e9.md', 'caf\u00e9.md', 'inside.md', 'F', ''])).toEqual([
      { name: 'Cafe\u0301.md', is_repeated: true },
      { name: 'Caf\u00e9.md', is_repeated: true },
      { name: 'caf\u00e9.md', is_repeated: false },
      { name: 'inside.md', is_repeated: false },
      { name: 'F', is_repeated: false },
      { name: '', is_repeated: false },
    ]);
    expect(await check(['inside.md'], folder)).toEqual([{ name: 'inside.md', is_repeated: true }]);
  });

  test('[W71] only types that are files; audio counts as one', async () => {
    const base = await kit.base();
    const check = (media_type: number) =>
      call('check_repeated_names', { params: [{ name: 'a', media_type }], knowledge_base_id: base });
    for (const type of [1, 3, 4, 5, 7, 9, 13, 14, 15, 20]) expect([type, (await check(type)).code]).toEqual([type, 0]);
    for (const type of [0, 2, 6, 8, 11, 12, 16, 99]) expect([type, (await check(type)).code]).toEqual([type, 110001]);
  });

  test('[W72] deleted items and notes do not count', async () => {
    const base = await kit.base();
    const id = await kit.file(base, 'a.md', 'x');
    await kit.done('delete_knowledge', { knowledge_base_id: base, media_ids: [id] });
    const { session_id } = await kit.done('create_session', { title: 'b.md' });
    await kit.done('add_knowledge', {
      media_type: 12,
      title: 'b.md',
      knowledge_base_id: base,
      session_info: { content_id: session_id },
    });
    const params = ['a.md', 'b.md'].map((name) => ({ name, media_type: 7 }));
    expect(
      (await kit.done('check_repeated_names', { params, knowledge_base_id: base })).results.map(
        (one: { is_repeated: boolean }) => one.is_repeated,
      ),
    ).toEqual([false, false]);
  });

  test('[W73] 2,000 names in one call', async () => {
    const base = await kit.base();
    await kit.file(base, 'name 1234.md', 'x');
    const params = Array.from({ length: 2000 }, (_, i) => ({ name: `name ${i}.md`, media_type: 7 }));
    const { results } = await kit.done('check_repeated_names', { params, knowledge_base_id: base });
    expect(results.length).toBe(2000);
    expect(results.filter((one: { is_repeated: boolean }) => one.is_repeated)).toEqual([
      { name: 'name 1234.md', is_repeated: true },
    ]);
    expect(
      await call('check_repeated_names', { params: [...params, params[0]], knowledge_base_id: base }),
    ).toMatchObject({ code: 110001, msg: expect.stringContaining('params') });
  });
});
