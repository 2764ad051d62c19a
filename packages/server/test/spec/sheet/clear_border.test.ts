import { expect, test } from 'vitest';
import { bordersOf } from './exported.ts';
import { nothing, onTool, r4, refused } from './support.ts';

onTool('clear_border', ({ server, sheet }) => {
  const boxed = async () => {
    const s = await sheet('1,2\n3,4\n');
    await s.ok('set_border', { ...r4('A1:B2'), border_positions: [0, 1, 2, 3, 4, 5] });
    return s;
  };

  test('[S25] without positions all lines of the region go, those inside too', async () => {
    const s = await boxed();
    expect(await s.call('clear_border', r4('A1:B2'))).toEqual(nothing);
    expect(await bordersOf(server(), s, 'A1:B2')).toEqual({ A1: {}, B1: {}, A2: {}, B2: {} });
  });

  test('[S25] an empty list of positions is none: all lines go', async () => {
    const s = await boxed();
    await s.ok('clear_border', { ...r4('A1:B2'), border_positions: [] });
    expect(await bordersOf(server(), s, 'A1:B2')).toEqual({ A1: {}, B1: {}, A2: {}, B2: {} });
  });

  test('[S25] positions name the lines that go; the others stay', async () => {
    const s = await boxed();
    await s.ok('clear_border', { ...r4('A1:B2'), border_positions: [0, 4] });
    const lines = await bordersOf(server(), s, 'A1:B2');
    expect(lines['A1']).toMatchObject({ left: 'thin 000000' });
    expect([
      lines['A1']!['top'],
      lines['B1']!['top'],
      lines['A1']!['right'],
      lines['B1']!['left'],
      lines['A2']!['right'],
      lines['B2']!['left'],
    ]).toEqual([undefined, undefined, undefined, undefined, undefined, undefined]);
    expect([
      lines['A2']!['bottom'],
      lines['B2']!['bottom'],
      lines['B1']!['right'],
      lines['A1']!['bottom'] ?? lines['A2']!['top'],
    ]).toEqual(['thin 000000', 'thin 000000', 'thin 000000', 'thin 000000']);
  });

  test('[S25] other styles and contents stay', async () => {
    const s = await boxed();
    await s.ok('set_cell_style', { ...r4('A1'), format: { font_size: 9 } });
    await s.ok('clear_border', r4('A1:B2'));
    expect((await s.ok('get_cell_style', r4('A1'))).cells[0].font_size).toBe(9);
    expect(await s.csv('A1:B2')).toBe('1,2\n3,4\n');
  });

  test('[S25] positions that are none are 310001', async () => {
    const s = await boxed();
    expect(await s.call('clear_border', { ...r4('A1'), border_positions: [9] })).toMatchObject({
      code: 310001,
      data: {},
    });
    expect(await s.call('clear_border', { start_row: 1, start_col: 0, end_row: 0, end_col: 0 })).toEqual(
      refused(310001, 'end_row: must be at least start_row, 1 (got 0)'),
    );
  });
});
