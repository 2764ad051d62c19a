import { expect, test } from 'vitest';
import { xls } from '@sheaf/tools/testing/formats/ole-documents.ts';
import { workbookParts, zipped } from '@sheaf/tools/testing/workbook-parts.ts';
import { oneLinePdf } from '@sheaf/tools/testing/one-line-pdf.ts';
import { onWiki, wikiKit } from './support.ts';
import { previewXlsx } from '@sheaf/tools/testing/preview-xlsx.ts';

interface Shown {
  sheet_name: string;
  view: { cells: [number, number, string, number, string?][]; merges: number[][]; layout: Record<string, unknown> };
  [more: string]: unknown;
}

onWiki('view_workbook', (call, server) => {
  const kit = wikiKit(call);
  const shownOf = async (media_id: string, more: object = {}): Promise<Shown[]> =>
    (await kit.done('view_workbook', { media_id, ...more })).sheets;

  test('[W132] a workbook as it looks: visible sub-sheets with values, formulas, formats, merges, layout, charts and images', async () => {
    const base = await kit.base();
    const media_id = await kit.file(base, 'plan.xlsx', previewXlsx());
    const answer = await kit.done('view_workbook', { media_id });
    expect([answer.media_id, answer.title, answer.format]).toEqual([media_id, 'plan.xlsx', 'xlsx']);
    const [plan, notes] = answer.sheets as Shown[];
    expect(answer.sheets.map((one: Shown) => one.sheet_name)).toEqual(['Plan', 'Notes', 'Tall']);
    expect(plan!.view.cells).toEqual([
      [0, 0, 'Budget of the year', 0],
      [1, 0, 'Item', 0],
      [1, 1, 'Cost', 0],
      [2, 0, 'Rent', 0],
      [2, 1, '1,200.50 EUR', 1, '1200.5'],
      [3, 0, 'Food', 0],
      [3, 1, '300.00 EUR', 1, '300'],
      [4, 0, 'Set aside', 0],
      [5, 0, 'Total', 0],
      [5, 1, '1,507.50 EUR', 1, '=SUM(B3:B4)+Secret!A1'],
    ]);
    expect(plan!.view.merges).toEqual([[0, 0, 0, 2]]);
    expect(plan!.view.layout).toMatchObject({
      frozen_rows: 2,
      frozen_cols: 0,
      hidden_rows: [[4, 4]],
      col_sizes: [[0, 0, 215]],
      used: 'A1:B6',
    });
    expect(plan).toMatchObject({ tab_color: 'FF2E7D32', used_rows: 6, used_cols: 2, is_cut: false, images: [] });
    expect(plan!['charts']).toMatchObject([
      { chart_type: 'CHART_CLUSTERED_COLUMN', location: { row_index: 4, col_index: 3 } },
    ]);
    const { data } = JSON.parse((plan!['charts'] as { content: string }[])[0]!.content);
    expect([data.categories, data.series[0].values]).toEqual([
      ['Rent', 'Food'],
      [1200.5, 300],
    ]);
    expect(notes!.view.cells).toEqual([[0, 1, '会议记录', 0]]);
    expect(notes!['images']).toMatchObject([
      { name: 'Logo', location: { row_index: 2, col_index: 1, width: 100 }, content_type: 'image/png' },
    ]);
    expect((notes!['images'] as { url: string }[])[0]!.url).toMatch(/^data:image\/png;base64,iVBORw0KGgo/);
    // Nothing was made of it.
    const { data: files } = await server().call('http', 'manage', 'list_files', { cursor: '', limit: 10 });
    expect(files.files.filter((one: { title: string }) => one.title.includes('plan'))).toEqual([]);
  });

  test('[W133] rows past the limit are left out, and it says so; one sub-sheet and fewer rows when asked', async () => {
    const base = await kit.base();
    const media_id = await kit.file(base, 'plan.xlsx', previewXlsx());
    const [tall] = await shownOf(media_id, { sheet_name: 'Tall' });
    expect(tall).toMatchObject({ used_rows: 2500, shown_rows: 2000, is_cut: true });
    expect(tall!.view.cells).toHaveLength(2000);
    expect(tall!.view.layout).toMatchObject({ rows: 2000, used: 'A1:A2000' });
    const few = await shownOf(media_id, { max_rows: 3 });
    expect(few.map((one) => [one.sheet_name, one['shown_rows'], one['is_cut']])).toEqual([
      ['Plan', 3, true],
      ['Notes', 3, false],
      ['Tall', 3, true],
    ]);
    for (const sheet_name of ['Secret', 'None'])
      expect(await call('view_workbook', { media_id, sheet_name })).toMatchObject({
        code: 110001,
        msg: `sheet_name: there is no visible sub-sheet "${sheet_name}"; there are ["Plan","Notes","Tall"]`,
      });
  });

  test('[W133] a small sub-sheet is whole beside large ones, which share the cells that are left', async () => {
    const base = await kit.base();
    const cols = Array.from({ length: 110 }, (_, i) => name(i));
    const wide = Array.from(
      { length: 700 },
      (_, row) => `<row r="${row + 1}">${cols.map((col) => `<c r="${col}${row + 1}"><v>1</v></c>`).join('')}</row>`,
    ).join('');
    const small = Array.from({ length: 300 }, (_, row) => `<row r="${row + 1}"><c r="A${row + 1}"><v>1</v></c></row>`);
    const media_id = await kit.file(
      base,
      'large.xlsx',
      zipped(workbookParts({ One: wide, Two: wide, Small: small.join('') })),
    );
    const sheets = await shownOf(media_id);
    expect(sheets.map((one) => [one['shown_rows'], one['shown_cols'], one['is_cut']])).toEqual([
      [498, 100, true],
      [499, 100, true],
      [300, 1, false],
    ]);
  });

  test('[W132] csv and the workbooks of before 2007 as well', async () => {
    const base = await kit.base();
    const csv = await kit.file(base, 'prices.csv', 'name,price\npear,3\n');
    const [prices] = await shownOf(csv);
    expect(prices!.view.cells.map((cell) => cell[2])).toEqual(['name', 'price', 'pear', '3']);
    const old = await kit.file(base, 'old.xls', xls([['pear', 3]], 'Old'));
    expect(await kit.done('view_workbook', { media_id: old })).toMatchObject({
      format: 'xls',
      sheets: [
        {
          sheet_name: 'Old',
          view: {
            cells: [
              [0, 0, 'pear', 0],
              [0, 1, '3', 1],
            ],
          },
        },
      ],
    });
  });

  test('[W134] what is no workbook, or a damaged one, is refused with the field and the reason', async () => {
    const base = await kit.base();
    const pdf = await kit.file(base, 'a.pdf', oneLinePdf('hello'));
    expect(await call('view_workbook', { media_id: pdf })).toMatchObject({
      code: 110001,
      msg: 'media_id: must be a workbook (xlsx, xls or csv); "a.pdf" has media_type 1',
    });
    const whole = previewXlsx();
    const broken = Buffer.from(whole);
    // The directory at its end stays: only what it leads to is spoiled.
    broken.fill(0xff, 60, Math.floor(broken.length * 0.8));
    const media_id = await kit.file(base, 'broken.xlsx', broken);
    expect(await call('view_workbook', { media_id })).toMatchObject({
      code: 110001,
      msg: expect.stringMatching(/^media_id: The file .*(damaged|read)/),
    });
    expect(await call('view_workbook', { media_id: pdf, rows: 3 })).toMatchObject({
      code: 110001,
      msg: expect.stringContaining('rows'),
    });
  });

  test('[W134] members of the base only: a stranger learns nothing', async () => {
    const base = await kit.base();
    const media_id = await kit.file(base, 'plan.xlsx', previewXlsx());
    const stranger = await server().newUser();
    const none = await call('view_workbook', { media_id: 'media_none' }, stranger);
    expect(none).toMatchObject({ code: 110030, msg: 'media_id: there is no item "media_none" that you may see' });
    expect(await call('view_workbook', { media_id }, stranger)).toMatchObject({
      code: 110030,
      msg: `media_id: there is no item "${media_id}" that you may see`,
    });
    await kit.member(base, stranger, 'viewer');
    expect((await kit.done('view_workbook', { media_id }, stranger)).sheets).toHaveLength(3);
  });
});

function name(col: number): string {
  return col < 26 ? String.fromCharCode(65 + col) : name(Math.floor(col / 26) - 1) + name(col % 26);
}
