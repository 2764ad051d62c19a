import { expect, test } from 'vitest';
import { at, done, onTool, refused, type Sheet, sharedWith, versionOf } from './support.ts';

onTool('delete_object', ({ sheet, server }) => {
  const objects = (s: Sheet) =>
    s.ok('list_objects', { object_types: ['name', 'conditional_format', 'validation', 'comment', 'table'] });
  const none = { names: [], conditional_formats: [], validations: [], comments: [], tables: [] };

  /** One object of each kind on B2, as delete_object names them. */
  async function oneOfEach(s: Sheet): Promise<{ object_type: string; object_id: string }[]> {
    const where = { ranges: ['B2'] };
    await s.ok('set_name', { name: 'Fee', refers_to: '=Sheet1!$B$2' });
    const { format_id } = await s.ok('set_conditional_format', { ...where, kind: 'blank', style: { bold: true } });
    const { validation_id } = await s.ok('set_validation', { ...where, kind: 'list', values: ['a'] });
    const { comment_id } = await s.ok('set_comment', { ...at('B2'), text: 'Why?' });
    const { table_id } = await s.ok('set_table', { range: 'B2', has_headings: false });
    return [
      { object_type: 'name', object_id: 'fee' },
      { object_type: 'conditional_format', object_id: format_id },
      { object_type: 'validation', object_id: validation_id },
      { object_type: 'comment', object_id: comment_id },
      { object_type: 'table', object_id: table_id },
    ];
  }

  test('deletes one object of any kind; then it is not there', async () => {
    const s = await sheet('=fee\n');
    await s.put('B2', '7\n');
    const all = await oneOfEach(s);
    expect(await s.csv('A1')).toBe('7\n');
    for (const one of all) {
      expect(await s.call('delete_object', one)).toEqual(done);
      expect((await s.call('delete_object', one)).code).toBe(310004);
    }
    expect(await objects(s)).toEqual(none);
    expect(await s.csv('A1:B2')).toBe('#NAME?,\n,7\n');
  });

  test('a name of the whole document and one of a sub-sheet are two', async () => {
    const s = await sheet('=fee\n');
    await s.ok('set_name', { sheet_id: undefined, name: 'fee', refers_to: '=1' });
    await s.ok('set_name', { name: 'fee', refers_to: '=2' });
    await s.ok('delete_object', { sheet_id: undefined, object_type: 'name', object_id: 'fee' });
    expect(await s.csv('A1')).toBe('2\n');
    expect(await s.call('delete_object', { sheet_id: undefined, object_type: 'name', object_id: 'fee' })).toEqual(
      refused(310004, 'object_id: there is no name "fee" of the whole document'),
    );
    await s.ok('delete_object', { object_type: 'name', object_id: 'fee' });
    expect(await s.csv('A1')).toBe('#NAME?\n');
  });

  test('revert brings them back, undo_revision a name', async () => {
    const s = await sheet('=fee\n');
    const all = await oneOfEach(s);
    const [version, before] = [await versionOf(server(), s), await objects(s)];
    for (const one of all) await s.ok('delete_object', one);
    await s.ok('undo_revision', { version: version + 1 });
    expect(await objects(s)).toEqual({ ...none, names: before.names });
    await s.ok('revert', { version });
    expect(await objects(s)).toEqual(before);
  });

  test('dry_run says what would change', async () => {
    const s = await sheet('=fee\n');
    await s.ok('set_name', { name: 'fee', refers_to: '=5' });
    expect(await s.ok('delete_object', { object_type: 'name', object_id: 'fee', dry_run: true })).toMatchObject({
      dry_run: true,
      changed_count: 1,
      error_count: 1,
    });
    expect(await s.csv('A1')).toBe('5\n');
  });

  test('what is not there, or not said well, is refused', async () => {
    const s = await sheet();
    const remove = (given: object) => s.call('delete_object', given as Record<string, unknown>);
    expect(await remove({ object_type: 'name', object_id: 'x' })).toEqual(
      refused(310004, 'object_id: there is no name "x" on this sub-sheet'),
    );
    expect(await remove({ object_type: 'comment', object_id: 'x', sheet_id: undefined })).toEqual(
      refused(310001, 'sheet_id: is required with object_type comment'),
    );
    const { comment_id } = await s.ok('set_comment', { ...at('A1'), text: 'x' });
    expect(await remove({ object_type: 'comment', object_id: 'x' })).toEqual(
      refused(310004, `object_id: there is none "x" on this sub-sheet; there are ${comment_id}`),
    );
    expect(await remove({ object_type: 'validation', object_id: comment_id })).toEqual(
      refused(310004, `object_id: there is none "${comment_id}" on this sub-sheet; there are none`),
    );
    expect(await remove({ object_type: 'sheet', object_id: 'x' })).toEqual(
      refused(310001, 'object_type: must be one of name, conditional_format, validation, comment, table (got "sheet")'),
    );
  });

  test('not from cells that somebody else protected; every editor elsewhere', async () => {
    const s = await sheet();
    const [, ...marks] = await oneOfEach(s);
    const other = await sharedWith(server(), s, 'editor');
    const { protect_range_id } = await s.ok('add_protect_range', {
      range: { start_row: 1, start_col: 1, end_row: 2, end_col: 2 },
    });
    for (const one of marks)
      expect(await s.call('delete_object', one, other)).toEqual(
        refused(
          310005,
          `Sheet1!B2:B2 is protected (${protect_range_id}); its creator and the document's owner may change it`,
        ),
      );
    await s.ok('delete_protect_range', { protect_range_id });
    for (const one of marks) expect(await s.call('delete_object', one, other)).toEqual(done);
  });
});
