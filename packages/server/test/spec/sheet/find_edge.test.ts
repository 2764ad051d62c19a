import { expect, test } from 'vitest';
import { at, onTool, refused } from './support.ts';

onTool('find_edge', ({ sheet }) => {
  test('[S119] where data ends, the next begins, or the grid ends', async () => {
    const s = await sheet('1,a\n2,\n,TRUE\n4.5,=1/0\n');
    const edge = (cell: string, direction: string) => s.ok('find_edge', { ...at(cell), direction });
    expect(await edge('A1', 'down')).toEqual(at('A2'));
    expect(await edge('A2', 'down')).toEqual(at('A4'));
    expect(await edge('A4', 'down')).toEqual(at('A200'));
    expect(await edge('A200', 'up')).toEqual(at('A4'));
    expect(await edge('A1', 'right')).toEqual(at('B1'));
    expect(await edge('B1', 'right')).toEqual(at('Z1'));
    expect(await edge('A1', 'left')).toEqual(at('A1'));
    expect(await s.call('find_edge', { ...at('A1'), direction: 'back' })).toMatchObject({ code: 310001, data: {} });
  });

  test('one area only', async () => {
    const s = await sheet('1\n');
    expect(await s.call('find_edge', { range: 'A1,A3', direction: 'down' })).toEqual(
      refused(310001, 'range: must name one area, because the tool takes one (got 2)'),
    );
  });
});
