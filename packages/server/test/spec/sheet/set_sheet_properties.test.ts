import { expect, test } from 'vitest';
import { done, nothing, onTool, refused, type Sheet, sharedWith, versionOf } from './support.ts';

onTool('set_sheet_properties', ({ sheet, server }) => {
  const usual = {
    visibility: 'visible',
    zoom: 100,
    gridlines: true,
    default_col_width: 0,
    default_row_height: 0,
  };
  const properties = async (s: Sheet) => {
    const { sheets } = await s.ok('list_objects', { object_types: ['sheet'] });
    expect(sheets).toMatchObject([{ sheet_id: s.sheet_id }]);
    // How it is printed is set_page_setup's.
    const { sheet_id: _, page: __, ...rest } = sheets[0];
    return rest;
  };

  test('sets what is sent and leaves the rest', async () => {
    const s = await sheet();
    expect(await properties(s)).toEqual(usual);
    expect(await s.call('set_sheet_properties', { tab_color: '#00ff00', zoom: 80, gridlines: false })).toEqual(done);
    const set = { ...usual, tab_color: 'FF00FF00', zoom: 80, gridlines: false };
    expect(await properties(s)).toEqual(set);
    await s.ok('set_sheet_properties', { default_col_width: 90, default_row_height: 30 });
    expect(await properties(s)).toEqual({ ...set, default_col_width: 90, default_row_height: 30 });
    await s.ok('set_sheet_properties', { ...usual, tab_color: '' });
    expect(await properties(s)).toEqual(usual);
  });

  test('the same again is no revision', async () => {
    const s = await sheet();
    await s.ok('set_sheet_properties', { zoom: 150 });
    const version = await versionOf(server(), s);
    for (const input of [{ zoom: 150 }, { gridlines: true }, {}]) await s.ok('set_sheet_properties', input);
    expect(await versionOf(server(), s)).toBe(version);
  });

  test('hides sub-sheets, all but one', async () => {
    const s = await sheet();
    const last = refused(310008, 'visibility: at least one sub-sheet must stay visible');
    expect(await s.call('set_sheet_properties', { visibility: 'hidden' })).toEqual(last);
    const { sheet_id } = await s.ok('add_sheet', { name: 'Two' });
    await s.ok('set_sheet_properties', { visibility: 'very_hidden' });
    expect((await properties(s)).visibility).toBe('very_hidden');
    expect(await s.call('set_sheet_properties', { sheet_id, visibility: 'very_hidden' })).toEqual(last);
    await s.ok('set_sheet_properties', { visibility: 'visible' });
    expect(await s.call('set_sheet_properties', { sheet_id, visibility: 'hidden' })).toEqual(done);
    expect(await s.call('delete_sheet')).toEqual(
      refused(310008, 'sheet_id: at least one sub-sheet must stay visible; show another one first'),
    );
    expect(await s.call('delete_sheet', { sheet_id })).toEqual(nothing);
  });

  test('undo_revision and revert bring them back', async () => {
    const s = await sheet();
    const version = await versionOf(server(), s);
    await s.ok('set_sheet_properties', { zoom: 50, tab_color: '112233' });
    await s.put('A1', 'later\n');
    await s.ok('undo_revision', { version: version + 1 });
    expect([await properties(s), await s.csv('A1')]).toEqual([usual, 'later\n']);
    await s.ok('revert', { version: version + 1 });
    expect(await properties(s)).toEqual({ ...usual, zoom: 50, tab_color: 'FF112233' });
  });

  test('what is no property is refused, and nothing of the call is set', async () => {
    const s = await sheet();
    const set = (given: object) => s.call('set_sheet_properties', { gridlines: false, ...given });
    expect(await set({ tab_color: 'red' })).toEqual(
      refused(310001, 'tab_color: must be 6 or 8 hexadecimal digits (got "red")'),
    );
    expect(await set({ zoom: 401 })).toEqual(refused(310001, 'zoom: must be at most 400 (got 401)'));
    expect(await set({ visibility: 'gone' })).toEqual(
      refused(310001, 'visibility: must be one of visible, hidden, very_hidden (got "gone")'),
    );
    expect(await set({ sheet_id: 'none' })).toMatchObject({ code: 310003, data: {} });
    expect(await properties(s)).toEqual(usual);
  });

  test('not of a sub-sheet that somebody else protected as a whole', async () => {
    const s = await sheet();
    const other = await sharedWith(server(), s, 'editor');
    expect((await s.call('set_sheet_properties', { zoom: 90 }, other)).code).toBe(0);
    await s.ok('add_protect_range', { whole_sheet: true });
    expect(await s.call('set_sheet_properties', { zoom: 150 }, other)).toMatchObject({ code: 310005, data: {} });
    expect((await properties(s)).zoom).toBe(90);
    expect((await s.call('set_sheet_properties', { zoom: 150 })).code).toBe(0);
  });
});
