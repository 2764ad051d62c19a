/**
 * What a release is made to store: documents with every kind of object and edit, knowledge and notes. Only tools that
 * 0.1.0 has, and only what they meant then: this runs against old checkouts, so it never follows a change of the product.
 */
import { strToU8, zipSync } from 'fflate';

export type Step = readonly [tool: string, input: Record<string, unknown>];

export interface Program {
  readonly title: string;
  /** A workbook to import instead of an empty document. */
  readonly xlsx?: Uint8Array;
  readonly steps: (sheet: string) => readonly Step[];
  /** States are written down after every so many steps, and after the last. */
  readonly observeEvery: number;
  /** After these steps the document is left alone until it has a snapshot. */
  readonly snapshotsAfter: readonly number[];
}

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const r4 = (start_row: number, start_col: number, end_row: number, end_col: number) => ({
  start_row,
  start_col,
  end_row,
  end_col,
});
const formula = (row: number, col: number, text: string) => ({ row, col, value_type: 'FORMULA', formula: text });

const table = [
  'name,kind,price,count,total',
  'pear,fruit,3,2,=C2*D2',
  'leek,herb,2,5,=C3*D3',
  'plum,fruit,1,7,=C4*D4',
  'sage,herb,4,1,=C5*D5',
  'fig,fruit,6,3,=C6*D6',
].join('\n');

/** One of every object, then every way of changing structure under them. */
const everything = (sheet: string): Step[] => [
  ['set_range_value_by_csv', { csv_data: table }],
  ['set_cell_value', { cell: formula(6, 4, '=SUM(E2:E6)') }],
  [
    'set_range_value',
    {
      values: [
        { row: 8, col: 0, value_type: 'NUMBER', number_value: 0.1 },
        { row: 8, col: 1, value_type: 'BOOL', bool_value: true },
        { row: 8, col: 2, value_type: 'STRING', string_value: '=text' },
        formula(8, 3, '=SUBTOTAL(109,C2:C6)'),
        formula(9, 0, '=1/0'),
        formula(9, 1, '=SEQUENCE(2,2)'),
      ],
    },
  ],
  ['enter_cells', { start_row: 12, start_col: 0, rows: [['2026-05-01', '50%', '1,234.5', '12:30', "'007", 'true']] }],
  ['append_rows', { rows: [['kale', 'herb', 2, 2]], start_col: 0, end_col: 3 }],
  [
    'set_cell_style',
    {
      ...r4(0, 0, 0, 4),
      format: {
        bold: true,
        font_size: 12,
        font_family: 'Arial',
        font_color: 'FF112233',
        bg_color: 'FFEEEEEE',
        horizontal_align: 'center',
      },
    },
  ],
  [
    'set_cell_style',
    { ...r4(1, 2, 5, 2), format: { number_format_pattern: '0.00', italic: true, underline: 'single' } },
  ],
  ['set_border', { ...r4(0, 0, 5, 4), border_positions: [0, 1, 2, 3], border_style: 1, border_color: '000000' }],
  ['clear_border', { ...r4(5, 0, 5, 4), border_positions: [1] }],
  ['merge_cell', r4(15, 12, 16, 13)],
  ['merge_cell', { ...r4(18, 12, 19, 14), merge_type: 'rows' }],
  ['set_link', { row: 1, col: 0, url: 'https://example.com/pear', display_text: 'pear' }],
  ['set_link', { row: 12, col: 2, url: 'mailto:a@example.com', display_text: 'mail' }],
  [
    'set_dimension_size',
    {
      dimensions: [
        { dimension_type: 'row', index: 1, size: 30 },
        { dimension_type: 'col', start_index: 2, end_index: 3, size: 120 },
      ],
    },
  ],
  ['set_dimension_visible', { dimension_type: 'row', index: 12, count: 1, visible: false }],
  ['set_dimension_visible', { dimension_type: 'col', index: 7, count: 2, visible: false }],
  ['set_freeze', { row_count: 1, col_count: 1 }],
  ['set_filter', { ...r4(0, 0, 5, 4), filter_id: 'f1' }],
  ['update_filter', { filter_id: 'f1', columns: [{ col: 1, visible_values: ['fruit'] }] }],
  [
    'add_chart',
    { chart_type: 'CHART_CLUSTERED_COLUMN', data_range: r4(0, 0, 5, 3), drawing_id: 'c1', title: 'Prices' },
  ],
  [
    'add_chart',
    {
      chart_type: 'CHART_PIE',
      data_range: r4(0, 2, 5, 3),
      drawing_id: 'c2',
      location: { row_index: 30, col_index: 3, width: 300, height: 200 },
    },
  ],
  ['update_chart', { drawing_id: 'c1', chart_type: 'CHART_LINE', options_json: '{"yAxis":{"min":0}}' }],
  [
    'add_pivot_table',
    {
      pivot_table_id: 'p1',
      name: 'Totals',
      source_sheet_id: sheet,
      source_range: r4(0, 0, 5, 4),
      anchor_sheet_id: sheet,
      anchor_row: 0,
      anchor_col: 10,
    },
  ],
  [
    'update_pivot_table',
    {
      pivot_table_id: 'p1',
      row_groups: [{ source_data_column: 1 }],
      column_groups: [],
      pivot_values: [{ source_data_column: 4, summarize_function: 'SUM' }],
      filters: [],
      calculated_values: [{ name: 'mean', formula: '=total/count' }],
    },
  ],
  [
    'add_pivot_table',
    {
      pivot_table_id: 'p2',
      name: 'Elsewhere',
      source_sheet_id: sheet,
      source_range: r4(0, 0, 5, 4),
      create_new_sheet: true,
      new_sheet_id: 'pivots',
    },
  ],
  [
    'update_pivot_table',
    {
      sheet_id: 'pivots',
      pivot_table_id: 'p2',
      row_groups: [{ source_data_column: 0 }],
      column_groups: [{ source_data_column: 1 }],
      pivot_values: [{ source_data_column: 2, summarize_function: 'COUNT' }],
      filters: [],
      calculated_values: [],
    },
  ],
  ['insert_image', { row_index: 25, col_index: 1, content: png }],
  ['add_protect_range', { range: r4(1, 2, 4, 4) }],
  ['add_protect_range', { sheet_id: 'pivots', whole_sheet: true }],
  ['add_sheet', { name: 'Second' }],
  ['set_cell_value', { cell: formula(20, 0, '=Second!A1+A9') }],
  ['set_cell_value', { cell: formula(21, 0, '=SUM(C:C)') }],
  // Structure under all of that.
  ['insert_dimension', { dimension_type: 'row', index: 3, count: 2, direction: 'before' }],
  ['insert_dimension', { dimension_type: 'col', index: 1, count: 1, direction: 'after' }],
  ['move_dimension', { dimension_type: 'row', index: 1, count: 1, to: 4 }],
  ['move_dimension', { dimension_type: 'row', index: 6, count: 2, to: 1 }],
  ['move_dimension', { dimension_type: 'col', index: 3, count: 1, to: 5 }],
  ['move_dimension', { dimension_type: 'row', index: 2, count: 1, to: 40 }],
  ['delete_dimension', { dimension_type: 'row', index: 4, count: 1 }],
  ['delete_dimension', { dimension_type: 'col', index: 2, count: 1 }],
  ['insert_range', { ...r4(30, 0, 31, 1), dimension_type: 'row' }],
  ['insert_range', { ...r4(30, 0, 31, 1), dimension_type: 'col' }],
  ['delete_range', { ...r4(30, 0, 31, 1), dimension_type: 'col' }],
  ['delete_range', { ...r4(22, 3, 23, 4), dimension_type: 'row' }],
  ['sort_range', { ...r4(0, 0, 6, 4), has_header: true, columns: [{ col: 0, order: 1 }] }],
  ['copy_range', { source: r4(0, 0, 3, 4), target: r4(50, 0, 53, 4) }],
  ['copy_range', { source: r4(50, 0, 51, 4), target: r4(60, 0, 61, 4), move: true }],
  ['copy_range', { source: r4(0, 0, 1, 1), target: r4(70, 0, 75, 1), series: true }],
  ['copy_range', { source: r4(0, 0, 3, 4), target: r4(80, 0, 83, 4), what: 'values' }],
  ['replace', { search_term: 'pear', replacement: 'quince' }],
  ['copy_sheet', { name: 'Copied' }],
  ['rename_sheet', { name: 'Stock' }],
  ['move_sheet', { src_index: 0, dest_index: 1 }],
  [
    'batch',
    {
      calls: [
        {
          tool: 'set_cell_value',
          arguments: { sheet_id: sheet, cell: { row: 90, col: 0, value_type: 'NUMBER', number_value: 1 } },
        },
        { tool: 'insert_dimension', arguments: { sheet_id: sheet, dimension_type: 'row', index: 89, count: 1 } },
        { tool: 'set_cell_style', arguments: { sheet_id: sheet, ...r4(91, 0, 91, 0), format: { bold: true } } },
      ],
    },
  ],
  ['clear_range_cells', r4(60, 0, 61, 1)],
  ['clear_range_style', r4(60, 0, 61, 4)],
  ['clear_range_all', r4(70, 0, 75, 1)],
  ['clear_link', { row: 12, col: 2 }],
  ['unmerge_cell', r4(15, 12, 22, 16)],
  ['update_protect_range', { protect_range_id: '$protect0', range: r4(2, 2, 4, 3) }],
  ['set_cell_style', { ...r4(0, 5, 1048575, 5), format: { bg_color: 'FFFFEE00' } }],
  ['set_cell_style', { ...r4(4, 0, 4, 16383), format: { italic: true } }],
  ['update_image', { object_id: '$image0', location: { row_index: 26, col_index: 2, width: 20 } }],
  ['remove_filter', { filter_id: 'f1' }],
  ['set_filter', { ...r4(50, 0, 53, 4), filter_id: 'f2' }],
  ['move_dimension', { dimension_type: 'row', index: 51, count: 1, to: 53 }],
  ['delete_chart', { drawing_id: 'c2' }],
  ['remove_pivot_table', { sheet_id: 'pivots', pivot_table_id: 'p2' }],
  ['delete_image', { object_id: '$image0' }],
  ['delete_protect_range', { protect_range_id: '$protect0' }],
  ['unset_freeze', {}],
  ['delete_sheet', { sheet_id: 'pivots' }],
  ['set_cell_style', { ...r4(0, 0, 2, 2), is_clear: true }],
  ['revert', { version: 33 }],
  ['undo_revision', { version: 32 }],
  ['revert', { version: 70 }],
  ['set_cell_value', { cell: formula(40, 40, '=SUM(A1:B2)') }],
];

/** Short, without a snapshot: opened from its log alone. Each move is one that 0.1.0 had its own idea of. */
const moves = (sheet: string): Step[] => [
  ['set_range_value_by_csv', { csv_data: 'key,n\na,1\nb,2\nc,3\nd,4\ne,5' }],
  ['add_protect_range', { range: r4(1, 0, 5, 2) }],
  ['set_filter', { ...r4(0, 0, 5, 1), filter_id: 'f' }],
  ['update_filter', { filter_id: 'f', columns: [{ col: 0, visible_values: ['a', 'c', 'e'] }] }],
  ['add_chart', { chart_type: 'CHART_LINE', data_range: r4(0, 0, 5, 1), drawing_id: 'c' }],
  [
    'add_pivot_table',
    {
      pivot_table_id: 'p',
      name: 'P',
      source_sheet_id: sheet,
      source_range: r4(0, 0, 5, 1),
      anchor_sheet_id: sheet,
      anchor_row: 0,
      anchor_col: 6,
    },
  ],
  [
    'update_pivot_table',
    {
      pivot_table_id: 'p',
      row_groups: [],
      column_groups: [],
      pivot_values: [{ source_data_column: 1, summarize_function: 'SUM' }],
      filters: [],
      calculated_values: [],
    },
  ],
  ['set_cell_value', { cell: formula(8, 1, '=SUM(B2:B6)') }],
  ['move_dimension', { dimension_type: 'row', index: 1, count: 1, to: 4 }],
  ['move_dimension', { dimension_type: 'row', index: 5, count: 1, to: 2 }],
  ['move_dimension', { dimension_type: 'row', index: 5, count: 1, to: 7 }],
  ['move_dimension', { dimension_type: 'row', index: 7, count: 1, to: 2 }],
  ['move_dimension', { dimension_type: 'col', index: 0, count: 1, to: 2 }],
  ['move_dimension', { dimension_type: 'col', index: 1, count: 1, to: 4 }],
];

/** Formulas that 0.1.0 called circular though they are not, some that are, and what depends on either. */
const circular = (): Step[] => [
  [
    'set_range_value',
    {
      values: [
        formula(0, 0, '=ROW(A1)'),
        formula(1, 0, '=ROWS($A$2:A2)'),
        formula(2, 0, '=IF(TRUE,1,A3)'),
        formula(3, 0, '=A4+1'),
        formula(0, 1, '=A1*10'),
        formula(1, 1, '=A2*10'),
        formula(2, 1, '=A3*10'),
        formula(3, 1, '=A4*10'),
      ],
    },
  ],
  [
    'set_range_value',
    {
      values: [
        formula(4, 0, '=ISREF(A5)'),
        formula(5, 0, '=COLUMNS($A6:A6)'),
        formula(6, 0, '=IFERROR(7,A7)'),
        formula(7, 0, '=CHOOSE(1,8,A8)'),
      ],
    },
  ],
  ['insert_dimension', { dimension_type: 'row', index: 0, count: 1, direction: 'before' }],
];

/** Two hundred steps and more: snapshots in the middle, a long log behind the newest. */
const long = (): Step[] => {
  const steps: Step[] = [['set_range_value_by_csv', { csv_data: 'n,square,sum\n' }]];
  for (let n = 1; n <= 330; n++) {
    if (n % 10 === 0)
      steps.push(['insert_dimension', { dimension_type: 'row', index: n % 7, count: 1, direction: 'after' }]);
    else if (n % 15 === 1) steps.push(['delete_dimension', { dimension_type: 'row', index: 2, count: 1 }]);
    else if (n % 11 === 0)
      steps.push(['sort_range', { ...r4(0, 0, 30, 2), has_header: true, columns: [{ col: 0, order: n % 2 }] }]);
    else if (n % 13 === 0)
      steps.push([
        'set_cell_style',
        { ...r4(n % 20, 0, (n % 20) + 2, 2), format: { bold: n % 2 === 0, bg_color: 'FF00FF00' } },
      ]);
    else
      steps.push([
        'set_range_value',
        {
          values: [
            { row: 1 + (n % 30), col: 0, value_type: 'NUMBER', number_value: n },
            formula(1 + (n % 30), 1, `=A${2 + (n % 30)}^2`),
            formula(1 + (n % 30), 2, `=SUM(A$2:A${2 + (n % 30)})`),
          ],
        },
      ]);
  }
  return steps;
};

/** Chance and time: what a revision's own moment and seed gave. */
const volatile = (): Step[] => [
  [
    'set_range_value',
    {
      values: [
        formula(0, 0, '=RAND()'),
        formula(1, 0, '=NOW()'),
        formula(2, 0, '=RANDBETWEEN(1,1000)'),
        formula(3, 0, '=TODAY()'),
        formula(4, 0, '=RANDARRAY(2,2)'),
      ],
    },
  ],
  ['set_cell_value', { cell: { row: 0, col: 5, value_type: 'NUMBER', number_value: 1 } }],
  ['set_cell_value', { cell: formula(1, 5, '=A1+F1') }],
];

const imported = (sheet: string): Step[] => [
  ['set_cell_value', { cell: formula(9, 0, '=SUM(amounts)') }],
  ['insert_dimension', { dimension_type: 'row', index: 1, count: 1, direction: 'before' }],
  ['copy_range', { source: r4(0, 0, 0, 1), target: r4(20, 0, 20, 1) }],
  ['copy_range', { source: r4(2, 0, 4, 1), target: r4(12, 3, 14, 4), move: true }],
  ['replace', { search_term: 'plain', replacement: 'simple' }],
  ['copy_sheet', { name: 'Twice' }],
  ['move_dimension', { dimension_type: 'row', index: 3, count: 1, to: 5 }],
  ['delete_sheet', { sheet_id: sheet }],
];

export const programs: readonly Program[] = [
  { title: 'everything', steps: everything, observeEvery: 1, snapshotsAfter: [56] },
  { title: 'moves', steps: moves, observeEvery: 1, snapshotsAfter: [] },
  { title: 'circular', steps: circular, observeEvery: 1, snapshotsAfter: [] },
  { title: 'long', steps: long, observeEvery: 30, snapshotsAfter: [130, 200, 260] },
  { title: 'volatile', steps: volatile, observeEvery: 100, snapshotsAfter: [] },
  { title: 'imported', xlsx: workbook(), steps: imported, observeEvery: 1, snapshotsAfter: [] },
];

/** Rich text, names of the workbook and of a sub-sheet, a filter, merges, a shared formula, an array formula. */
function workbook(): Uint8Array {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const part = 'http://schemas.openxmlformats.org/package/2006/relationships';
  const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const files: Record<string, string> = {
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="xml" ContentType="application/xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>` +
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/>` +
      `<Override PartName="/xl/sharedStrings.xml" ContentType="${types}.sharedStrings+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${part}"><Relationship Id="r1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/_rels/workbook.xml.rels':
      `<Relationships xmlns="${part}">` +
      `<Relationship Id="r1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/>` +
      `<Relationship Id="r2" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    'xl/workbook.xml':
      `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Data" sheetId="1" r:id="r1"/>` +
      '</sheets><definedNames><definedName name="amounts">Data!$B$2:$B$4</definedName>' +
      '<definedName name="own" localSheetId="0">Data!$A$1</definedName></definedNames></workbook>',
    'xl/sharedStrings.xml':
      `<sst xmlns="${main}" count="2" uniqueCount="2"><si><r><t xml:space="preserve">plain </t></r><r><rPr>` +
      '<b/><color rgb="FFFF0000"/></rPr><t>bold</t></r></si><si><t>amount</t></si></sst>',
    'xl/worksheets/sheet1.xml':
      `<worksheet xmlns="${main}"><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>` +
      '1</v></c></row><row r="2"><c r="A2"><v>1</v></c><c r="B2"><f t="shared" ref="B2:B4" si="0">A2*2</f>' +
      '<v>2</v></c></row><row r="3"><c r="A3"><v>2</v></c><c r="B3"><f t="shared" si="0"/><v>4</v></c>' +
      '</row><row r="4"><c r="A4"><v>3</v></c><c r="B4"><f t="shared" si="0"/><v>6</v></c></row><row r="6">' +
      '<c r="A6"><f t="array" ref="A6">SUM(A2:A4*B2:B4)</f><v>28</v></c></row></sheetData>' +
      '<autoFilter ref="A1:B4"/><mergeCells count="1"><mergeCell ref="D1:E2"/></mergeCells></worksheet>',
  };
  return zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => [name, strToU8(`<?xml version="1.0" encoding="UTF-8"?>${text}`)]),
    ),
  );
}
