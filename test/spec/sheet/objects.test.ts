import { expect, test } from 'vitest';
import { pressSignIn, sessionOf } from '../../support/sign-in.ts';
import { at, nothing, onTool, r4, refused } from './support.ts';

onTool('names, rules, comments and properties', ({ sheet, server }) => {
  test('names are defined, changed, listed and removed, for the document and for a sub-sheet', async () => {
    const s = await sheet('1\n2\n=SUM(data)\n');
    expect(await s.csv('A3')).toBe('#NAME?\n');
    const whole = { sheet_id: undefined, name: 'data', refers_to: '=Sheet1!$A$1:$A$2' };
    expect(await s.call('set_name', whole)).toEqual(nothing);
    expect(await s.csv('A3')).toBe('3\n');
    await s.ok('set_name', { name: 'data', refers_to: '=Sheet1!$A$2' });
    expect(await s.csv('A3')).toBe('2\n');
    expect((await s.ok('list_objects', { sheet_id: undefined, object_types: ['name'] })).names).toEqual([
      { name: 'data', refers_to: '=Sheet1!$A$1:$A$2' },
      { name: 'data', refers_to: '=Sheet1!$A$2', sheet_id: s.sheet_id },
    ]);
    await s.ok('delete_object', { object_type: 'name', object_id: 'data' });
    expect(await s.csv('A3')).toBe('3\n');
    expect((await s.call('delete_object', { object_type: 'name', object_id: 'data' })).code).toBe(310004);
    expect(await s.call('set_name', { name: 'A1', refers_to: '=1' })).toMatchObject({ code: 310001 });
  });

  test('a conditional format is added, computed, follows rows and cells, and is removed', async () => {
    const s = await sheet('5\n150\n200\n');
    const rule = { kind: 'cell', test: 'greater', values: ['100'], style: { bg_color: 'FFC7CE' } };
    const { format_id } = await s.ok('set_conditional_format', { ranges: ['A1:A3'], ...rule });
    const found = async () => (await s.ok('get_computed_formats', r4('A1:C9'))).cells;
    expect(await found()).toEqual([
      { row: 1, col: 0, bg_color: 'FFFFC7CE' },
      { row: 2, col: 0, bg_color: 'FFFFC7CE' },
    ]);
    await s.ok('insert_dimension', { dimension_type: 'row', index: 1, count: 1 });
    expect((await s.ok('list_objects', { object_types: ['conditional_format'] })).conditional_formats).toEqual([
      {
        format_id,
        sheet_id: s.sheet_id,
        ranges: ['A1:A4'],
        kind: 'cell',
        test: 'greater',
        values: ['100'],
        style: { bg_color: 'FFFFC7CE' },
      },
    ]);
    await s.ok('copy_range', { source: r4('A3'), target: r4('C3') });
    expect((await found()).map((one: { col: number }) => one.col)).toEqual([0, 2, 0]);
    await s.ok('delete_object', { object_type: 'conditional_format', object_id: format_id });
    expect(await found()).toEqual([]);
    expect(
      await s.call('set_conditional_format', { ranges: ['A1'], kind: 'cell', test: 'between', values: ['1'] }),
    ).toEqual(refused(310001, 'values: must have 2 entries here (got 1)'));
    expect(await s.call('set_conditional_format', { ranges: ['nowhere!'], kind: 'blank' })).toEqual(
      refused(310001, 'ranges[0]: must be an A1 range of the sub-sheet (got "nowhere!")'),
    );
  });

  test('the 49 tools do not enforce data validation unless `enforce_validation: true`; people are held to it', async () => {
    const s = await sheet('open\n');
    await s.ok('set_validation', { ranges: ['A1:A9'], kind: 'list', values: ['open', 'done'], error: 'Open or done.' });
    const cell = (string_value: string) => ({ ...at('A1'), value_type: 'STRING', string_value });
    expect(await s.call('set_cell_value', cell('nonsense'))).toEqual(nothing);
    expect(await s.call('set_cell_value', { ...cell('later'), enforce_validation: true })).toMatchObject({
      code: 310008,
      msg: expect.stringMatching(/^Sheet1!A1 does not allow this value \(validation.*\): Open or done\.$/),
    });
    expect(await s.csv('A1')).toBe('nonsense\n');
    expect(await s.call('set_cell_value', { ...cell('done'), enforce_validation: true })).toEqual(nothing);
    const { url, owner } = server();
    const link = await server().call('http', 'account', 'create_sign_in_link', { user_id: owner.userId });
    const cookie = sessionOf(await pressSignIn(url, link.data.sign_in_path as string));
    const typed = await fetch(`${url}/openapi/sheet/v1/set_cell_value`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie, origin: url },
      body: JSON.stringify({ file_id: s.file_id, sheet_id: s.sheet_id, cell: cell('x') }),
    });
    expect(await typed.json()).toMatchObject({ code: 310008 });
  });

  test('comments: a thread, a reply, resolved, gone', async () => {
    const s = await sheet('x\n');
    const { comment_id } = await s.ok('set_comment', { ...at('A1'), text: 'Why?' });
    await s.ok('set_comment', { comment_id, text: 'Because.' });
    await s.ok('set_comment', { comment_id, resolved: true });
    const listed = async () => (await s.ok('list_objects', { object_types: ['comment'] })).comments;
    const [thread] = await listed();
    expect(thread).toMatchObject({ row: 0, col: 0, resolved: true, entries: [{ text: 'Why?' }, { text: 'Because.' }] });
    expect(thread.entries[0]).toMatchObject({ author: server().owner.userId, time: expect.any(Number) });
    await s.ok('set_comment', { comment_id, entry_id: thread.entries[1].entry_id, text: 'No reason.' });
    expect((await listed())[0].entries[1].text).toBe('No reason.');
    await s.ok('delete_object', { object_type: 'comment', object_id: comment_id });
    expect(await listed()).toEqual([]);
  });

  test('properties of a sub-sheet', async () => {
    const s = await sheet();
    expect(await s.call('set_sheet_properties', { visibility: 'hidden' })).toEqual(
      refused(310008, 'visibility: at least one sub-sheet must stay visible'),
    );
    await s.ok('set_sheet_properties', { tab_color: '00FF00', zoom: 80, gridlines: false });
    expect((await s.ok('list_objects', { object_types: ['sheet'] })).sheets).toEqual([
      {
        sheet_id: s.sheet_id,
        visibility: 'visible',
        tab_color: 'FF00FF00',
        zoom: 80,
        gridlines: false,
        default_col_width: 0,
        default_row_height: 0,
      },
    ]);
  });
});
