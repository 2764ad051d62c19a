import { expect, test } from 'vitest';
import { exportedParts } from './exported.ts';
import { done, onTool, refused, type Sheet, sharedWith, versionOf } from './support.ts';

onTool('set_page_setup', ({ sheet, server }) => {
  const pageOf = async (s: Sheet) => (await s.ok('list_objects', { object_types: ['sheet'] })).sheets[0].page;
  const usual = {
    orientation: 'portrait',
    paper: 1,
    scale: 100,
    margins: { left: 0.7, right: 0.7, top: 0.75, bottom: 0.75, header: 0.3, footer: 0.3 },
    options: [],
  };

  test('fields not sent are unchanged; list_objects tells all of them; revert takes them back', async () => {
    const s = await sheet('a,b\n1,2\n');
    expect(await pageOf(s)).toEqual(usual);
    const before = await versionOf(server(), s);
    expect(
      await s.call('set_page_setup', { orientation: 'landscape', paper: 9, margins: { left: 0.25 }, header: '&C<&A>' }),
    ).toEqual(done);
    await s.ok('set_page_setup', { fit: '1x0', print_area: 'a1:B2', titles: '1:1' });
    await s.ok('set_page_setup', { options: ['center_down', 'gridlines'], titles: '1:1,$A:$a', footer: '&P' });
    const { scale: _, ...rest } = usual;
    const set = {
      ...rest,
      orientation: 'landscape',
      paper: 9,
      fit: '1x0',
      margins: { ...usual.margins, left: 0.25 },
      header: '&C<&A>',
      footer: '&P',
      options: ['gridlines', 'center_down'],
      print_area: 'A1:B2',
      titles: 'A:A,1:1',
    };
    expect(await pageOf(s)).toEqual(set);
    await s.ok('insert_dimension', { dimension_type: 'row', index: 1, count: 3 });
    expect(await pageOf(s)).toEqual({ ...set, print_area: 'A1:B5' });
    await s.ok('set_page_setup', { scale: 80, print_area: '', titles: '', header: '' });
    const { fit: __, header: ___, print_area: ____, titles: _____, ...left } = set;
    expect(await pageOf(s)).toEqual({ ...left, scale: 80 });
    await s.ok('revert', { version: before });
    expect(await pageOf(s)).toEqual(usual);
  });

  test('it is in the exported file, and imported again', async () => {
    const s = await sheet('a,b\n1,2\n');
    await s.ok('set_page_setup', {
      orientation: 'landscape',
      paper: 9,
      fit: '1x0',
      margins: { top: 1 },
      header: '&L"x" & <&A>',
      options: ['headings', 'center_across'],
      print_area: 'A1:A2,B1',
      titles: '1:2,A:B',
    });
    const parts = await exportedParts(server(), s);
    const xml = parts['xl/worksheets/sheet1.xml']!;
    for (const piece of [
      '<pageSetUpPr fitToPage="1"/>',
      '<printOptions horizontalCentered="1" verticalCentered="0" headings="1" gridLines="0"/>',
      '<pageMargins left="0.7" right="0.7" bottom="0.75" header="0.3" footer="0.3" top="1"/>',
      '<pageSetup paperSize="9" fitToWidth="1" fitToHeight="0" orientation="landscape"/>',
      '<headerFooter><oddHeader>&amp;L&quot;x&quot; &amp; &lt;&amp;A&gt;</oddHeader></headerFooter>',
    ])
      expect(xml).toContain(piece);
    expect(parts['xl/workbook.xml']).toContain(
      '<definedName name="_xlnm.Print_Area" localSheetId="0">Sheet1!$A$1:$A$2,Sheet1!$B$1</definedName>' +
        '<definedName name="_xlnm.Print_Titles" localSheetId="0">Sheet1!$A:$B,Sheet1!$1:$2</definedName>',
    );
    const file = await server().call('http', 'manage', 'export_file', { file_id: s.file_id, format: 'xlsx' });
    const made = await server().call('http', 'manage', 'import_file', {
      title: 'again',
      format: 'xlsx',
      content: file.data.content,
    });
    expect(made.code).toBe(0);
    const again = await s.ok('list_objects', {
      file_id: made.data.file_id,
      sheet_id: undefined,
      object_types: ['sheet'],
    });
    expect(again.sheets[0].page).toEqual(await pageOf(s));
  });

  test('what makes no page is refused', async () => {
    const s = await sheet();
    const set = (given: object) => s.call('set_page_setup', given as Record<string, unknown>);
    expect(await set({ scale: 50, fit: '1x1' })).toEqual(refused(310001, 'scale: cannot be sent together with fit'));
    expect(await set({ fit: 'one' })).toEqual(refused(310001, 'fit: must be two numbers like 1x0 (got "one")'));
    expect(await set({ print_area: 'A1:B2,zz' })).toEqual(
      refused(310001, 'print_area: must be A1 ranges of the sub-sheet (got "zz")'),
    );
    expect(await set({ titles: 'A:2' })).toEqual(refused(310001, 'titles: must be like A:A,1:2 (got "A:2")'));
    expect((await set({ margins: { left: -1 } })).code).toBe(310001);
    expect(await pageOf(s)).toEqual(usual);
  });

  test('not on a sub-sheet that somebody else protected', async () => {
    const s = await sheet('1\n');
    const other = await sharedWith(server(), s, 'editor');
    await s.ok('add_protect_range', { range: { start_row: 0, start_col: 0, end_row: 2, end_col: 2 } });
    expect((await s.call('set_page_setup', { paper: 9 }, other)).code).toBe(0);
    await s.ok('add_protect_range', { whole_sheet: true });
    expect((await s.call('set_page_setup', { paper: 8 }, other)).code).toBe(310005);
  });
});
