import { expect, test } from 'vitest';
import { onSurface } from '@sheaf/tools/testing/test-server.ts';
import { addNotebook, importNote } from './support.ts';

onSurface('note', 'browse_notes', (call, server) => {
  test('[finding P18] lists up to 1,000 notes a page in every order, all or of a notebook', async () => {
    const user = await server().newUser();
    const folder = await addNotebook(call, 'Box', {}, user);
    const ids: string[] = [];
    for (const title of ['b', 'c', 'a'])
      ids.push(
        await importNote(call, `# ${title}\n\n${title.repeat(3)}`, title === 'c' ? { folder_id: folder } : {}, user),
      );
    const [b, c, a] = ids as [string, string, string];
    const browse = async (input: object): Promise<any> => (await call('browse_notes', input, user)).data;
    const listed = async (input: object): Promise<string[]> =>
      (await browse(input)).notes.map((note: { note_id: string }) => note.note_id);
    expect(await listed({ sort_type: 2, limit: 1000 })).toEqual([a, b, c]);
    expect(await listed({ sort_type: 1 })).toEqual([a, c, b]);
    expect(await listed({ folder_id: folder })).toEqual([c]);
    const { note_book_list: specified } = (await call('list_note', { cursor: '', limit: 20 }, user)).data;
    expect((await browse({})).notes).toEqual(specified);
    const first = await browse({ sort_type: 2, limit: 2 });
    expect(first).toMatchObject({ is_end: false, notes: [{ note_id: a }, { note_id: b }] });
    expect(await browse({ sort_type: 2, limit: 2, cursor: first.next_cursor })).toMatchObject({
      is_end: true,
      notes: [{ note_id: c }],
    });
    expect(await call('browse_notes', { limit: 1001 }, user)).toMatchObject({
      code: 210001,
      msg: 'limit: must be at most 1000 (got 1001)',
    });
    expect(await call('browse_notes', { sort_type: 1, cursor: first.next_cursor }, user)).toMatchObject({
      code: 210001,
    });
  });

  test('[finding P18] lists the notes with a tag, page by page, in every order', async () => {
    const user = await server().newUser();
    const folder = await addNotebook(call, 'Box', {}, user);
    const b = await importNote(call, '# b\n\n#Review', {}, user);
    await importNote(call, '# c\n\nnone', {}, user);
    const a = await importNote(call, '# a', { folder_id: folder }, user);
    await call('tag_note', { note_id: a, add: ['review'] }, user);
    const browse = async (input: object): Promise<any> =>
      (await call('browse_notes', { tag: 'review', ...input }, user)).data;
    const first = await browse({ sort_type: 2, limit: 1 });
    expect(first).toMatchObject({ is_end: false, notes: [{ note_id: a }] });
    expect(await browse({ sort_type: 2, limit: 1, cursor: first.next_cursor })).toMatchObject({
      is_end: true,
      notes: [{ note_id: b }],
    });
    expect((await browse({ folder_id: folder })).notes).toMatchObject([{ note_id: a }]);
    expect((await browse({ sort_type: 1 })).notes).toMatchObject([{ note_id: a }, { note_id: b }]);
  });
});
