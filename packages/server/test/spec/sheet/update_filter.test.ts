import { expect, test } from 'vitest';
import { nothing, onTool, r4, refused } from './support.ts';

const table = 'name,kind,price\npear,fruit,3\nleek,herb,2\nplum,fruit,1\n';

onTool('update_filter', ({ sheet }) => {
  /** With the number of visible rows in K1: SUBTOTAL(103) counts those only. */
  const filtered = async (range = 'A1:C4') => {
    const s = await sheet(table);
    await s.put('K1', '"=SUBTOTAL(103,A2:A4)"\n');
    await s.ok('set_filter', { ...r4(range), filter_id: 'f' });
    return { s, visible: async () => Number(await s.csv('K1')) };
  };

  test('[S51] rows whose shown text is not listed are hidden; columns add up; an empty list hides all', async () => {
    const { s, visible } = await filtered();
    expect(await visible()).toBe(3);
    expect(await s.call('update_filter', { columns: [{ col: 1, visible_values: ['fruit'] }] })).toEqual(nothing);
    expect(await visible()).toBe(2);
    await s.ok('update_filter', { columns: [{ col: 0, visible_values: ['plum', 'leek'] }] });
    expect(await visible()).toBe(1);
    await s.ok('update_filter', { columns: [{ col: 2, visible_values: [] }] });
    expect(await visible()).toBe(0);
  });

  test('[S51] empty columns, or none, leave the criteria unchanged; naming a column replaces its own', async () => {
    const { s, visible } = await filtered();
    await s.ok('update_filter', { columns: [{ col: 1, visible_values: ['herb'] }] });
    await s.ok('update_filter', { columns: [] });
    expect(await visible()).toBe(1);
    await s.ok('update_filter', {});
    expect(await visible()).toBe(1);
    await s.ok('update_filter', { columns: [{ col: 1, visible_values: ['herb', 'fruit'] }] });
    expect(await visible()).toBe(3);
  });

  test('[S51] values are compared with what is shown and what is stored', async () => {
    const { s, visible } = await filtered();
    await s.ok('set_cell_style', { ...r4('C2:C4'), format: { number_format_pattern: '0.00' } });
    await s.ok('update_filter', { columns: [{ col: 2, visible_values: ['3.00', '1'] }] });
    expect(await visible()).toBe(2);
    await s.ok('update_filter', { columns: [{ col: 2, visible_values: ['3.00', '1.0'] }] });
    expect(await visible()).toBe(1);
  });

  test('[S51] visible_values and col are required', async () => {
    const { s } = await filtered();
    expect(await s.call('update_filter', { columns: [{ col: 1 }] })).toEqual(
      refused(310001, 'columns[0].visible_values: is required'),
    );
    expect(await s.call('update_filter', { columns: [{ visible_values: [] }] })).toEqual(
      refused(310001, 'columns[0].col: is required'),
    );
  });

  test('[S52] without filter_id: the one that holds the columns, or the only one; several are listed', async () => {
    const { s, visible } = await filtered();
    await s.ok('set_filter', { ...r4('E1:G4'), filter_id: 'right' });
    await s.ok('update_filter', { columns: [{ col: 1, visible_values: ['herb'] }] });
    expect(await visible()).toBe(1);
    expect(await s.call('update_filter', { columns: [] })).toEqual(
      refused(310001, 'filter_id: is required because there are several filters: f, right'),
    );
    expect(await s.call('update_filter', { filter_id: 'right', columns: [{ col: 0, visible_values: [] }] })).toEqual(
      refused(310001, "columns[0].col: must be within the filter's range, columns 4 to 6 (got 0)"),
    );
    expect(await s.call('update_filter', { filter_id: 'none', columns: [] })).toEqual(
      refused(310004, 'filter_id: there is no filter "none" on this sub-sheet; there are f, right'),
    );
    await s.ok('remove_filter');
    expect(await s.call('update_filter', { columns: [] })).toEqual(
      refused(310004, 'filter_id: this sub-sheet has no filter; create one with set_filter'),
    );
  });

  test('[S53] is_update_range needs the four fields and replaces the range', async () => {
    const { s, visible } = await filtered('A1:B4');
    for (const field of ['start_row', 'start_col', 'end_row', 'end_col']) {
      expect(await s.call('update_filter', { is_update_range: true, ...r4('A1:C3'), [field]: undefined })).toEqual(
        refused(310001, `${field}: is required when is_update_range is true`),
      );
    }
    await s.ok('update_filter', {
      is_update_range: true,
      ...r4('A1:C3'),
      columns: [{ col: 2, visible_values: ['3'] }],
    });
    expect((await s.ok('get_sheet_object_list')).objects[0].data_range).toBe(`${s.sheet_id}$A1:C3`);
    expect(await visible()).toBe(2);
    expect(
      await s.call('update_filter', { is_update_range: true, start_row: 3, start_col: 0, end_row: 2, end_col: 2 }),
    ).toEqual(refused(310001, 'end_row: must be at least start_row, 3 (got 2)'));
  });

  test('[S53] without is_update_range the four fields say nothing', async () => {
    const { s } = await filtered();
    await s.ok('update_filter', { ...r4('A1:A2'), columns: [] });
    await s.ok('update_filter', { is_update_range: false, start_row: 5, end_row: 1 });
    expect((await s.ok('get_sheet_object_list')).objects[0].data_range).toBe(`${s.sheet_id}$A1:C4`);
  });

  test('[S50] a new range does not overlap another filter', async () => {
    const { s } = await filtered();
    await s.ok('set_filter', { ...r4('E1:G4'), filter_id: 'right' });
    expect(await s.call('update_filter', { filter_id: 'f', is_update_range: true, ...r4('A1:E4') })).toEqual(
      refused(310008, 'start_row: the region overlaps filter right'),
    );
    expect(await s.call('update_filter', { filter_id: 'f', is_update_range: true, ...r4('A1:D9') })).toEqual(nothing);
  });
});
