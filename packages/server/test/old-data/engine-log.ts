/** What every kind of mutation did, and what undid it, in the engine of a checkout: bytes of the document before and after. */
import { strFromU8, strToU8 } from 'fflate';

/** The engine as any release exports it; numbers are taken from the release itself. */
export interface Engine {
  readonly mutationKinds: readonly { readonly type: number; readonly name: string }[];
  readonly SheetDocument: new () => unknown;
  edit(document: any, mutations: readonly Mutation[], options?: unknown): { readonly inverse: readonly Mutation[] };
  snapshot(document: any): Uint8Array;
}

interface Mutation {
  readonly type: number;
  readonly data: unknown;
}

export interface EngineLog {
  /** Builds the document every case starts from. */
  readonly base: readonly Mutation[];
  readonly cases: readonly EngineCase[];
}

export interface EngineCase {
  readonly name: string;
  readonly mutation: Mutation;
  readonly inverse: readonly Mutation[];
  /** Base64 of the snapshots. */
  readonly after: string;
}

const anchor = { row: 8, col: 3, offsetX: 0, offsetY: 0, width: 100, height: 50 };
const pivot = {
  id: 'p1',
  name: 'Pivot',
  sourceSheet: 's1',
  source: [0, 0, 5, 2],
  sheet: 's1',
  row: 0,
  col: 12,
  rowGroups: [0],
  columnGroups: [],
  values: [{ field: 2, aggregation: 'SUM' }],
  filters: [],
  calculated: [],
};
const sheet = 's1';

const base: readonly [string, object][] = [
  ['add_sheet', { sheet: 's1', name: 'Sheet1' }],
  ['add_sheet', { sheet: 's2', name: 'Other' }],
  [
    'set_range_block',
    {
      sheet,
      row: 0,
      col: 0,
      rows: [
        ['region', 'item', 'amount', { formula: '=SUM(C2:C6)' }, { formula: '=Other!A1&"!"' }],
        ['north', 'a', 1, { formula: '=C2*2' }, { formula: '=ROW()' }],
        ['south', 'b', 2, { formula: '=C3*2' }, { formula: '=$C$3' }],
        ['north', 'c', 3, { formula: '=C4*2' }, { formula: '=SUBTOTAL(109,C2:C6)' }],
        ['east', 'd', 4, { formula: '=C5*2' }, { formula: '=total' }],
        ['west', 'e', 5, { formula: '=C6*2' }, { formula: '=SUM(C:C)' }],
      ],
    },
  ],
  [
    'set_range_block',
    {
      sheet: 's2',
      row: 0,
      col: 0,
      rows: [
        [
          'other',
          { formula: '=Sheet1!C4' },
          { formula: '=SUM(Sheet1!C3:C5)' },
          { formula: '=Missing!A1' },
          { formula: '=SEQUENCE(3)' },
        ],
      ],
    },
  ],
  ['define_name', { name: 'total', formula: '=SUM(Sheet1!$C$2:$C$6)' }],
  ['define_name', { name: 'lost', formula: '=Missing!$A$1' }],
  ['set_style', { sheet, region: [0, 0, 0, 4], set: { bold: true, bgColor: 'FFEEEEEE' } }],
  ['set_style', { sheet, region: [0, 2, 1048575, 2], set: { numberFormat: '0.00' } }],
  ['set_border', { sheet, region: [0, 0, 5, 2], top: '1:000000', bottom: '2:FF0000', innerVertical: '1:00FF00' }],
  [
    'merge',
    {
      sheet,
      regions: [
        [1, 6, 1, 7],
        [7, 6, 7, 8],
        [20, 9, 22, 9],
      ],
    },
  ],
  ['set_size', { sheet, axis: 'row', runs: [[1, 3, 30]] }],
  ['set_size', { sheet, axis: 'col', runs: [[2, 2, 120]] }],
  ['set_visible', { sheet, axis: 'col', runs: [[9, 9, 1]] }],
  ['set_freeze', { sheet, rows: 1, cols: 2 }],
  [
    'set_filter',
    {
      sheet,
      filter: {
        id: 'f1',
        region: [0, 0, 5, 2],
        columns: [{ col: 0, visible: ['north'] }],
        hidden: [
          [2, 2],
          [4, 5],
        ],
      },
    },
  ],
  [
    'set_link',
    {
      sheet,
      links: [
        [1, 1, { id: 'l1', url: 'https://example.com' }],
        [4, 0, { id: 'l2', url: 'https://example.org' }],
      ],
    },
  ],
  ['set_rich_text', { sheet, texts: [[2, 0, [{ text: 'so' }, { text: 'uth', style: { bold: true } }]]] }],
  ['put_image', { sheet, image: { id: 'i1', name: 'logo', blob: 'b1', mime: 'image/png', anchor } }],
  [
    'put_chart',
    {
      sheet,
      chart: {
        id: 'c1',
        type: 'CHART_LINE',
        title: 'Amounts',
        region: [0, 0, 5, 2],
        anchor,
        options: { legend: { show: true } },
      },
    },
  ],
  ['put_protect', { sheet, protection: { id: 'r1', owner: 'ann', region: [1, 1, 3, 2] } }],
  ['put_pivot', { pivot }],
];

const cases: readonly [string, object][] = [
  [
    'set_values',
    {
      sheet,
      values: [
        [1, 0, ['x', null, 7, true, { error: '#N/A' }]],
        [500, 40, [1]],
      ],
      formulas: [[1, 3, 2, '=A2&1']],
    },
  ],
  ['set_range_block', { sheet, row: 3, col: 1, rows: [[1, null, { formula: '=B4' }], ['t']] }],
  ['set_range_block', { sheet, row: 300, col: 30, rows: [[1, 2], [3]] }],
  ['clear_contents', { sheet, region: [0, 0, 1048575, 25] }],
  ['set_style', { sheet, region: [0, 1, 2, 2], set: { bold: null, italic: true, numberFormat: 'yyyy-mm-dd' } }],
  ['set_style', { sheet, region: [0, 0, 1048575, 16383], clear: 'all' }],
  ['set_style', { sheet, region: [0, 20, 1048575, 20], set: { bold: true } }],
  ['set_border', { sheet, region: [1, 1, 2, 2], top: null, left: '5:123456', innerHorizontal: '1:000000' }],
  [
    'merge',
    {
      sheet,
      regions: [
        [1, 0, 2, 1],
        [3, 3, 3, 4],
      ],
    },
  ],
  ['unmerge', { sheet, regions: [[20, 9, 22, 9]] }],
  ['insert_dimension', { sheet, axis: 'row', at: 2, count: 3 }],
  ['insert_dimension', { sheet, axis: 'col', at: 1, count: 2 }],
  ['insert_dimension', { sheet, axis: 'row', at: 1000, count: 1_000_000 }],
  ['delete_dimension', { sheet, axis: 'row', at: 1, count: 3 }],
  ['delete_dimension', { sheet, axis: 'col', at: 0, count: 3 }],
  ['delete_dimension', { sheet, axis: 'col', at: 10, count: 6 }],
  ['delete_dimension', { sheet, axis: 'row', at: 0, count: 200 }],
  ['move_dimension', { sheet, axis: 'row', from: 4, count: 2, to: 12 }],
  ['move_dimension', { sheet, axis: 'row', from: 4, count: 2, to: 0 }],
  ['move_dimension', { sheet, axis: 'row', from: 1, count: 1, to: 4 }],
  ['move_dimension', { sheet, axis: 'row', from: 2, count: 1, to: 6 }],
  ['move_dimension', { sheet, axis: 'row', from: 5, count: 1, to: 2 }],
  ['move_dimension', { sheet, axis: 'row', from: 9, count: 2, to: 3 }],
  ['move_dimension', { sheet, axis: 'row', from: 0, count: 1, to: 3 }],
  ['move_dimension', { sheet, axis: 'row', from: 1, count: 4, to: 30 }],
  ['move_dimension', { sheet, axis: 'col', from: 2, count: 1, to: 6 }],
  ['move_dimension', { sheet, axis: 'col', from: 0, count: 1, to: 3 }],
  ['move_dimension', { sheet, axis: 'col', from: 1, count: 1, to: 0 }],
  [
    'set_size',
    {
      sheet,
      axis: 'row',
      runs: [
        [0, 2, 12.5],
        [2, 4, 0],
      ],
    },
  ],
  ['set_size', { sheet, axis: 'col', runs: [[0, 16383, 50]] }],
  [
    'set_visible',
    {
      sheet,
      axis: 'row',
      runs: [
        [0, 3, 1],
        [1, 1, 0],
      ],
    },
  ],
  ['insert_range', { sheet, region: [1, 0, 2, 2], axis: 'row' }],
  ['insert_range', { sheet, region: [4, 1, 5, 2], axis: 'col' }],
  ['delete_range', { sheet, region: [1, 0, 2, 2], axis: 'row' }],
  ['delete_range', { sheet, region: [4, 1, 5, 3], axis: 'col' }],
  ['set_freeze', { sheet, rows: 0, cols: 0 }],
  ['set_filter', { sheet, filter: { id: 'f2', region: [19, 0, 29, 1], columns: [], hidden: [] } }],
  ['set_filter', { sheet, filter: { id: 'f3', region: [0, 20, 1048575, 21], columns: [], hidden: [] } }],
  [
    'update_filter',
    { sheet, filter: { id: 'f1', region: [0, 0, 5, 3], columns: [{ col: 1, visible: ['a'] }], hidden: [[2, 5]] } },
  ],
  ['remove_filter', { sheet, id: 'f1' }],
  ['permute_rows', { sheet, region: [1, 0, 5, 4], order: [4, 2, 0, 1, 3] }],
  [
    'set_link',
    {
      sheet,
      links: [
        [1, 1, { id: 'l3', url: 'https://example.net' }],
        [0, 0, { id: 'l4', url: 'https://example.net' }],
      ],
    },
  ],
  [
    'clear_link',
    {
      sheet,
      cells: [
        [1, 1],
        [0, 0],
      ],
    },
  ],
  ['put_image', { sheet, image: { id: 'i2', name: 'x', blob: 'b2', mime: 'image/png', anchor } }],
  ['remove_image', { sheet, id: 'i1' }],
  ['add_sheet', { sheet: 'new', name: 'Missing', at: 0 }],
  ['delete_sheet', { sheet: 's1' }],
  ['delete_sheet', { sheet: 's2' }],
  ['rename_sheet', { sheet, name: 'My data' }],
  ['rename_sheet', { sheet, name: 'missing' }],
  ['move_sheet', { sheet, to: 1 }],
  ['put_chart', { sheet, chart: { id: 'c1', type: 'CHART_PIE', title: 'T', region: null, anchor, options: {} } }],
  ['remove_chart', { sheet, id: 'c1' }],
  ['put_pivot', { pivot: { ...pivot, columnGroups: [1], row: 4 } }],
  ['put_pivot', { pivot: { ...pivot, id: 'p2', row: 0, col: 1 } }],
  ['remove_pivot', { id: 'p1' }],
  ['put_protect', { sheet, protection: { id: 'r2', owner: 'bob', region: null } }],
  ['remove_protect', { sheet, id: 'r1' }],
  ['define_name', { name: 'TOTAL', formula: '=1' }],
  ['remove_name', { name: 'total' }],
  ['restore_block', { sheet, region: [0, 0, 5, 4], values: [[0, 0, [1, 2]]] }],
  ['restore_styles', { sheet, region: [0, 0, 5, 4], styles: [{ italic: true }], runs: [[0, 0, 3, 0]] }],
  ['restore_state', { sheet, state: { merges: [], links: [] }, names: [{ name: 'total', formula: '=2' }] }],
  ['set_grid', { sheet, rows: 300, cols: 30 }],
  [
    'set_rich_text',
    {
      sheet,
      texts: [
        [2, 0, null],
        [3, 0, [{ text: 'north' }]],
      ],
    },
  ],
];

export function recordEngine(engine: Engine): EngineLog {
  const numbers = new Map(engine.mutationKinds.map(({ type, name }) => [name, type]));
  const made = ([name, data]: readonly [string, object]): Mutation => {
    const type = numbers.get(name);
    if (type === undefined) throw new Error(`this engine has no mutation ${name}`);
    return { type, data };
  };
  const unused = engine.mutationKinds.filter(({ name }) => !cases.some(([used]) => used === name));
  if (unused.length > 0) throw new Error(`no case for ${unused.map(({ name }) => name).join(', ')}`);
  const begin = base.map(made);
  return {
    base: begin,
    cases: cases.map(([name, data]) => {
      const document = new engine.SheetDocument();
      engine.edit(document, begin);
      const mutation = made([name, data]);
      const { inverse } = engine.edit(document, [mutation]);
      return {
        name,
        mutation,
        inverse: JSON.parse(JSON.stringify(inverse)) as Mutation[],
        after: Buffer.from(engine.snapshot(document)).toString('base64'),
      };
    }),
  };
}

export const packed = (value: unknown): Uint8Array => strToU8(JSON.stringify(value));
export const unpacked = <Value>(bytes: Uint8Array): Value => JSON.parse(strFromU8(bytes)) as Value;
