import { expect, test } from 'vitest';
import { eachServer, onSurface } from '@sheaf/tools/testing/test-server.ts';
import { addNotebook, importNote, infoOf, plainText, titles } from './support.ts';

onSurface('note', 'rename, update, history', (call, server) => {
  test('[N70] rename_note: the title stays whatever the text becomes', async () => {
    const id = await importNote(call, '# Old\n\nx');
    expect(await call('rename_note', { note_id: id, title: ' My \u3000name ' })).toEqual({
      code: 0,
      msg: 'success',
      data: { note_id: id, doc_id: id },
    });
    await call('update_note', { note_id: id, content: '# Another' });
    expect((await infoOf(call, id)).title).toBe('My name');
    expect(await call('rename_note', { note_id: id, title: ' \u3000 ' })).toMatchObject({ code: 210001 });
    expect(await plainText(call, id)).toBe('Another');
  });

  test('[N71] update_note replaces the text; a stale base_version is 210008 and changes nothing', async () => {
    const id = await importNote(call, '# One');
    expect(await call('update_note', { note_id: id, content: '# Two', base_version: 1 })).toMatchObject({
      code: 0,
      data: { note_id: id, version: 2 },
    });
    expect((await infoOf(call, id)).title).toBe('Two');
    expect(await call('update_note', { note_id: id, content: '# Three', base_version: 1 })).toEqual({
      code: 210008,
      msg: 'base_version: the note is at version 2, not 1; read it again and reapply your change',
      data: {},
    });
    expect(await plainText(call, id)).toBe('Two');
    expect(await call('update_note', { doc_id: id, content: '# Three', title: 'T3' })).toMatchObject({
      code: 0,
      data: { version: 3 },
    });
    expect((await infoOf(call, id)).title).toBe('T3');
    expect(await call('update_note', { note_id: id, content: 'x'.repeat(2 ** 20 + 1) })).toMatchObject({
      code: 210009,
    });
  });

  test('[N71] of ten updates on the same base_version one wins', async () => {
    const id = await importNote(call, 'base');
    const codes = await Promise.all(
      Array.from(
        { length: 10 },
        async (_, i) => (await call('update_note', { note_id: id, content: `c${i}`, base_version: 1 })).code,
      ),
    );
    expect(codes.toSorted((a, b) => a - b)).toEqual([
      0, 210008, 210008, 210008, 210008, 210008, 210008, 210008, 210008, 210008,
    ]);
  });

  test('[N72] [N83] every version stays, can be read and brought back', async () => {
    const id = await importNote(call, '# One');
    await call('append_doc', { note_id: id, content_format: 1, content: 'more' });
    await call('update_note', { note_id: id, content: '# Two' });
    const history = (await call('get_note_history', { note_id: id })).data;
    expect(history).toMatchObject({ note_id: id, version: 3, is_end: true, next_cursor: '' });
    expect(history.versions.map((one: any) => [one.version, one.title, one.size, one.operation])).toEqual([
      [3, 'Two', 5, 'note.update_note'],
      [2, 'One', 11, 'note.append_doc'],
      [1, 'One', 5, 'note.import_doc'],
    ]);
    expect((await call('export_note', { note_id: id, version: 2 })).data).toMatchObject({
      content: '# One\n\nmore',
      version: 2,
    });
    expect(await call('restore_note_version', { note_id: id, version: 2 })).toMatchObject({
      code: 0,
      data: { version: 4 },
    });
    expect(await plainText(call, id)).toBe('One\n\nmore');
    expect((await call('export_note', { note_id: id, version: 3 })).data.content).toBe('# Two');
    expect(await call('restore_note_version', { note_id: id, version: 9 })).toMatchObject({
      code: 210001,
      msg: 'version: the note has no version 9',
    });
    expect(await call('export_note', { note_id: id, version: 9 })).toMatchObject({ code: 210001 });
    const first = (await call('get_note_history', { note_id: id, limit: 3 })).data;
    expect([first.is_end, first.versions.length]).toEqual([false, 3]);
    const second = (await call('get_note_history', { note_id: id, limit: 3, cursor: first.next_cursor })).data;
    expect([second.is_end, second.versions.map((one: any) => one.version)]).toEqual([true, [1]]);
    expect(await call('get_note_history', { note_id: id, cursor: 'bad' })).toMatchObject({ code: 210001 });
  });

  test('[N84] our own operations answer 210034 for a foreign or unknown note, 210006 for a deleted one', async () => {
    const id = await importNote(call, 'private');
    const gone = await importNote(call, 'gone');
    await call('delete_note', { note_id: gone });
    const other = await server().newUser();
    const calls: [string, Record<string, unknown>][] = [
      ['rename_note', { title: 't' }],
      ['update_note', { content: 'x' }],
      ['delete_note', {}],
      ['export_note', {}],
      ['get_note_history', {}],
      ['restore_note_version', { version: 1 }],
    ];
    for (const [operation, input] of calls) {
      const foreign = await call(operation, { note_id: id, ...input }, other);
      const unknown = await call(operation, { note_id: 'note_none', ...input });
      expect(foreign, operation).toEqual({ code: 210034, msg: `note_id: there is no note "${id}" of yours`, data: {} });
      expect(unknown, operation).toEqual({
        code: 210034,
        msg: 'note_id: there is no note "note_none" of yours',
        data: {},
      });
      expect(await call(operation, { note_id: gone, ...input }), operation).toMatchObject({ code: 210006, data: {} });
    }
    expect(await call('restore_note', { note_id: gone }, other)).toMatchObject({ code: 210034 });
    expect(await plainText(call, id)).toBe('private');
  });
});

onSurface('note', 'trash', (call, server) => {
  test('[N73] [N74] [N85] delete_note hides a note, restore_note brings it back where it was', async () => {
    const user = await server().newUser();
    const folder = await addNotebook(call, 'Box', {}, user);
    const id = await importNote(call, '# Kept', { folder_id: folder }, user);
    expect(await call('delete_note', { note_id: id }, user)).toMatchObject({ code: 0, data: { note_id: id } });
    expect(titles(await call('list_note', { cursor: '', limit: 20 }, user))).toEqual([]);
    const trash = (await call('list_deleted_notes', {}, user)).data;
    expect(trash).toMatchObject({ is_end: true, next_cursor: '', notes: [{ note_id: id, title: 'Kept' }] });
    expect(trash.notes[0].purge_time - trash.notes[0].delete_time).toBe(2_592_000_000);
    expect((await call('restore_note', { note_id: id }, user)).data.note).toMatchObject({
      note_id: id,
      note_ext_info: { folder_id: folder, folder_name: 'Box' },
    });
    expect((await call('list_deleted_notes', { cursor: '', limit: 5 }, user)).data.notes).toEqual([]);
    expect(await call('restore_note', { note_id: id }, user)).toMatchObject({ code: 0 });
    await call('delete_note', { note_id: id }, user);
    await call('delete_notebook', { folder_id: folder }, user);
    expect((await call('restore_note', { note_id: id }, user)).data.note.note_ext_info.folder_name).toBe(
      'Uncategorized',
    );
  });

  test('[N85] the trash is paged, last deleted first', async () => {
    const user = await server().newUser();
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push(await importNote(call, `n${i}`, {}, user));
    for (const id of ids) await call('delete_note', { note_id: id }, user);
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const { data } = await call('list_deleted_notes', { cursor, limit: 2 }, user);
      seen.push(...data.notes.map((note: { note_id: string }) => note.note_id));
      if (data.is_end) break;
      cursor = data.next_cursor;
    }
    expect(seen.toSorted()).toEqual(ids.toSorted());
    expect(await call('list_deleted_notes', { cursor: 'bad' }, user)).toMatchObject({ code: 210001 });
  });
});

let now = Date.now();
eachServer(
  'trash, after a month',
  (server) => {
    test('[N75] a note is forgotten 30 days after its deletion, not before, and its bytes come back', async () => {
      const { purgeExpiredNotes } = await import('../../../src/modules/note/purge-expired-notes.ts');
      const call = (operation: string, input: unknown) => server().call('http', 'note', operation, input);
      const id = await importNote(call, 'x'.repeat(900));
      await call('delete_note', { note_id: id });
      // The indexer must not find a month gone in the middle of its work.
      await server().app.services.searchFeed.waitUntilDrained();
      now += 30 * 86_400_000 - 1000;
      expect(await purgeExpiredNotes(server().app.services)).toBe(0);
      expect(await call('get_doc_content', { note_id: id, target_content_format: 0 })).toMatchObject({ code: 210006 });
      expect(await call('import_doc', { content_format: 1, content: 'y'.repeat(900) })).toMatchObject({ code: 210004 });
      now += 2000;
      expect(await purgeExpiredNotes(server().app.services)).toBe(1);
      expect(await call('get_doc_content', { note_id: id, target_content_format: 0 })).toMatchObject({ code: 210005 });
      expect(await call('restore_note', { note_id: id })).toMatchObject({ code: 210034 });
      expect(await call('import_doc', { content_format: 1, content: 'y'.repeat(900) })).toMatchObject({ code: 0 });
    });
  },
  { config: { SHEAF_QUOTA_BYTES: 1000 }, clock: { now: () => now } },
);
