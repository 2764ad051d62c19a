import { expect, test } from 'vitest';
import { submitSignIn, sessionOf } from '@sheaf/tools/testing/sign-in.ts';
import { at, nothing, onTool, refused, type Sheet, sharedWith, versionOf } from './support.ts';

onTool('set_validation', ({ sheet, server }) => {
  const listed = async (s: Sheet) => (await s.ok('list_objects', { object_types: ['validation'] })).validations;
  const enter = (s: Sheet, cell: string, string_value: string) =>
    s.call('set_cell_value', { ...at(cell), value_type: 'STRING', string_value, enforce_validation: true });
  const number = (s: Sheet, cell: string, number_value: number) =>
    s.call('set_cell_value', { ...at(cell), value_type: 'NUMBER', number_value, enforce_validation: true });

  test('the 49 tools do not enforce data validation unless `enforce_validation: true`; people are held to it', async () => {
    const s = await sheet('open\n');
    await s.ok('set_validation', { ranges: ['A1:A9'], kind: 'list', values: ['open', 'done'], error: 'Open or done.' });
    const cell = (string_value: string) => ({ ...at('A1'), value_type: 'STRING', string_value });
    expect(await s.call('set_cell_value', cell('nonsense'))).toEqual(nothing);
    expect(await s.call('set_cell_value', { ...cell('later'), enforce_validation: true })).toMatchObject({
      code: 310008,
      msg: 'Sheet1!A1 does not allow this value; it must be one of open, done: Open or done.',
    });
    expect(await s.csv('A1')).toBe('nonsense\n');
    expect(await s.call('set_cell_value', { ...cell('done'), enforce_validation: true })).toEqual(nothing);
    const { url, owner } = server();
    const link = await server().call('http', 'account', 'create_sign_in_link', { user_id: owner.userId });
    const cookie = sessionOf(await submitSignIn(url, link.data.sign_in_path as string));
    const typed = await fetch(`${url}/openapi/sheet/v1/set_cell_value`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie, origin: url },
      body: JSON.stringify({ file_id: s.file_id, sheet_id: s.sheet_id, cell: cell('x') }),
    });
    expect(await typed.json()).toMatchObject({ code: 310008 });
  });

  test.each([
    [{ kind: 'whole', values: ['1', '10'] }, 'a whole number between 1 and 10'],
    [{ kind: 'whole', values: ['1', '=$B$1*2'], test: 'not_between' }, 'a whole number not between 1 and 16'],
    [{ kind: 'decimal', values: ['99.5'], test: 'greater' }, 'a number greater than 99.5'],
    [{ kind: 'date', values: ['=DATE(2026,1,31)'], test: 'greater' }, 'a date greater than 2026-01-31'],
    [{ kind: 'time', values: ['=TIME(9,30,0)'], test: 'equal' }, 'a time equal to 09:30:00'],
    [{ kind: 'length', values: ['1'], test: 'less_or_equal' }, 'a text with a length less than or equal to 1'],
    [{ kind: 'list', values: [...'abcdefghijkl'] }, 'one of a, b, c, d, e, f, g, h, i, j or 2 more'],
    [{ kind: 'list', values: ['=$B$1:$B$2'] }, 'one of 8, rye'],
    [{ kind: 'custom', values: ['=A1>90'] }, 'one for which the formula =A1>90 (written for A1) is true'],
  ])('[finding P15] a refusal says what %j requires, and names no id', async (rule, words) => {
    const s = await sheet('\n');
    await s.ok('enter_cells', { start_row: 0, start_col: 1, rows: [['8'], ['rye']] });
    await s.ok('set_validation', { ranges: ['A1:A9'], ...rule });
    const value = 'test' in rule && rule.test === 'not_between' ? 2 : 42;
    expect(await number(s, 'A2', value)).toMatchObject({
      code: 310008,
      msg: `Sheet1!A2 does not allow this value; it must be ${words}`,
    });
  });

  test('[finding P15] a cell that must not be blank says so', async () => {
    const s = await sheet('1\n');
    await s.ok('set_validation', { ranges: ['A1'], kind: 'whole', values: ['1', '10'], required: true });
    expect(await enter(s, 'A1', '')).toMatchObject({
      msg: 'Sheet1!A1 does not allow this value; it must not be blank',
    });
  });

  test('keeps every field, and the fields of a replaced rule are those sent', async () => {
    const s = await sheet();
    const rule = {
      ranges: ['B2:B9', 'D2'],
      kind: 'whole',
      test: 'not_between',
      values: ['1', '=A2'],
      required: true,
      prompt_title: 'Amount',
      prompt: 'Not from 1 to A.',
      error_title: 'No',
      error: 'Try again.',
      error_style: 'warning',
    };
    const { validation_id } = await s.ok('set_validation', rule);
    expect(validation_id).toMatch(/^validation_/);
    expect(await listed(s)).toEqual([{ validation_id, sheet_id: s.sheet_id, ...rule }]);
    const formula = { ranges: ['C1'], kind: 'list', values: ['="a"&"b"'], hide_list: true };
    expect(await s.ok('set_validation', { validation_id, ...formula })).toMatchObject({ validation_id });
    expect(await listed(s)).toEqual([{ validation_id, sheet_id: s.sheet_id, ...formula }]);
    const quoted = { ranges: ['C1'], kind: 'list', values: ['12" pipe', 'none'] };
    await s.ok('set_validation', { validation_id, ...quoted });
    expect(await listed(s)).toEqual([{ validation_id, sheet_id: s.sheet_id, ...quoted }]);
    expect((await enter(s, 'C1', '12" pipe')).code).toBe(0);
  });

  test('a formula is written for the first cell and moves with the others; a later rule holds', async () => {
    const s = await sheet('10\n20\n30\n');
    await s.ok('set_validation', { ranges: ['B1:B3'], kind: 'decimal', test: 'greater', values: ['=A1'] });
    expect((await number(s, 'B1', 11)).code).toBe(0);
    expect((await number(s, 'B3', 11)).code).toBe(310008);
    await s.ok('set_validation', { ranges: ['B3'], kind: 'list', values: ['=$A$1:$A$2'] });
    expect((await number(s, 'B3', 31)).code).toBe(310008);
    expect((await number(s, 'B3', 20)).code).toBe(0);
    await s.ok('set_validation', { ranges: ['B1:B3'], kind: 'whole', values: ['1', '2'], error_style: 'information' });
    expect((await enter(s, 'B3', 'whatever')).code).toBe(0);
  });

  test('follows inserted rows; taken back, it is as before', async () => {
    const s = await sheet('1\n2\n3\n');
    const { validation_id } = await s.ok('set_validation', { ranges: ['B1:B3'], kind: 'list', values: ['=$A$1:$A$3'] });
    const made = await versionOf(server(), s);
    await s.ok('set_validation', { validation_id, ranges: ['B1:B3'], kind: 'list', values: ['x'] });
    const replaced = await versionOf(server(), s);
    expect(await s.call('undo_revision', { version: replaced })).toEqual(
      refused(310008, `version: revision ${replaced} did more than change cells; use revert`),
    );
    await s.ok('revert', { version: made });
    await s.ok('insert_dimension', { dimension_type: 'row', index: 1, count: 2 });
    expect(await listed(s)).toEqual([
      { validation_id, sheet_id: s.sheet_id, ranges: ['B1:B5'], kind: 'list', values: ['=$A$1:$A$5'] },
    ]);
    await s.ok('revert', { version: made });
    expect(await listed(s)).toEqual([
      { validation_id, sheet_id: s.sheet_id, ranges: ['B1:B3'], kind: 'list', values: ['=$A$1:$A$3'] },
    ]);
    await s.ok('revert', { version: made - 1 });
    expect(await listed(s)).toEqual([]);
  });

  test('what makes no rule is refused', async () => {
    const s = await sheet();
    const set = (rule: object) => s.call('set_validation', { ranges: ['A1'], kind: 'list', ...rule });
    expect(await set({})).toEqual(refused(310001, 'values: must have at least 1 entry here (got 0)'));
    expect(await set({ kind: 'whole', values: ['1'] })).toEqual(
      refused(310001, 'values: must have at least 2 entries here (got 1)'),
    );
    expect(await set({ values: ['a', 'b,c'] })).toEqual(
      refused(310001, 'values[1]: must not contain a comma; list a range with = instead'),
    );
    expect(await set({ kind: 'custom', values: ['=SUM('] })).toEqual(
      refused(310009, 'values[0]: A value is expected, not the end of the formula, at character 6'),
    );
    expect(await set({ ranges: ['A1', 'A0'], kind: 'any' })).toEqual(
      refused(
        310001,
        'ranges[1]: "A0" is neither an address nor a heading on Sheet1; write it like B2, A1:D9, A:C or Sheet1!A1:D9',
      ),
    );
    expect(await set({ validation_id: 'none', values: ['a'] })).toEqual(
      refused(310004, 'validation_id: there is none "none" on this sub-sheet; there are none'),
    );
    expect(await set({ values: ['a'.repeat(8190), 'bc'] })).toEqual(
      refused(310006, 'values: a list has at most 8192 characters, commas included (got 8193)'),
    );
    expect(await listed(s)).toEqual([]);
    expect((await set({ values: ['a'.repeat(8190), 'b'] })).code).toBe(0);
  });

  test('not over cells that somebody else protected', async () => {
    const s = await sheet();
    const other = await sharedWith(server(), s, 'editor');
    const { protect_range_id } = await s.ok('add_protect_range', {
      range: { start_row: 1, start_col: 1, end_row: 3, end_col: 3 },
    });
    const set = (range: string) => s.call('set_validation', { ranges: ['F1', range], kind: 'any' }, other);
    expect(await set('A1:B2')).toEqual(
      refused(
        310005,
        `Sheet1!B2:C3 is protected (${protect_range_id}); its creator and the document's owner may change it`,
      ),
    );
    expect(await listed(s)).toEqual([]);
    expect((await set('A1:B1')).code).toBe(0);
  });
});
