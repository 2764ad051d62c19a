import { expect, test } from 'vitest';
import { nothing, onTool, r4, refused } from './support.ts';

const table = 'name,kind,price\npear,fruit,3\nleek,herb,2\nplum,fruit,1\n';

onTool('remove_filter', ({ sheet }) => {
  const ids = async (s: Awaited<ReturnType<typeof sheet>>) =>
    (await s.ok('get_sheet_object_list')).objects.map((one: any) => one.object_id);

  test('[S51] shows the rows again that it hid', async () => {
    const s = await sheet(table);
    await s.put('K1', '"=SUBTOTAL(103,A2:A4)"\n');
    await s.ok('set_filter', { ...r4('A1:C4'), filter_id: 'f' });
    await s.ok('update_filter', { columns: [{ col: 1, visible_values: ['herb'] }] });
    expect(await s.csv('K1')).toBe('1\n');
    expect(await s.call('remove_filter', { filter_id: 'f' })).toEqual(nothing);
    expect(await s.csv('K1')).toBe('3\n');
    expect(await ids(s)).toEqual([]);
  });

  test('[S51] rows hidden by hand stay hidden', async () => {
    const s = await sheet(table);
    await s.put('K1', '"=SUBTOTAL(103,A2:A4)"\n');
    await s.ok('set_dimension_visible', { dimension_type: 'row', index: 1, count: 1, visible: false });
    await s.ok('set_filter', { ...r4('A1:C4'), filter_id: 'f' });
    await s.ok('update_filter', { columns: [{ col: 1, visible_values: [] }] });
    await s.ok('remove_filter', {});
    expect(await s.csv('K1')).toBe('2\n');
  });

  test('[S52] without filter_id all filters of the sub-sheet go, those of others stay', async () => {
    const s = await sheet(table);
    const { sheet_id } = await s.ok('add_sheet', {});
    await s.ok('set_filter', { ...r4('A1:C4'), filter_id: 'a' });
    await s.ok('set_filter', { ...r4('E1:F4'), filter_id: 'b' });
    await s.ok('set_filter', { ...r4('H1:I4'), filter_id: 'c' });
    await s.ok('set_filter', { sheet_id, ...r4('A1:C4'), filter_id: 'd' });
    await s.ok('remove_filter', { filter_id: 'b' });
    expect(await ids(s)).toEqual(['a', 'c']);
    expect(await s.call('remove_filter')).toEqual(nothing);
    expect(await ids(s)).toEqual([]);
    expect((await s.ok('get_sheet_object_list', { sheet_id })).objects).toHaveLength(1);
    expect(await s.call('remove_filter')).toEqual(nothing);
  });

  test('[S52] an unknown filter is 310004', async () => {
    const s = await sheet(table);
    await s.ok('set_filter', { ...r4('A1:C4'), filter_id: 'a' });
    expect(await s.call('remove_filter', { filter_id: 'x' })).toEqual(
      refused(310004, 'filter_id: there is no filter "x" on this sub-sheet; there are a'),
    );
  });

  test('[S16] return_changes lists dependents', async () => {
    const s = await sheet(table);
    await s.put('K1', '"=SUBTOTAL(103,A2:A4)"\n');
    await s.ok('set_filter', { ...r4('A1:C4'), filter_id: 'f' });
    await s.ok('update_filter', { columns: [{ col: 1, visible_values: [] }] });
    expect(await s.ok('remove_filter', { return_changes: true })).toMatchObject({
      changes: [{ sheet_id: s.sheet_id, row: 0, col: 10, value: 3 }],
    });
  });
});
