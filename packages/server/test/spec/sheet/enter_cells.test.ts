import { expect, test } from 'vitest';
import { onTool, r4 } from './support.ts';

onTool('enter_cells', ({ sheet }) => {
  test('[S118] reads texts as a person types them', async () => {
    const s = await sheet('old,old\n');
    await s.ok('enter_cells', {
      start_row: 0,
      start_col: 0,
      rows: [
        ['', null, '12%', "'007"],
        ['2026-05-01', '$1,234.50', 'true', '=SUM(C1:C1)*2'],
        ['9:30', '1e3', '#N/A', '12:30 tea'],
      ],
    });
    const view = await s.ok('get_view', r4('A1:D3'));
    expect(view.cells).toEqual([
      [0, 1, 'old', 0],
      [0, 2, '12%', 1],
      [0, 3, '007', 0, "'007"],
      [1, 0, '2026-05-01', 1],
      [1, 1, '$1,234.50', 1, '1234.5'],
      [1, 2, 'TRUE', 2],
      [1, 3, '0.24', 1, '=SUM(C1:C1)*2'],
      [2, 0, '09:30', 1],
      [2, 1, '1000', 1],
      [2, 2, '#N/A', 3],
      [2, 3, '12:30 tea', 0],
    ]);
    await s.ok('enter_cells', { start_row: 0, start_col: 2, rows: [['5']] });
    expect((await s.ok('get_view', r4('C1'))).cells).toEqual([[0, 2, '5%', 1]]);
    expect(await s.call('enter_cells', { start_row: 0, start_col: 0, rows: [['=SUM(']] })).toMatchObject({
      code: 310009,
    });
    expect(await s.call('enter_cells', { start_row: 1_048_575, start_col: 0, rows: [['a'], ['b']] })).toEqual({
      code: 310006,
      msg: 'rows: 2 rows starting at row 1048575 exceed 1048576 rows',
      data: {},
    });
  });

  test('[S118] what editing begins with gives the same cell when entered again', async () => {
    const s = await sheet();
    const typed = ['0012', "'0012", '3/4/2026 14:05', '50%', '€12', '=1=1', 'plain', "'=no formula", '1,000,000', "'"];
    await s.ok('enter_cells', { start_row: 0, start_col: 0, rows: [typed] });
    const before = await s.ok('get_view', r4('A1:J1'));
    const again = Array.from({ length: 10 }, (_, col) => {
      const cell = before.cells.find((one: unknown[]) => one[1] === col);
      return cell ? (cell[4] ?? cell[2]) : null;
    });
    await s.ok('enter_cells', { start_row: 0, start_col: 0, rows: [again] });
    const { version: _, ...after } = await s.ok('get_view', r4('A1:J1'));
    expect(after).toEqual({ cells: before.cells, styles: before.styles, looks: before.looks, merges: [], links: [] });
  });
});
