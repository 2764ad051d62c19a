import { expect, test } from 'vitest';
import { at, onTool, r4, refused, type Sheet, sharedWith, versionOf } from './support.ts';

onTool('set_comment', ({ sheet, server }) => {
  const listed = async (s: Sheet) => (await s.ok('list_objects', { object_types: ['comment'] })).comments;

  test('a thread, a reply, resolved, reopened, an entry edited', async () => {
    const s = await sheet('x\n');
    const { comment_id } = await s.ok('set_comment', { ...at('A1'), text: 'Why?' });
    expect(await s.ok('set_comment', { comment_id, text: 'Because.' })).toMatchObject({ comment_id });
    await s.ok('set_comment', { comment_id, resolved: true });
    const said = (text: string) => ({
      entry_id: expect.stringMatching(/^entry_/),
      author: server().owner.userId,
      time: expect.any(Number),
      text,
    });
    const thread = { comment_id, sheet_id: s.sheet_id, ...at('A1'), resolved: true, is_note: false };
    const [first] = await listed(s);
    expect(first).toEqual({ ...thread, entries: [said('Why?'), said('Because.')] });
    const { entry_id, time } = first.entries[1];
    await s.ok('set_comment', { comment_id, entry_id, text: 'No reason.', resolved: false });
    expect(await listed(s)).toEqual([
      { ...thread, resolved: false, entries: [first.entries[0], { ...said('No reason.'), entry_id, time }] },
    ]);
    expect(await s.csv('A1')).toBe('x\n');
  });

  test('every editor replies and resolves; only its author edits an entry; a viewer does neither', async () => {
    const s = await sheet();
    const { comment_id } = await s.ok('set_comment', { ...at('B2'), text: 'Mine.' });
    const [{ entries }] = await listed(s);
    const { entry_id } = entries[0];
    const [editor, viewer] = [await sharedWith(server(), s, 'editor'), await sharedWith(server(), s, 'viewer')];
    await s.ok('set_comment', { comment_id, text: 'Seen.', resolved: true }, editor);
    expect(await s.call('set_comment', { comment_id, entry_id, text: 'Forged.' }, editor)).toEqual(
      refused(310007, 'entry_id: only its author may edit an entry'),
    );
    expect(await s.call('set_comment', { comment_id, text: 'Me too.' }, viewer)).toEqual(
      refused(310007, 'file_id: this requires the role commenter on the document; yours is viewer'),
    );
    const [thread] = await listed(s);
    expect(thread.resolved).toBe(true);
    expect(thread.entries.map((one: { author: string; text: string }) => [one.author, one.text])).toEqual([
      [server().owner.userId, 'Mine.'],
      [editor.userId, 'Seen.'],
    ]);
  });

  test('stays with its cell: inserted rows, sorting', async () => {
    const s = await sheet('1\n3\n2\n');
    const { comment_id } = await s.ok('set_comment', { ...at('A2'), text: 'Three.' });
    const place = async () => (await listed(s)).map((one: { row: number; col: number }) => [one.row, one.col]);
    await s.ok('insert_dimension', { dimension_type: 'row', index: 0, count: 2 });
    expect(await place()).toEqual([[3, 0]]);
    await s.ok('sort_range', { ...r4('A3:A5'), columns: [{ col: 0, order: 1 }] });
    expect([await s.csv('A3:A5'), await place()]).toEqual(['1\n2\n3\n', [[4, 0]]]);
    await s.ok('delete_dimension', { dimension_type: 'row', index: 4, count: 1 });
    expect(await place()).toEqual([]);
    expect((await s.call('set_comment', { comment_id, text: 'Still?' })).code).toBe(310004);
  });

  test('revert brings back what was said, bit for bit', async () => {
    const s = await sheet();
    const { comment_id } = await s.ok('set_comment', { ...at('C3'), text: 'First.' });
    const [version, before] = [await versionOf(server(), s), await listed(s)];
    await s.ok('set_comment', { comment_id, entry_id: before[0].entries[0].entry_id, text: 'Changed.' });
    expect(await s.call('undo_revision', { version: version + 1 })).toEqual(
      refused(310008, `version: revision ${version + 1} did more than change cells; use revert`),
    );
    await s.ok('delete_object', { object_type: 'comment', object_id: comment_id });
    await s.ok('revert', { version });
    expect(await listed(s)).toEqual(before);
  });

  test('what says nothing, or nowhere, is refused', async () => {
    const s = await sheet();
    const set = (given: object) => s.call('set_comment', given as Record<string, unknown>);
    expect(await set({ col: 1, text: 'x' })).toEqual(refused(310001, 'row: is required without comment_id'));
    expect(await set({ row: 1, text: 'x' })).toEqual(refused(310001, 'col: is required without comment_id'));
    expect(await set({ ...at('A1'), resolved: true })).toEqual(
      refused(310001, 'text: is required unless a thread is resolved'),
    );
    expect(await set({ comment_id: 'none', text: 'x' })).toEqual(
      refused(310004, 'comment_id: there is none "none" on this sub-sheet; there are none'),
    );
    const { comment_id } = await s.ok('set_comment', { ...at('A1'), text: 'x' });
    const before = await listed(s);
    expect(await set({ comment_id })).toEqual(refused(310001, 'text: is required unless a thread is resolved'));
    expect(await set({ comment_id, entry_id: 'none', text: 'y' })).toEqual(
      refused(310004, 'entry_id: there is no entry "none" in the thread'),
    );
    expect(await set({ comment_id, entry_id: 'none', resolved: true })).toEqual(
      refused(310001, 'text: is required with entry_id'),
    );
    expect(await listed(s)).toEqual(before);
  });

  test('not on cells that somebody else protected, nor in a thread there', async () => {
    const s = await sheet();
    const other = await sharedWith(server(), s, 'editor');
    const { comment_id } = await s.ok('set_comment', { ...at('B2'), text: 'x' });
    const { protect_range_id } = await s.ok('add_protect_range', {
      range: { start_row: 1, start_col: 1, end_row: 2, end_col: 2 },
    });
    const no = refused(
      310005,
      `Sheet1!B2:B2 is protected (${protect_range_id}); its creator and the document's owner may change it`,
    );
    expect(await s.call('set_comment', { ...at('B2'), text: 'y' }, other)).toEqual(no);
    expect(await s.call('set_comment', { comment_id, text: 'y' }, other)).toEqual(no);
    expect((await s.call('set_comment', { ...at('B3'), text: 'y' }, other)).code).toBe(0);
    expect((await s.call('set_comment', { comment_id, text: 'y' })).code).toBe(0);
  });
});
