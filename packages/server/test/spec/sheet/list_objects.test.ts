import { expect, test } from 'vitest';
import { at, onTool, refused, type Sheet, sharedWith } from './support.ts';

onTool('list_objects', ({ call, sheet, server }) => {
  const kinds = {
    name: 'names',
    conditional_format: 'conditional_formats',
    validation: 'validations',
    table: 'tables',
  } as const;

  /** A name, a rule of each kind and a comment on a sub-sheet. */
  async function furnish(s: Sheet, sheet_id = s.sheet_id): Promise<void> {
    await s.ok('set_name', { sheet_id, name: 'here', refers_to: '=1' });
    await s.ok('set_conditional_format', { sheet_id, ranges: ['A1:A3'], kind: 'duplicate', style: { italic: true } });
    await s.ok('set_validation', { sheet_id, ranges: ['B1'], kind: 'length', test: 'less', values: ['9'] });
    await s.ok('set_comment', { sheet_id, ...at('C1'), text: 'Look.' });
    await s.ok('set_table', { sheet_id, range: 'E1:F3' });
  }

  test('lists all kinds, of one sub-sheet or of all', async () => {
    const s = await sheet();
    const { sheet_id: second } = await s.ok('add_sheet', { name: 'Two' });
    await s.ok('set_name', { sheet_id: undefined, name: 'everywhere', refers_to: '=Sheet1!$A$1' });
    for (const one of [s.sheet_id, second]) await furnish(s, one);
    const of = (sheet_id: string) => ({
      names: [{ name: 'here', refers_to: '=1', sheet_id }],
      conditional_formats: [
        { format_id: expect.any(String), sheet_id, ranges: ['A1:A3'], kind: 'duplicate', style: { italic: true } },
      ],
      validations: [
        { validation_id: expect.any(String), sheet_id, ranges: ['B1'], kind: 'length', test: 'less', values: ['9'] },
      ],
      comments: [expect.objectContaining({ sheet_id, row: 0, col: 2, resolved: false, is_note: false })],
      tables: [expect.objectContaining({ sheet_id, range: 'E1:F3', columns: ['Column1', 'Column2'] })],
      sheets: [expect.objectContaining({ sheet_id, visibility: 'visible', zoom: 100 })],
    });
    const [one, two] = [of(s.sheet_id), of(second)];
    expect(await s.ok('list_objects')).toEqual(one);
    expect(await s.ok('list_objects', { sheet_id: second })).toEqual(two);
    const all = await s.ok('list_objects', { sheet_id: undefined });
    expect(all.names).toHaveLength(3);
    expect(all.names).toEqual(
      expect.arrayContaining([{ name: 'everywhere', refers_to: '=Sheet1!$A$1' }, ...one.names, ...two.names]),
    );
    for (const list of ['conditional_formats', 'validations', 'comments', 'tables', 'sheets'] as const)
      expect(all[list]).toEqual([...one[list], ...two[list]]);
  });

  test('object_types says which; the other lists are absent', async () => {
    const s = await sheet();
    await furnish(s);
    for (const [type, list] of Object.entries(kinds))
      expect(Object.keys(await s.ok('list_objects', { object_types: [type] }))).toEqual([list]);
    expect(Object.keys(await s.ok('list_objects', { object_types: ['sheet', 'comment'] })).sort()).toEqual([
      'comments',
      'sheets',
    ]);
    expect(await s.ok('list_objects', { object_types: [] })).toEqual(await s.ok('list_objects'));
  });

  test('what it lists can be sent again as it is', async () => {
    const s = await sheet();
    for (const rule of [
      { kind: 'cell', test: 'between', values: ['1', '=$B$1'], style: { bold: true, font_color: 'FF0000' } },
      { kind: 'text', test: 'contains', values: ['say "no"'], stop_if_true: true },
      { kind: 'top', rank: 3, percent: true, below: true },
      { kind: 'scale', colors: ['FF0000', 'FFFF00', '00FF00'] },
      { kind: 'icons', icons: '4Rating', reverse: true, hide_value: true },
    ])
      await s.ok('set_conditional_format', { ranges: ['A1:A9', 'C1'], ...rule });
    await s.ok('set_validation', { ranges: ['D1'], kind: 'list', values: ['say "no"', 'yes'], error: 'One of two.' });
    await s.ok('set_validation', { ranges: ['D2'], kind: 'custom', values: ['=LEN(D2)<9'], prompt: 'Short.' });
    const before = await s.ok('list_objects');
    expect(before.conditional_formats).toHaveLength(5);
    for (const one of before.conditional_formats) await s.ok('set_conditional_format', one);
    for (const one of before.validations) await s.ok('set_validation', one);
    expect(await s.ok('list_objects')).toEqual(before);
  });

  test('a viewer may; nobody else', async () => {
    const s = await sheet();
    await furnish(s);
    expect(await s.ok('list_objects', {}, await sharedWith(server(), s, 'viewer'))).toEqual(await s.ok('list_objects'));
    expect(await s.call('list_objects', {}, await server().newUser())).toEqual(
      refused(310002, `file_id: there is no document "${s.file_id}"`),
    );
  });

  test('a kind or a sub-sheet that there is not is refused', async () => {
    const s = await sheet();
    expect(await s.call('list_objects', { object_types: ['name', 'chart'] })).toEqual(
      refused(
        310001,
        'object_types[1]: must be one of name, conditional_format, validation, comment, table, sheet (got "chart")',
      ),
    );
    expect(await s.call('list_objects', { sheet_id: 'none' })).toEqual(
      refused(310003, `sheet_id: there is no sub-sheet "none"; there are ${s.sheet_id} (Sheet1)`),
    );
    expect(await call('list_objects', {})).toEqual(refused(310001, 'file_id: is required (or file_url)'));
  });
});
