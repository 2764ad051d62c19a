import { expect, test } from 'vitest';
import { onTool, r4, refused, type Sheet } from './support.ts';

onTool('edit_rows', ({ call, server, sheet }) => {
  const people = 'name,score,state\na,95,done\nb,80,done\nc,70,open\nd,60,Done\n';
  const version = async (s: Sheet): Promise<number> =>
    (await call('get_history', { file_id: s.file_id, limit: 1 })).data.revisions[0].version;

  test('finds the rows for which a condition holds, and changes nothing', async () => {
    const s = await sheet(people);
    const before = await version(s);
    expect(await s.ok('edit_rows', { where: 'score <= 90 and state = "done"', action: 'find' })).toEqual({
      matched: 2,
      rows: { 3: ['b', 80, 'done'], 5: ['d', 60, 'Done'] },
      changed: {},
      changed_count: 0,
    });
    expect(await s.ok('edit_rows', { range: 'A1:C3', where: 'B > 90', action: 'find' })).toMatchObject({ matched: 1 });
    expect(await s.ok('edit_rows', { range: 'Sheet1', action: 'find' })).toMatchObject({ matched: 4 });
    await s.put('A6', Array.from({ length: 500 }, (_, i) => `person ${i},1,late\n`).join(''));
    const many = await s.ok('edit_rows', { where: 'state = "late"', action: 'find' });
    expect(many.matched).toBe(500);
    expect(Object.keys(many.rows)[0]).toBe('6');
    expect(JSON.stringify(many.rows).length).toBeLessThanOrEqual(1200);
    expect(await version(s)).toBe(before + 1);
  });

  test('deletes whole rows; only the cells of the table where something stands beside it', async () => {
    const s = await sheet(people);
    expect(await s.ok('edit_rows', { where: 'state = "done"', action: 'delete' })).toMatchObject({
      matched: 3,
      shifted: ['Sheet1!rows 5:5 deleted', 'Sheet1!rows 2:3 deleted'],
    });
    expect(await s.csv('A1:C3')).toBe('name,score,state\nc,70,open\n');
    const beside = await sheet(people);
    await beside.put('F1', 'kept\n1\n2\n');
    await beside.ok('edit_rows', { range: 'A1:C5', where: 'name in ("a", "b")', action: 'delete' });
    expect(await beside.csv('A1:F3')).toBe('name,score,state,,,kept\nc,70,open,,,1\nd,60,Done,,,2\n');
  });

  test('marks with values, a new column and a color; never over cells beside the table', async () => {
    const s = await sheet(people);
    expect(
      await s.ok('edit_rows', {
        where: 'score > 75',
        action: 'mark',
        set: { C: 'top', note: '12%' },
        color: 'FFDDEE',
      }),
    ).toMatchObject({
      matched: 2,
      changed: { 'C2:C3': 'top', D1: 'note', 'D2:D3': '12%' },
      notes: ['colored A2:C3'],
    });
    expect(await s.csv('A1:D4')).toBe('name,score,state,note\na,95,top,0.12\nb,80,top,0.12\nc,70,open,\n');
    const { cells } = await s.ok('get_cell_style', r4('A2'));
    expect(JSON.stringify(cells)).toContain('FFDDEE');
    const before = await version(s);
    expect(await s.call('edit_rows', { range: 'A1:B5', action: 'mark', set: { seen: true } })).toEqual(
      refused(
        310008,
        'set.seen: the new column would be C, where C1 is filled; name a column of the table, or a range that includes it',
      ),
    );
    expect(await s.call('edit_rows', { action: 'mark', color: 'pink' })).toEqual(
      refused(310001, 'color: must be 6 or 8 hexadecimal digits (got "pink")'),
    );
    expect(await version(s)).toBe(before);
  });

  test('sorts the rows that hold among themselves; sorted ones make no revision', async () => {
    const s = await sheet(people);
    const sort = { where: 'name <> "b"', action: 'sort', sort_by: [{ column: 'score' }] };
    expect(await s.ok('edit_rows', sort)).toMatchObject({ matched: 3 });
    expect(await s.csv('A1:B5')).toBe('name,score\nd,60\nb,80\nc,70\na,95\n');
    const before = await version(s);
    expect(await s.ok('edit_rows', sort)).toEqual({ matched: 3, changed: {}, changed_count: 0 });
    expect(await version(s)).toBe(before);
    const by = [{ column: 'state' }, { column: 'B', descending: true }];
    await s.ok('edit_rows', { action: 'sort', sort_by: by });
    expect(await s.csv('A2:A5')).toBe('a\nb\nd\nc\n');
  });

  test('moves rows below what another sub-sheet holds, in one revision', async () => {
    const s = await sheet(people);
    const { sheet_id } = await s.ok('add_sheet', { name: 'Archive' });
    await s.ok('set_range_value_by_csv', { sheet_id, csv_data: 'old,1,x\n' });
    const before = await version(s);
    const move = { range: 'Sheet1', where: 'state = "done"', action: 'move' };
    expect(await s.ok('edit_rows', { ...move, to: 'Archive' })).toMatchObject({ matched: 3 });
    expect(await version(s)).toBe(before + 1);
    expect(await s.csv('A1:C3')).toBe('name,score,state\nc,70,open\n');
    expect((await s.ok('get_cell_data', { ...r4('A1:C4'), sheet_id, return_csv: true })).csv_data).toBe(
      'old,1,x\na,95,done\nb,80,done\nd,60,Done\n',
    );
    expect(await s.call('edit_rows', { range: 'Sheet1', action: 'move', to: 'Sheet1!A9' })).toEqual(
      refused(310001, 'to: must be on another sub-sheet'),
    );
  });

  test('dry_run tells and changes nothing; assert refuses what does not hold', async () => {
    const s = await sheet(people);
    const before = await version(s);
    const mark = { where: 'name = "a"', action: 'mark', set: { score: 1 } };
    expect(await s.ok('edit_rows', { ...mark, dry_run: true })).toEqual({
      matched: 1,
      changed: { B2: '1' },
      changed_count: 1,
      dry_run: true,
    });
    expect(await s.call('edit_rows', { ...mark, assert: ['SUM(B2:B5) = 305'] })).toEqual(
      refused(310008, 'assert: SUM(B2:B5) = 305 does not hold: SUM(B2:B5) is 211, 305 is 305; nothing was changed'),
    );
    expect(await s.ok('edit_rows', { where: 'name = "zz"', action: 'delete' })).toEqual({
      matched: 0,
      changed: {},
      changed_count: 0,
    });
    expect(await version(s)).toBe(before);
    expect(await s.csv('A1:C5')).toBe(people);
  });

  test('says what is missing or wrong, whether or not a row holds', async () => {
    const s = await sheet('name,n,n\na,1,2\n');
    const edit = (input: Record<string, unknown>) => s.call('edit_rows', { range: 'A1:C2', ...input });
    for (const where of ['name = "a"', 'name = "zz"']) {
      expect(await edit({ where, action: 'mark' })).toEqual(refused(310001, 'set: mark needs set or color'));
      expect(await edit({ where, action: 'sort' })).toEqual(refused(310001, 'sort_by: is required for sort'));
      expect(await edit({ where, action: 'move' })).toEqual(refused(310001, 'to: is required for move'));
    }
    expect(await edit({ action: 'sort', sort_by: [{ column: 'zz' }] })).toEqual(
      refused(310001, 'sort_by[0].column: there is no column "zz"'),
    );
    const several = "n is a heading of several columns; write table.n or the column's letter";
    expect(await edit({ action: 'sort', sort_by: [{ column: 'n' }] })).toEqual(
      refused(310001, `sort_by[0].column: ${several}`),
    );
    expect(await edit({ action: 'mark', set: { n: 5 } })).toEqual(refused(310001, `set.n: ${several}`));
    expect(await edit({ where: 'nam = 1', action: 'delete' })).toEqual(
      refused(310001, 'where: there is no column nam; did you mean name?'),
    );
    expect(await edit({ action: 'drop' })).toEqual(
      refused(310001, 'action: must be one of find, delete, move, mark, sort (got "drop")'),
    );
    await s.ok('add_sheet', { name: 'Other' });
    expect(await call('edit_rows', { file_id: s.file_id, action: 'find' })).toEqual(
      refused(310001, 'range: name the table or its sub-sheet; there are Sheet1, Other'),
    );
  });

  test('[S91] does not get past a protected row, wherever the others are', async () => {
    const s = await sheet(people);
    const other = await server().newUser();
    const shared = { file_id: s.file_id, user_id: other.userId, role: 'editor' };
    expect(await server().call('http', 'manage', 'share_file', shared)).toMatchObject({ code: 0 });
    const { protect_range_id } = await s.ok('add_protect_range', {
      range: { start_row: 2, start_col: 0, end_row: 3, end_col: 3 },
    });
    const mark = { action: 'mark', set: { state: 'x' } };
    expect(await s.call('edit_rows', mark, other)).toEqual(
      refused(
        310005,
        `Sheet1!A3:C3 is protected (${protect_range_id}); its creator and the document's owner may change it`,
      ),
    );
    expect(await s.call('edit_rows', { action: 'delete', where: 'name = "b"' }, other)).toMatchObject({ code: 310005 });
    expect(await s.csv('A1:C5')).toBe(people);
    expect(await s.ok('edit_rows', { ...mark, where: 'name <> "b"' }, other)).toMatchObject({ matched: 3 });
    expect(await s.ok('edit_rows', mark)).toMatchObject({ matched: 4, changed: { C3: 'x' }, changed_count: 1 });
  });

  test('[finding T22] sorting leaves a row of totals in place and says so', async () => {
    const s = await sheet('name,kg\na,2\nb,5\nc,3\ntotal,=SUM(B2:B4)\n');
    const sort = { action: 'sort', sort_by: [{ column: 'kg', descending: true }] };
    expect(await s.ok('edit_rows', sort)).toMatchObject({
      matched: 3,
      notes: ['row 5 holds totals and was left in place'],
    });
    expect(await s.csv('A1:B5')).toBe('name,kg\nb,5\nc,3\na,2\ntotal,10\n');
    const running = await sheet('kg,sum\n2,=SUM(A$2:A2)\n5,=SUM(A$2:A3)\n3,=SUM(A$2:A4)\n');
    expect(await running.ok('edit_rows', { ...sort, sort_by: [{ column: 'kg' }] })).not.toHaveProperty('notes');
    expect((await s.ok('describe_sheet')).sheets[0].regions[0]).toMatchObject({ has_totals: true });
  });
});
