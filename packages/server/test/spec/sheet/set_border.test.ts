import { expect, test } from 'vitest';
import { bordersOf } from './exported.ts';
import { nothing, onTool, r4, refused } from './support.ts';

onTool('set_border', ({ server, sheet }) => {
  test('[S24] six positions: top, bottom, left, right, inner vertical, inner horizontal; thin and black by default', async () => {
    const line = 'thin 000000';
    const expected: [number, Record<string, Record<string, string>>][] = [
      [0, { A1: { top: line }, B1: { top: line }, A2: {}, B2: {} }],
      [1, { A1: {}, B1: {}, A2: { bottom: line }, B2: { bottom: line } }],
      [2, { A1: { left: line }, B1: {}, A2: { left: line }, B2: {} }],
      [3, { A1: {}, B1: { right: line }, A2: {}, B2: { right: line } }],
    ];
    for (const [position, lines] of expected) {
      const s = await sheet('1,2\n3,4\n');
      expect(await s.call('set_border', { ...r4('A1:B2'), border_positions: [position] })).toEqual(nothing);
      expect(await bordersOf(server(), s, 'A1:B2'), String(position)).toEqual(lines);
    }
    const s = await sheet('1,2\n3,4\n');
    await s.ok('set_border', { ...r4('A1:B2'), border_positions: [4] });
    const vertical = await bordersOf(server(), s, 'A1:B2');
    // A line between two cells may be kept by either; it is there, and no other is.
    expect([
      vertical['A1']!['right'] ?? vertical['B1']!['left'],
      vertical['A2']!['right'] ?? vertical['B2']!['left'],
    ]).toEqual([line, line]);
    expect(
      Object.values(vertical)
        .flatMap(Object.keys)
        .filter((edge) => edge === 'top' || edge === 'bottom'),
    ).toEqual([]);
    const t = await sheet('1,2\n3,4\n');
    await t.ok('set_border', { ...r4('A1:B2'), border_positions: [5] });
    const horizontal = await bordersOf(server(), t, 'A1:B2');
    expect([
      horizontal['A1']!['bottom'] ?? horizontal['A2']!['top'],
      horizontal['B1']!['bottom'] ?? horizontal['B2']!['top'],
    ]).toEqual([line, line]);
    expect(
      Object.values(horizontal)
        .flatMap(Object.keys)
        .filter((edge) => edge === 'left' || edge === 'right'),
    ).toEqual([]);
  });

  test('[S24] eight styles: 0 none, 1 thin, 2 medium, 3 dashed, 4 dotted, 5 thick, 6 double, 7 hair', async () => {
    const s = await sheet('0,1,2,3,4,5,6,7\n');
    await s.ok('set_border', { ...r4('A1:H1'), border_positions: [0], border_style: 5 });
    for (const border_style of [0, 1, 2, 3, 4, 5, 6, 7])
      await s.ok('set_border', {
        ...r4(`${'ABCDEFGH'[border_style]}1`),
        border_positions: [0],
        border_style,
        border_color: '1a2b3c',
      });
    const lines = await bordersOf(server(), s, 'A1:H1');
    expect(Object.values(lines).map((one) => one['top'])).toEqual([
      undefined,
      'thin 1A2B3C',
      'medium 1A2B3C',
      'dashed 1A2B3C',
      'dotted 1A2B3C',
      'thick 1A2B3C',
      'double 1A2B3C',
      'hair 1A2B3C',
    ]);
    for (const border_style of [8, -1, 'thin'])
      expect(
        await s.call('set_border', { ...r4('A1'), border_positions: [0], border_style }),
        String(border_style),
      ).toMatchObject({ code: 310001, data: {} });
  });

  test('[S24] several positions at once; lines not named stay', async () => {
    const s = await sheet('1\n');
    await s.ok('set_border', { ...r4('A1'), border_positions: [0, 2], border_style: 2, border_color: '#00ff00' });
    await s.ok('set_border', { ...r4('A1'), border_positions: [1] });
    expect(await bordersOf(server(), s, 'A1')).toEqual({
      A1: { top: 'medium 00FF00', left: 'medium 00FF00', bottom: 'thin 000000' },
    });
  });

  test('[S24] at least one position; each one known; a color that is none is 310001', async () => {
    const s = await sheet('1\n');
    expect(await s.call('set_border', { ...r4('A1'), border_positions: [] })).toEqual(
      refused(310001, 'border_positions: must have at least 1 entry (got an array of 0)'),
    );
    expect(await s.call('set_border', { ...r4('A1'), border_positions: [6] })).toMatchObject({
      code: 310001,
      data: {},
    });
    expect(await s.call('set_border', { ...r4('A1'), border_positions: [0], border_color: 'blue' })).toEqual(
      refused(310001, 'border_color: must be 6 or 8 hexadecimal digits (got "blue")'),
    );
    expect(
      await s.call('set_border', { start_row: 1, start_col: 0, end_row: 0, end_col: 0, border_positions: [0] }),
    ).toEqual(refused(310001, 'end_row: must be at least start_row, 1 (got 0)'));
    expect(await bordersOf(server(), s, 'A1')).toEqual({ A1: {} });
  });

  test('[S25] borders leave other styles alone', async () => {
    const s = await sheet('1\n');
    await s.ok('set_cell_style', { ...r4('A1'), format: { font_size: 9 } });
    await s.ok('set_border', { ...r4('A1'), border_positions: [0] });
    await s.ok('set_cell_style', { ...r4('A1'), format: { bold: true } });
    expect((await s.ok('get_cell_style', r4('A1'))).cells[0].font_size).toBe(9);
    expect(await bordersOf(server(), s, 'A1')).toEqual({ A1: { top: 'thin 000000' } });
  });
});
