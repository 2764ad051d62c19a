import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxRows } from '../../src/base/grid-size.ts';
import { Workbook } from '../../src/index.ts';
import { WorkbookCore } from '../../src/workbook/workbook-core.ts';

/** A formula below others of its column is recognized without being read: it must mean what it means alone. */

interface Placed {
  readonly text: string;
  readonly row: number;
}

const col = 2;

function read(core: WorkbookCore, { text, row }: Placed): unknown {
  try {
    const { pattern, constants, texts } = core.templates.of(text, row, col);
    return { parts: pattern.parts, constants, texts };
  } catch (error) {
    return String(error);
  }
}

function alone(placed: Placed): unknown {
  const core = new WorkbookCore();
  core.addSheet('Sheet1');
  return read(core, placed);
}

function expectSame(column: readonly Placed[]): void {
  const core = new WorkbookCore();
  core.addSheet('Sheet1');
  for (const placed of column)
    expect({ ...placed, read: read(core, placed) }).toEqual({ ...placed, read: alone(placed) });
}

describe('copies down a column', () => {
  it.each([
    ['relative rows', ['=A1*2+B1', '=A2*2+B2', '=A10*2+B3', '=A4*2+B4']],
    ['another column, a fixed one', ['=A1', '=B2', '=$A3', '=A4', '=AA5']],
    ['fixed rows', ['=SUM(A$2:A3)', '=SUM(A$2:A4)', '=SUM(A$1:A5)', '=SUM(A$2:A6)']],
    ['edges that would cross', ['=SUM(A1:A$2)', '=SUM(A2:A$2)', '=SUM(A3:A$2)', '=SUM(A4:A$2)']],
    ['constants', ['=A1+1', '=A2+1', '=A3+10', '=A4+1.0', '=A5+1E1', '=A6+1']],
    ['digits with a zero before them', ['=A1', '=A02', '=A3', '=A004']],
    ['more or less behind', ['=A1', '=A2 ', '=A3+', '=A', '=', '=A6B', '=A7.5', '=A8:A9']],
    ['small letters, spaces', ['=A1+B1', '=a2+B2', '=A3 + B3', '=A4+b4']],
    ['functions that look like cells', ['=LOG10(A1)', '=LOG10(A2)', '=LOG11(A3)', '=LOG10']],
    ['names that look like cells', ['=A1', '=AAAA2', '=XFD3', '=XFE4']],
    ['texts', ['="A1"&A1', '="A2"&A2', '="A1"&A3', '="A""1"&A4']],
    ['other sheets', ['=Sheet1!A1', '=Sheet1!A2', '=Sheet2!A3', '=A4']],
    ['without the sign', ['=A1', 'A2', '=A3']],
  ])('%s', (_, texts) => {
    expectSame(texts.map((text, row) => ({ text, row })));
  });

  it('at the ends of the sheet', () => {
    const last = maxRows - 1;
    expectSame([
      { text: '=A3', row: 1 },
      { text: `=A${maxRows}`, row: last - 1 },
      { text: `=A${maxRows + 1}`, row: last },
      { text: '=A4', row: 2 },
    ]);
    expectSame([
      { text: '=A2', row: 2 },
      { text: '=A1', row: 1 },
      { text: '=A0', row: 0 },
    ]);
  });

  it('whatever stands above', () => {
    const reference = fc
      .tuple(fc.constantFrom('A', 'B', '$A', 'C', 'AB'), fc.constantFrom('', '$'), fc.integer({ min: -2, max: 12 }))
      .map(([letters, fixed, to]) => `${letters}${fixed}${to}`);
    const piece = fc.oneof(
      reference,
      fc.tuple(reference, reference).map(([a, b]) => `SUM(${a}:${b})`),
      fc.constantFrom('1', '2.5', '"x"', '0'),
    );
    const formula = fc
      .array(fc.tuple(piece, fc.constantFrom('+', '*', ' ', '&', '')), { minLength: 1, maxLength: 3 })
      .map((pieces) => `=${pieces.flat().slice(0, -1).join('')}`);
    const rows = fc.array(fc.tuple(formula, fc.nat(9)), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(rows, (column) => {
        expectSame(column.map(([text, row]) => ({ text, row })));
        // The same formula further down, with every row one more: the usual case.
        expectSame(
          column.flatMap(([text, row]) => [
            { text, row },
            { text: text.replaceAll(/(?<=[A-Z])\d+/g, (digits) => String(Number(digits) + 1)), row: row + 1 },
          ]),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('are computed the same in bulk and one by one', () => {
    const rows = Array.from({ length: 3000 }, (_, r) => [
      r % 7 === 0 ? `t${r}` : r / 3,
      r === 0 ? 1 : `=B${r}+${r % 500 === 0 ? 2 : 1}`,
      `=SUM(A${r + 1}:B${r + 1})`,
      `=IF(B${r + 1}>${r % 3},A$1&"x",COUNT(A$1:A${r + 1}))`,
    ]);
    const one = new Workbook();
    one.batch(() =>
      rows.forEach((line, row) => line.forEach((value, at) => one.set({ row, col: at }, value as string | number))),
    );
    expect(Workbook.fromRows(rows).rows()).toEqual(one.rows());
  });

  it('written over what stands there, from the middle of a sheet, with rows that are nearly copies', () => {
    const near = (r: number): string => {
      const n = r + 96;
      if (r % 211 === 0) return `=A${n}*2+B${n + 1}`;
      if (r % 307 === 0) return `=A${n}*2+B0${n}`;
      if (r % 401 === 0) return `=a${n}*2+B${n}`;
      return `=A${n}*2+B${n}`;
    };
    const rows = Array.from({ length: 2200 }, (_, r) => [
      r % 5 === 0 ? null : r,
      r % 900 === 0 ? `'=${r}` : r / 4,
      r % 1000 === 999 ? 7 : near(r),
      r % 2 === 0 ? `=SUM(A$1:A${r + 96})` : true,
    ]);
    const before = Array.from({ length: 1500 }, (_, r) => [`=ROW()`, r, 'x', `=B${r + 1}`]);
    const bulk = Workbook.fromRows(before);
    bulk.set('A96', rows);
    const one = Workbook.fromRows(before);
    one.batch(() =>
      rows.forEach((line, r) => line.forEach((value, c) => one.set({ row: r + 95, col: c }, value as string | number))),
    );
    expect(bulk.rows()).toEqual(one.rows());
    for (const row of [94, 95, 98, 99, 305, 401, 998, 999, 1023, 1024, 2294])
      for (const col of [0, 2, 3]) expect(bulk.formula({ row, col })).toBe(one.formula({ row, col }));
    bulk.set('B100', 1000);
    one.set('B100', 1000);
    expect(bulk.rows()).toEqual(one.rows());
  });
});
