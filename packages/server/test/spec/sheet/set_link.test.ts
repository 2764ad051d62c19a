import { expect, test } from 'vitest';
import { exportedParts } from './exported.ts';
import { at, nothing, onTool, refused } from './support.ts';

onTool('set_link', ({ server, sheet }) => {
  test('[S58] makes a cell a link and keeps its text; the answer is {}', async () => {
    const s = await sheet('text\n');
    expect(await s.call('set_link', { ...at('A1'), url: 'https://example.com/x?y=1&z=2' })).toEqual(nothing);
    expect(await s.cells('A1')).toEqual([
      { row: 0, col: 0, value_type: 'RICH_STRING', string_value: 'text', link_id: expect.any(String) },
    ]);
    const parts = await exportedParts(server(), s);
    expect(parts['xl/worksheets/_rels/sheet1.xml.rels']).toContain('Target="https://example.com/x?y=1&amp;z=2"');
  });

  test("[S58] display_text becomes the cell's text; an empty cell shows the address", async () => {
    const s = await sheet('text,text\n');
    await s.ok('set_link', { ...at('A1'), url: 'https://example.com/', display_text: 'go' });
    await s.ok('set_link', { ...at('B1'), url: 'https://example.com/', display_text: '' });
    await s.ok('set_link', { ...at('C1'), url: 'mailto:someone@example.com' });
    expect((await s.cells('A1:C1')).map((one) => one.string_value)).toEqual([
      'go',
      'text',
      'mailto:someone@example.com',
    ]);
  });

  test('[S58] http, https, mailto and places in the document', async () => {
    const s = await sheet();
    for (const url of [
      'http://example.com',
      'HTTPS://EXAMPLE.COM/a',
      'mailto:a@example.com',
      '#Sheet1!A1',
      `#${s.sheet_id}!B2`,
    ]) {
      expect(await s.call('set_link', { ...at('A1'), url, display_text: 'x' }), url).toEqual(nothing);
    }
  });

  test('[S58] writing the cell anew takes the link away', async () => {
    const s = await sheet();
    await s.ok('set_link', { ...at('A1'), url: 'https://example.com/' });
    await s.ok('set_cell_value', { ...at('A1'), value_type: 'STRING', string_value: 'plain' });
    expect(await s.cells('A1')).toEqual([{ row: 0, col: 0, value_type: 'STRING', string_value: 'plain' }]);
  });

  test('[S59] links that could run or lead elsewhere are 310001, however they are written', async () => {
    const s = await sheet('text\n');
    for (const url of [
      'javascript:alert(1)',
      ' JaVaScRiPt:alert(1)',
      'java\nscript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      '//example.com',
      'ftp://example.com/',
      'https:example',
      'http://',
      '#',
      'example.com',
    ]) {
      expect(await s.call('set_link', { ...at('A1'), url }), url).toMatchObject({ code: 310001, data: {} });
    }
    expect(await s.call('set_link', { ...at('A1'), url: '' })).toMatchObject({ code: 310001, data: {} });
    expect(await s.call('set_link', at('A1'))).toEqual(refused(310001, 'url: is required'));
    expect(await s.cells('A1')).toEqual([{ row: 0, col: 0, value_type: 'STRING', string_value: 'text' }]);
  });
});
