import { expect, test } from 'vitest';
import { onSurface } from '@sheaf/tools/testing/test-server.ts';
import { addNotebook, importNote } from './support.ts';

onSurface('note', 'list_notebook', (call, server) => {
  test('[N40] the two roots come first, with every field', async () => {
    const user = await server().newUser();
    const folder = await addNotebook(call, 'Work', {}, user);
    const inner = await addNotebook(call, 'Inner', { parent_folder_id: folder }, user);
    await importNote(call, 'x', { folder_id: inner }, user);
    const { data } = await call('list_notebook', { cursor: '0', limit: 20 }, user);
    const root = `user_list_${user.userId}`;
    const times = { create_time: expect.any(Number), modify_time: expect.any(Number) };
    expect(data).toEqual({
      note_folder_infos: [
        { folder_id: root, name: 'All notes', ...times, note_number: 1, parent_folder_id: '', folder_type: 1 },
        {
          folder_id: `user_uncategorized_${user.userId}`,
          name: 'Uncategorized',
          ...times,
          note_number: 0,
          parent_folder_id: root,
          folder_type: 2,
        },
        { folder_id: folder, name: 'Work', ...times, note_number: 0, parent_folder_id: root, folder_type: 0 },
        { folder_id: inner, name: 'Inner', ...times, note_number: 1, parent_folder_id: folder, folder_type: 0 },
      ],
      next_cursor: '',
      is_end: true,
      next_version: expect.stringMatching(/^\d+$/),
      need_update: true,
    });
  });

  test('[N41] pages of any size give each notebook once; "" and "0" begin; a tampered cursor is 210001', async () => {
    const user = await server().newUser();
    const names = ['All notes', 'Uncategorized'];
    for (let i = 0; i < 5; i++) {
      await addNotebook(call, `b${i}`, {}, user);
      names.push(`b${i}`);
    }
    for (const limit of [1, 2, 3, 7, 20]) {
      const seen: string[] = [];
      let cursor = '0';
      for (let page = 0; page < 20; page++) {
        const { data } = await call('list_notebook', { cursor, limit }, user);
        seen.push(...data.note_folder_infos.map((info: { name: string }) => info.name));
        if (data.is_end) break;
        cursor = data.next_cursor;
      }
      expect(seen).toEqual(names);
    }
    expect((await call('list_notebook', { cursor: '', limit: 1 }, user)).data.note_folder_infos[0].name).toBe(
      'All notes',
    );
    expect(await call('list_notebook', { cursor: 'abc', limit: 1 }, user)).toMatchObject({ code: 210001 });
    expect(await call('list_notebook', { cursor: '5', limit: 1 }, user)).toMatchObject({ code: 210001 });
  });

  test('[N42] need_update is true exactly when the list changed', async () => {
    const user = await server().newUser();
    const state = async (version?: string) =>
      (await call('list_notebook', { cursor: '0', limit: 20, version }, user)).data;
    let version = (await state()).next_version as string;
    const changed = async (what: string, expected: boolean) => {
      const shown = await state(version);
      expect(shown.need_update, what).toBe(expected);
      if (expected) expect(Number(shown.next_version)).toBeGreaterThan(Number(version));
      else
        expect(shown).toEqual({
          note_folder_infos: [],
          next_cursor: '',
          is_end: true,
          next_version: version,
          need_update: false,
        });
      version = shown.next_version;
    };
    await changed('nothing', false);
    const folder = await addNotebook(call, 'One', {}, user);
    await changed('add_notebook', true);
    const id = await importNote(call, 'x', {}, user);
    await changed('import_doc', true);
    await call('append_doc', { note_id: id, content_format: 1, content: 'y' }, user);
    await call('rename_note', { note_id: id, title: 'T' }, user);
    await call('update_note', { note_id: id, content: 'z' }, user);
    await call('search_note', { start: 0, end: 1 }, user);
    await changed('append, rename, update, search', false);
    await call('move_notes', { note_ids: [id], folder_id: folder }, user);
    await changed('move_notes', true);
    await call('move_notes', { note_ids: [id], folder_id: folder }, user);
    await changed('move_notes to the same place', false);
    await call('rename_notebook', { folder_id: folder, name: 'Two' }, user);
    await changed('rename_notebook', true);
    await call('rename_notebook', { folder_id: folder, name: 'Two' }, user);
    await changed('rename_notebook to the same name', false);
    await call('delete_note', { note_id: id }, user);
    await changed('delete_note', true);
    await call('restore_note', { note_id: id }, user);
    await changed('restore_note', true);
    await call('add_notebook', { name: 'Two' }, user);
    await call('import_doc', { content_format: 1, content: '' }, user);
    await changed('refused calls', false);
    await call('delete_notebook', { folder_id: folder }, user);
    await changed('delete_notebook', true);
    await importNote(call, "somebody else's");
    await changed("another user's note", false);
    expect((await state('not a version')).need_update).toBe(true);
    const later = (
      await call(
        'list_notebook',
        { cursor: (await call('list_notebook', { cursor: '0', limit: 1 }, user)).data.next_cursor, limit: 20, version },
        user,
      )
    ).data;
    expect([later.note_folder_infos.length, later.need_update]).toEqual([1, false]);
  });
});
