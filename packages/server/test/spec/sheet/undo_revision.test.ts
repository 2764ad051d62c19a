import { expect, test } from 'vitest';
import { onSurface } from '@sheaf/tools/testing/test-server.ts';
import { at, newSheet, r4 } from './support.ts';

onSurface('sheet', 'undo_revision', (call, server) => {
  const version = async (file_id: string): Promise<number> =>
    (await server().call('http', 'manage', 'query_file_info', { file_id })).data.file.version as number;

  test('[S109] takes one revision back and keeps what others wrote since, elsewhere', async () => {
    const s = await newSheet(call, server(), 'a,b\n1,2\n');
    await s.put('A2', '10\n');
    const mine = await version(s.file_id);
    await s.put('B2', '20\n');
    await s.ok('set_cell_style', { ...r4('B1'), format: { bold: true } });
    await call('add_sheet', { file_id: s.file_id });
    await s.ok('undo_revision', { version: mine });
    expect(await s.csv('A1:B2')).toBe('a,b\n1,20\n');
    // Taken back again, it is as before.
    const undone = await version(s.file_id);
    await s.ok('undo_revision', { version: undone });
    expect(await s.csv('A1:B2')).toBe('a,b\n10,20\n');
    // Both stand aside for what comes before them.
    await s.ok('undo_revision', { version: mine + 1 });
    expect(await s.csv('A1:B2')).toBe('a,b\n10,2\n');
  });

  test('[S109] refuses where a later revision changed or moved the same cells, or took it back', async () => {
    const s = await newSheet(call, server(), 'a\n');
    await s.put('A1', 'mine\n');
    const mine = await version(s.file_id);
    await s.put('A1', 'theirs\n');
    expect(await s.call('undo_revision', { version: mine })).toEqual({
      code: 310008,
      msg: `version: revision ${mine} cannot be undone on its own, because revision ${mine + 1} changed the same cells; use revert`,
      data: {},
    });
    await s.ok('undo_revision', { version: mine + 1 });
    await s.ok('undo_revision', { version: mine });
    expect(await s.csv('A1')).toBe('a\n');
    expect(await s.call('undo_revision', { version: mine })).toEqual({
      code: 310008,
      msg: `version: revision ${mine} was already undone by revision ${mine + 3}`,
      data: {},
    });
    await s.put('C5', 'x\n');
    const written = await version(s.file_id);
    await s.ok('insert_dimension', { dimension_type: 'row', index: 0, count: 1 });
    expect(await s.call('undo_revision', { version: written })).toMatchObject({
      code: 310008,
      msg: expect.stringContaining('moved cells or changed the structure'),
    });
    expect(await s.call('undo_revision', { version: written + 1 })).toMatchObject({
      code: 310008,
      msg: expect.stringContaining('did more than change cells'),
    });
    await s.ok('revert', { version: mine - 1 });
    expect(await s.call('undo_revision', { version: written })).toMatchObject({
      code: 310008,
      msg: expect.stringContaining('was already undone'),
    });
    expect(await s.call('undo_revision', { version: 999 })).toMatchObject({ code: 310004 });
  });

  test('[S109] is refused to who may not write, and on protected cells', async () => {
    const s = await newSheet(call, server(), 'a\n');
    await s.put('B1', 'b\n');
    const mine = await version(s.file_id);
    const ada = await server().newUser();
    await server().call('http', 'manage', 'share_file', { file_id: s.file_id, user_id: ada.userId, role: 'editor' });
    await s.ok('add_protect_range', { range: { start_row: 0, start_col: 1, end_row: 1, end_col: 2 } });
    expect(await s.call('undo_revision', { version: mine }, ada)).toMatchObject({ code: 310005 });
    await server().call('http', 'manage', 'share_file', { file_id: s.file_id, user_id: ada.userId, role: 'viewer' });
    expect(await s.call('undo_revision', { version: mine }, ada)).toMatchObject({ code: 310007 });
    await s.ok('set_link', { ...at('A1'), url: 'https://example.com/' });
    await s.ok('undo_revision', { version: mine });
    expect(await s.csv('A1:B1')).toBe('a,\n');
  });
});
