import { expect, test } from 'vitest';
import { done, onTool, refused, type Sheet, sharedWith, versionOf } from './support.ts';

onTool('set_name', ({ sheet, server }) => {
  const listed = async (s: Sheet) =>
    (await s.ok('list_objects', { sheet_id: undefined, object_types: ['name'] })).names as unknown[];
  /** A name of the whole document. */
  const whole = (name: string, refers_to: string) => ({ sheet_id: undefined, name, refers_to });

  test('names are defined, changed, listed and removed, for the document and for a sub-sheet', async () => {
    const s = await sheet('1\n2\n=SUM(data)\n');
    expect(await s.csv('A3')).toBe('#NAME?\n');
    expect(await s.call('set_name', whole('data', '=Sheet1!$A$1:$A$2'))).toEqual(done);
    expect(await s.csv('A3')).toBe('3\n');
    await s.ok('set_name', { name: 'data', refers_to: '=Sheet1!$A$2' });
    expect(await s.csv('A3')).toBe('2\n');
    expect(await listed(s)).toEqual([
      { name: 'data', refers_to: '=Sheet1!$A$1:$A$2' },
      { name: 'data', refers_to: '=Sheet1!$A$2', sheet_id: s.sheet_id },
    ]);
    await s.ok('delete_object', { object_type: 'name', object_id: 'data' });
    expect(await s.csv('A3')).toBe('3\n');
  });

  test('what a name stands for is replaced, in whatever case it is written; the same again is no revision', async () => {
    const s = await sheet('1\n=rate*100\n');
    await s.ok('set_name', whole('Rate', '0.5'));
    expect(await s.csv('A2')).toBe('50\n');
    expect(await s.ok('set_name', { ...whole('RATE', '=0.25'), return_changes: true })).toMatchObject({
      changes: [{ sheet_id: s.sheet_id, row: 1, col: 0, value: 25, address: 'A2', text: '25' }],
      changed_count: 1,
    });
    expect(await listed(s)).toEqual([{ name: 'RATE', refers_to: '=0.25' }]);
    const version = await versionOf(server(), s);
    await s.ok('set_name', whole('RATE', '=0.25'));
    expect(await versionOf(server(), s)).toBe(version);
    expect(await s.ok('set_name', { ...whole('RATE', '=1'), dry_run: true })).toMatchObject({ dry_run: true });
    expect(await s.csv('A2')).toBe('25\n');
  });

  test('follows inserted rows and a renamed sub-sheet', async () => {
    const s = await sheet('1\n2\n');
    await s.ok('set_name', whole('data', '=SUM(Sheet1!$A$1:$A$2)'));
    await s.ok('insert_dimension', { dimension_type: 'row', index: 1, count: 2 });
    await s.ok('rename_sheet', { name: 'My data' });
    expect(await listed(s)).toEqual([{ name: 'data', refers_to: "=SUM('My data'!$A$1:$A$4)" }]);
  });

  test('undo_revision takes back what a name stood for; revert also that there is one', async () => {
    const s = await sheet('=total\n');
    await s.ok('set_name', whole('total', '=1'));
    const made = await versionOf(server(), s);
    await s.ok('set_name', whole('total', '=2'));
    await s.put('B1', 'later\n');
    await s.ok('undo_revision', { version: made + 1 });
    expect(await s.csv('A1:B1')).toBe('1,later\n');
    expect(await s.call('undo_revision', { version: made })).toMatchObject({ code: 310008, data: {} });
    await s.ok('revert', { version: made - 1 });
    expect([await s.csv('A1'), await listed(s)]).toEqual(['#NAME?\n', []]);
    await s.ok('revert', { version: made + 1 });
    expect([await s.csv('A1'), await listed(s)]).toEqual(['2\n', [{ name: 'total', refers_to: '=2' }]]);
  });

  test('what is no name, and what is no formula, is refused', async () => {
    const s = await sheet();
    const set = (name: string, refers_to = '=1') => s.call('set_name', { name, refers_to });
    expect(await set('A1')).toEqual(refused(310001, "name: 'A1' is the address of a cell"));
    expect(await set('2nd')).toEqual(
      refused(310001, "name: '2nd' must begin with a letter and hold only letters, digits, '.' and '_'"),
    );
    for (const name of ['TRUE', 'false', 'R', 'c', 'R2C3'])
      expect(await set(name)).toEqual(
        refused(310001, `name: must not be TRUE, FALSE or an address like R1C1 (got "${name}")`),
      );
    expect(await set('x', '=SUM(')).toEqual(
      refused(310009, 'refers_to: A value is expected, not the end of the formula, at character 6'),
    );
    expect(await s.call('set_name', { name: 'x', refers_to: '=1', sheet_id: 'none' })).toEqual(
      refused(310003, `sheet_id: there is no sub-sheet "none"; there are ${s.sheet_id} (Sheet1)`),
    );
    expect(await listed(s)).toEqual([]);
    expect(await set('Rc_1')).toEqual(done);
  });

  test('a viewer reads names and defines none', async () => {
    const s = await sheet();
    await s.ok('set_name', { name: 'x', refers_to: '=1' });
    const viewer = await sharedWith(server(), s, 'viewer');
    expect(await s.call('set_name', { name: 'x', refers_to: '=2' }, viewer)).toEqual(
      refused(310007, 'file_id: this requires the role editor on the document; yours is viewer'),
    );
    expect((await s.ok('list_objects', {}, viewer)).names).toEqual([
      { name: 'x', refers_to: '=1', sheet_id: s.sheet_id },
    ]);
  });
});
