import { unzipSync, strFromU8 } from 'fflate';
import { expect, test } from 'vitest';
import { onSurface, type Key } from '@sheaf/tools/testing/test-server.ts';
import { addNotebook, importNote, infoOf, titles } from './support.ts';

onSurface('note', 'notebooks', (call, server) => {
  const names = async (user: Key) =>
    (await call('list_notebook', { cursor: '0', limit: 20 }, user)).data.note_folder_infos
      .slice(2)
      .map((info: any) => [info.name, info.note_number]);

  test('[N77] add_notebook: nested, unique within one place', async () => {
    const user = await server().newUser();
    const made = await call('add_notebook', { name: ' Work ' }, user);
    expect(made.data.folder).toMatchObject({
      name: 'Work',
      note_number: 0,
      folder_type: 0,
      parent_folder_id: `user_list_${user.userId}`,
    });
    const inner = await addNotebook(call, 'Work', { parent_folder_id: made.data.folder.folder_id }, user);
    expect(await call('add_notebook', { name: 'Work' }, user)).toEqual({
      code: 210030,
      msg: 'name: a notebook "Work" already exists there',
      data: {},
    });
    expect(
      await call('add_notebook', { name: 'Work', parent_folder_id: made.data.folder.folder_id }, user),
    ).toMatchObject({ code: 210030 });
    expect(await call('add_notebook', { name: 'Uncategorized' }, user)).toMatchObject({ code: 210030 });
    expect(
      await call('add_notebook', { name: 'work', parent_folder_id: `user_list_${user.userId}` }, user),
    ).toMatchObject({ code: 0 });
    expect(await call('add_notebook', { name: '\u3000' }, user)).toMatchObject({ code: 210001 });
    expect(await call('add_notebook', { name: 'x', parent_folder_id: 'folder_none' }, user)).toMatchObject({
      code: 210035,
    });
    expect(
      await call('add_notebook', { name: 'x', parent_folder_id: `user_uncategorized_${user.userId}` }, user),
    ).toMatchObject({ code: 210001 });
    expect(await call('add_notebook', { name: 'x', parent_folder_id: inner })).toMatchObject({ code: 210035 });
  });

  test('[N79] rename_notebook: another name, another place, never into itself', async () => {
    const user = await server().newUser();
    const a = await addNotebook(call, 'A', {}, user);
    const b = await addNotebook(call, 'B', { parent_folder_id: a }, user);
    expect((await call('rename_notebook', { folder_id: b, name: 'B2' }, user)).data.folder).toMatchObject({
      name: 'B2',
      parent_folder_id: a,
    });
    expect(await call('rename_notebook', { folder_id: a, name: 'A', parent_folder_id: b }, user)).toMatchObject({
      code: 210001,
      msg: 'parent_folder_id: a notebook cannot be moved into itself or a notebook inside it',
    });
    expect(await call('rename_notebook', { folder_id: a, name: 'A', parent_folder_id: a }, user)).toMatchObject({
      code: 210001,
    });
    expect(
      (await call('rename_notebook', { folder_id: b, name: 'B3', parent_folder_id: '' }, user)).data.folder
        .parent_folder_id,
    ).toBe(`user_list_${user.userId}`);
    expect(await call('rename_notebook', { folder_id: b, name: 'A' }, user)).toMatchObject({ code: 210030 });
    expect(await call('rename_notebook', { folder_id: 'folder_none', name: 'x' }, user)).toMatchObject({
      code: 210035,
    });
    expect(await call('rename_notebook', { folder_id: a, name: 'x' })).toMatchObject({ code: 210035 });
    expect(await call('rename_notebook', { folder_id: `user_list_${user.userId}`, name: 'x' }, user)).toMatchObject({
      code: 210001,
    });
  });

  test('[N80] delete_notebook: its notes become loose, or go to the trash', async () => {
    const user = await server().newUser();
    const a = await addNotebook(call, 'A', {}, user);
    const b = await addNotebook(call, 'B', { parent_folder_id: a }, user);
    await importNote(call, 'one', { folder_id: a }, user);
    await importNote(call, 'two', { folder_id: b }, user);
    expect((await call('delete_notebook', { folder_id: a }, user)).data).toEqual({ note_number: 2 });
    expect(await names(user)).toEqual([]);
    expect(
      titles(
        await call(
          'list_note',
          { folder_id: `user_uncategorized_${user.userId}`, cursor: '', limit: 20, sort_type: 2 },
          user,
        ),
      ),
    ).toEqual(['one', 'two']);
    const c = await addNotebook(call, 'C', {}, user);
    const id = await importNote(call, 'three', { folder_id: c }, user);
    expect((await call('delete_notebook', { folder_id: c, notes: 'delete' }, user)).data).toEqual({ note_number: 1 });
    expect(await call('get_doc_content', { note_id: id, target_content_format: 0 }, user)).toMatchObject({
      code: 210006,
    });
    expect((await call('restore_note', { note_id: id }, user)).data.note.note_ext_info.folder_name).toBe(
      'Uncategorized',
    );
    const { note_folder_infos: roots } = (await call('list_notebook', { cursor: '0', limit: 20 }, user)).data;
    expect(roots.map((info: any) => info.note_number)).toEqual([3, 3]);
    expect(await call('delete_notebook', { folder_id: c }, user)).toMatchObject({ code: 210035 });
    expect(await call('delete_notebook', { folder_id: `user_uncategorized_${user.userId}` }, user)).toMatchObject({
      code: 210001,
    });
  });

  test('[N76] move_notes: all or none, 210033 names the culprits', async () => {
    const user = await server().newUser();
    const box = await addNotebook(call, 'Box', {}, user);
    const one = await importNote(call, 'one', {}, user);
    const two = await importNote(call, 'two', {}, user);
    const foreign = await importNote(call, 'foreign');
    expect(await call('move_notes', { note_ids: [one, two, one], folder_id: box }, user)).toEqual({
      code: 0,
      msg: 'success',
      data: { moved: 2 },
    });
    expect(await names(user)).toEqual([['Box', 2]]);
    expect((await call('move_notes', { note_ids: [one], folder_id: box }, user)).data).toEqual({ moved: 0 });
    expect(await call('move_notes', { note_ids: [one, foreign], folder_id: '' }, user)).toEqual({
      code: 210033,
      msg: `note_ids: nothing was moved, because "${foreign}" is not a note of yours`,
      data: {},
    });
    expect((await infoOf(call, one, user)).note_ext_info.folder_id).toBe(box);
    await call('delete_note', { note_id: two }, user);
    expect(await call('move_notes', { note_ids: [two], folder_id: '' }, user)).toMatchObject({
      code: 210033,
      msg: `note_ids: nothing was moved, because "${two}" was deleted`,
    });
    expect(await call('move_notes', { note_ids: [one], folder_id: 'folder_none' }, user)).toMatchObject({
      code: 210035,
    });
    expect(
      (await call('move_notes', { note_ids: [one], folder_id: `user_uncategorized_${user.userId}` }, user)).data,
    ).toEqual({ moved: 1 });
    expect(await names(user)).toEqual([['Box', 0]]);
  });

  test('[N81] export_note: Markdown exactly as stored, text, JSON', async () => {
    const source = '# T: a/b?\r\n\r\n*x*\t\u0001 trailing  \r\n\r\n';
    const id = await importNote(call, source);
    expect((await call('export_note', { note_id: id })).data).toEqual({
      note_id: id,
      doc_id: id,
      title: 'T: a/b?',
      file_name: 'T a b.md',
      content_type: 'text/markdown; charset=utf-8',
      encoding: 'utf8',
      content: source,
      version: 1,
      next_cursor: '',
      is_end: true,
    });
    expect((await call('export_note', { doc_id: id, format: 'text' })).data).toMatchObject({
      file_name: 'T a b.txt',
      content_type: 'text/plain; charset=utf-8',
      content: 'T: a/b?\n\nx\t\u0001 trailing',
    });
    expect(JSON.parse((await call('export_note', { note_id: id, format: 'json' })).data.content)[0]).toEqual({
      type: 'h1',
      children: [{ text: 'T: a/b?' }],
    });
    expect(await call('export_note', {})).toMatchObject({
      code: 210001,
      msg: 'note_id: is required for the format markdown',
    });
  });

  test('[N82] export_note zip: all notes in folders, in parts', async () => {
    const user = await server().newUser();
    const a = await addNotebook(call, 'A/1', {}, user);
    const b = await addNotebook(call, 'B', { parent_folder_id: a }, user);
    await importNote(call, '# One', { folder_id: b }, user);
    const same = await importNote(call, '# One\n\nagain', { folder_id: b }, user);
    await importNote(call, '# 二', {}, user);
    const { data } = await call('export_note', { format: 'zip' }, user);
    expect(data).toMatchObject({
      file_name: 'notes.zip',
      content_type: 'application/zip',
      encoding: 'base64',
      is_end: true,
      next_cursor: '',
    });
    const files = unzipSync(Buffer.from(data.content, 'base64'));
    const shown = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]));
    const [first] = Object.values(shown).filter((text) => text === '# One');
    expect(first).toBe('# One');
    expect(Object.keys(shown).length).toBe(3);
    expect(shown['二.md']).toBe('# 二');
    expect(Object.keys(shown).filter((name) => name.startsWith('A 1/B/One')).length).toBe(2);
    const only = (await call('export_note', { format: 'zip', note_id: same }, user)).data;
    expect(Object.keys(unzipSync(Buffer.from(only.content, 'base64')))).toEqual(['One.md']);
    expect(await call('export_note', { format: 'zip', cursor: 'bad' }, user)).toMatchObject({ code: 210001 });
    for (let i = 0; i < 5; i++) await importNote(call, `${i}${'x'.repeat(2 ** 20 - 1)}`, {}, user);
    let count = 0;
    let parts = 0;
    for (let cursor = ''; ;) {
      const part = (await call('export_note', { format: 'zip', cursor }, user)).data;
      count += Object.keys(unzipSync(Buffer.from(part.content, 'base64'))).length;
      parts += 1;
      if (part.is_end) break;
      cursor = part.next_cursor;
    }
    expect([count, parts]).toEqual([8, 2]);
  });

  test('export_note zip: notes with one long title are files of their own, with names that every system takes', async () => {
    const user = await server().newUser();
    for (const title of ['x'.repeat(120), '😀'.repeat(120)])
      for (const text of ['first', 'second']) await importNote(call, `# ${title}\n\n${text}`, {}, user);
    const { data } = await call('export_note', { format: 'zip' }, user);
    const names = Object.keys(unzipSync(Buffer.from(data.content, 'base64')));
    expect(names).toHaveLength(4);
    expect(names.filter((name) => Buffer.byteLength(name) > 255)).toEqual([]);
  });

  test('[N78] no more than 1,000 notebooks: 210031', { timeout: 60_000 }, async () => {
    const user = await server().newUser();
    const { notes } = server().app.services;
    const stamp = () => ({ at: 1, userId: user.userId, keyId: '', operation: 'test', requestId: '' });
    const limits = { noteBytes: 1, quotaBytes: 1, notebooks: 1000 };
    await Promise.all(
      Array.from({ length: 1000 }, (_, i) =>
        notes.addNotebook(
          stamp(),
          { id: `folder_${user.userId}_${i}`, userId: user.userId, name: `b${i}`, parentId: '' },
          limits,
        ),
      ),
    );
    expect(await call('add_notebook', { name: 'one too many' }, user)).toEqual({
      code: 210031,
      msg: 'there are already 1000 notebooks, and at most 1000 are allowed',
      data: {},
    });
    expect(await call('import_doc', { content_format: 1, content: 'x', folder_name: 'also' }, user)).toMatchObject({
      code: 210031,
    });
    expect(titles(await call('list_note', { cursor: '', limit: 20 }, user))).toEqual([]);
    expect(await call('import_doc', { content_format: 1, content: 'x', folder_name: 'b7' }, user)).toMatchObject({
      code: 0,
    });
  });
});
