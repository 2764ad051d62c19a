import { type CellObject, utils, type WorkSheet, write } from '@e965/xlsx';
import { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';

/** What a cell of a made .xls file must be after the import. */
export interface ExpectedCell {
  readonly value: number | string | boolean;
  readonly formula?: string;
  readonly format?: string;
}

export interface XlsBook {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** By name of the sheet, then by address; what is not listed is empty. */
  readonly sheets: Readonly<Record<string, Readonly<Record<string, ExpectedCell>>>>;
}

/** A cell as the library writes it; it takes formulas as the bytes of their tokens only. */
type XlsCell = CellObject & { bf?: number[] };

interface Cells {
  [address: string]: ExpectedCell | 'formatted';
}

const word = (value: number): number[] => [value & 255, value >> 8];
/** A relative reference is marked in the two high bits of its column. */
const column = (col: number): number[] => word(col | 0xc000);

/** The tokens of `=first+last` (0x44: reference, 0x03: plus) or `=SUM(first:last)` (0x25: area, 0x22: function 4). */
function tokensOf(formula: string): number[] {
  const [first, last] = [...formula.matchAll(/[A-Z]+\d+/g)].map(([address]) => utils.decode_cell(address));
  const tokens = formula.startsWith('=SUM')
    ? [0x25, ...word(first!.r), ...word(last!.r), ...column(first!.c), ...column(last!.c), 0x22, 1, ...word(4)]
    : [0x44, ...word(first!.r), ...column(first!.c), 0x44, ...word(last!.r), ...column(last!.c), 0x03];
  return [...word(tokens.length), ...tokens];
}

function sheetOf(cells: Cells, merged?: string): WorkSheet {
  const sheet: WorkSheet = {};
  let [rows, cols] = [0, 0];
  for (const [address, cell] of Object.entries(cells)) {
    const { r, c } = utils.decode_cell(address);
    rows = Math.max(rows, r);
    cols = Math.max(cols, c);
    if (cell === 'formatted') {
      sheet[address] = { t: 'z', z: '0.00' } satisfies CellObject;
      continue;
    }
    const { value, formula, format } = cell;
    const made: XlsCell = { t: typeof value === 'number' ? 'n' : typeof value === 'string' ? 's' : 'b', v: value };
    if (format !== undefined) made.z = format;
    if (formula !== undefined) made.bf = tokensOf(formula);
    sheet[address] = made;
  }
  if (Object.keys(cells).length > 0) sheet['!ref'] = `A1:${utils.encode_cell({ r: rows, c: cols })}`;
  if (merged !== undefined) sheet['!merges'] = [utils.decode_range(merged)];
  return sheet;
}

function bookOf(name: string, sheets: Record<string, Cells>, merged?: string): XlsBook {
  const book = utils.book_new();
  for (const [title, cells] of Object.entries(sheets)) utils.book_append_sheet(book, sheetOf(cells, merged), title);
  const expected = Object.fromEntries(
    Object.entries(sheets).map(([title, cells]) => [
      title,
      Object.fromEntries(
        Object.entries(cells).filter((entry): entry is [string, ExpectedCell] => entry[1] !== 'formatted'),
      ),
    ]),
  );
  return {
    name,
    bytes: new Uint8Array(write(book, { type: 'buffer', bookType: 'biff8' }) as Buffer),
    sheets: expected,
  };
}

const number = (value: number, format?: string): ExpectedCell => ({ value, ...(format ? { format } : {}) });
const sum = (formula: string, value: number): ExpectedCell => ({ formula, value });

/** Cells scattered over a sheet with a column of sums of two of them; whole rows and columns stay empty. */
function scattered(chance: SeededRandom, rows: number, cols: number): Cells {
  const cells: Cells = {};
  const numbers: { address: string; value: number }[] = [];
  const emptyRow = chance.below(rows);
  const emptyCol = chance.below(cols);
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < cols; c++) {
      if (r === emptyRow || c === emptyCol || !chance.happens(0.15)) continue;
      const address = utils.encode_cell({ r, c });
      const kind = chance.below(6);
      const value = chance.below(100_000) / 8;
      if (kind === 0) cells[address] = { value: `text ${value} é 漢` };
      else if (kind === 1) cells[address] = { value: chance.happens(0.5) };
      else if (kind === 2) cells[address] = 'formatted';
      else {
        cells[address] = number(value, chance.oneOf([undefined, '0.00', '0%', 'yyyy-mm-dd']));
        numbers.push({ address, value });
      }
    }
  for (let row = 0; row < rows && numbers.length > 1; row += 3) {
    const [one, other] = [chance.oneOf(numbers), chance.oneOf(numbers)];
    cells[utils.encode_cell({ r: row, c: cols + 1 })] = sum(
      `=${one.address}+${other.address}`,
      one.value + other.value,
    );
  }
  return cells;
}

/** Workbooks of the old kind with holes in every place, the same at every run. */
export function xlsBooks(): XlsBook[] {
  const some: Cells = { A1: number(1), B2: number(2, '0.00'), C3: sum('=A1+B2', 3) };
  const made = [
    bookOf('an empty first row', { S: { A2: number(1), A3: number(2), B3: sum('=SUM(A1:A3)', 3) } }),
    bookOf('many empty first rows', { S: { D900: number(7), E900: sum('=SUM(D1:D900)', 7) } }),
    bookOf('an empty row inside', { S: { A1: number(1), A3: number(3), A5: sum('=SUM(A1:A3)', 4) } }),
    bookOf('many empty rows inside', {
      S: { A1: { value: 'top' }, B400: number(0.5, '0%'), A401: sum('=B400+B400', 1) },
    }),
    bookOf('empty first columns', { S: { F1: number(5), G2: number(6), H3: sum('=F1+G2', 11) } }),
    bookOf('an empty column inside', { S: { A1: number(1), C1: number(2), A2: { value: 'x' }, D2: sum('=A1+C1', 3) } }),
    bookOf('an empty first sheet', { Empty: {}, S: some }),
    bookOf('an empty sheet between', { S: some, Empty: {}, T: { B4: number(9) } }),
    bookOf('an empty last sheet', { S: some, Empty: {} }),
    bookOf('nothing at all', { S: {}, T: {} }),
    bookOf('one cell in the last row', { S: { A65536: number(65_536), A1: sum('=A65536+A65536', 131_072) } }),
    bookOf('one cell in the last column', { S: { IV3: { value: 'far' }, A9: number(45_000, 'yyyy-mm-dd') } }),
    bookOf('cells that are only formatted', {
      S: { A1: 'formatted', B3: number(1), C6: 'formatted', B7: sum('=B3+B3', 2) },
    }),
    bookOf(
      'a merged area over holes',
      { S: { B2: { value: 'title' }, A9: number(1), A10: sum('=A9+A9', 2) } },
      'B2:D5',
    ),
  ];
  const chance = new SeededRandom(9);
  for (let seed = 1; made.length < 20; seed++)
    made.push(
      bookOf(`scattered ${seed}`, {
        One: scattered(chance.fork(), 10 * seed, 3 + seed),
        Empty: {},
        Two: scattered(chance.fork(), 40, 12),
      }),
    );
  return made;
}
