import { expect, test } from 'vitest';
import { exportedParts } from './exported.ts';
import { nothing, onTool, refused, type Sheet, sharedWith, versionOf } from './support.ts';

onTool('set_page_setup', ({ sheet, server }) => {
  const pageOf = async (s: Sheet) => (await s.ok('list_objects', { object_types: ['sheet'] })).sheets[0].page;
  const usual = {
    orientation: 'portrait',
    paper: 1,
    scale: 100,
    margins: { left: 0.7, right: 0.7, top: 0.75, bottom: 0.75, header: 0.3, footer: 0.3 },
    print_gridlines: false,
    print_headings: false,
    center_horizontally: false,
    center_vertically: false,
  };

  test('fields not sent are unchanged; list_objects tells all of them; revert takes them back', async () => {
    const s = await sheet('a,b\n1,2\n');
    expect(await pageOf(s)).toEqual(usual);
    const before = await versionOf(server(), s);
    expect(
      await s.call('set_page_setup', { orientation: 'landscape', paper: 9, margins: { left: 0.25 }, header: '&C<&A>' }),
    ).toEqual(nothing);
    await s.ok('set_page_setup', { fit_width: 1, fit_height: 0, print_area: 'a1:B2', title_rows: '1:1' });
    await s.ok('set_page_setup', { print_gridlines: true, center_vertically: true, title_cols: '$A:$A', footer: '&P' });
    const { scale: _, ...rest } = usual;
    const set = {
      ...rest,
      orientation: 'landscape',
      paper: 9,
      fit_width: 1,
      fit_height: 0,
      margins: { ...usual.margins, left: 0.25 },
      header: '&C<&A>',
      footer: '&P',
      print_gridlines: true,
      center_vertically: true,
      print_area: 'A1:B2',
      title_rows: '1:1',
      title_cols: 'A:A',
    };
    expect(await pageOf(s)).toEqual(set);
    await s.ok('insert_dimension', { dimension_type: 'row', index: 1, count: 3 });
    expect(await pageOf(s)).toEqual({ ...set, print_area: 'A1:B5' });
    await s.ok('set_page_setup', { scale: 80, print_area: '', title_rows: '', title_cols: '', header: '' });
    const { fit_width: __, fit_height: ___, header: ____, print_area, title_rows, title_cols, ...left } = set;
    expect([print_area, title_rows, title_cols]).toEqual(['A1:B2', '1:1', 'A:A']);
    expect(await pageOf(s)).toEqual({ ...left, scale: 80 });
    await s.ok('revert', { version: before });
    expect(await pageOf(s)).toEqual(usual);
  });

  test('it is in the exported file, and imported again', async () => {
    const s = await sheet('a,b\n1,2\n');
    await s.ok('set_page_setup', {
      orientation: 'landscape',
      paper: 9,
      fit_width: 1,
      fit_height: 0,
      margins: { top: 1 },
      header: '&L"x" & <&A>',
      print_headings: true,
      center_horizontally: true,
      print_area: 'A1:A2,B1',
      title_rows: '1:2',
      title_cols: 'A:B',
    });
    const parts = await exportedParts(server(), s);
    const xml = parts['xl/worksheets/sheet1.xml']!;
    for (const piece of [
      '<pageSetUpPr fitToPage="1"/>',
      '<printOptions horizontalCentered="1" headings="1"/>',
      '<pageMargins left="0.7" right="0.7" bottom="0.75" header="0.3" footer="0.3" top="1"/>',
      '<pageSetup paperSize="9" fitToWidth="1" fitToHeight="0" orientation="landscape"/>',
      '<headerFooter><oddHeader>&amp;L&quot;x&quot; &amp; &lt;&amp;A&gt;</oddHeader></headerFooter>',
    ])
      expect(xml).toContain(piece);
    expect(parts['xl/workbook.xml']).toContain(
      '<definedName name="_xlnm.Print_Area" localSheetId="0">Sheet1!$A$1:$A$2,Sheet1!$B$1:$B$1</definedName>' +
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
    expect(await set({ scale: 50, fit_width: 1 })).toEqual(
      refused(310001, 'scale: cannot be sent together with fit_width or fit_height'),
    );
    expect(await set({ print_area: 'A1:B2,zz' })).toEqual(
      refused(310001, 'print_area: must be A1 ranges of the sub-sheet (got "zz")'),
    );
    expect(await set({ title_rows: 'A:B' })).toEqual(refused(310001, 'title_rows: must be like 1:2 (got "A:B")'));
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
