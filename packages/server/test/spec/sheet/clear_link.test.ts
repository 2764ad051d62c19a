import { expect, test } from 'vitest';
import { at, nothing, onTool, refused } from './support.ts';

onTool('clear_link', ({ sheet }) => {
  test('[S58] takes the link off by position and keeps the text', async () => {
    const s = await sheet();
    await s.ok('set_link', { ...at('C1'), url: 'https://example.com/', display_text: 'up' });
    await s.ok('set_link', { ...at('D1'), url: 'https://example.com/', display_text: 'stays' });
    expect(await s.call('clear_link', at('C1'))).toEqual(nothing);
    expect(await s.cells('C1:D1')).toEqual([
      { row: 0, col: 2, value_type: 'STRING', string_value: 'up' },
      { row: 0, col: 3, value_type: 'RICH_STRING', string_value: 'stays', link_id: expect.any(String) },
    ]);
  });

  test("[S58] link_id must be the cell's; a cell without a link is left alone", async () => {
    const s = await sheet('x\n');
    await s.ok('set_link', { ...at('A1'), url: 'https://example.com/' });
    expect(await s.call('clear_link', { ...at('A1'), link_id: 'link_other' })).toEqual(
      refused(310004, 'link_id: the cell has no link "link_other"'),
    );
    expect((await s.cells('A1'))[0]!.value_type).toBe('RICH_STRING');
    expect(await s.call('clear_link', at('Z9'))).toEqual(nothing);
    expect(await s.call('clear_link', { row: 0 })).toEqual(refused(310001, 'col: is required'));
  });
});
