import fc from 'fast-check';
import { eachTableStyle } from '../src/features/sheets/grid/table-styles.ts';
import { describe, expect, test } from 'vitest';
import { cellName, columnName, rangeName, parseRange, type CellRange } from '../src/features/sheets/cell-geometry.ts';
import { Axis } from '../src/features/sheets/grid/axis.ts';
import { cycleAbsolute, referencesIn, shiftReferences } from '../src/features/sheets/grid/edit-state.ts';
import { shiftRange, shiftsOfSheet } from '../src/features/sheets/grid/shift-range.ts';
import { affectsScope, type AxisShift } from '../src/features/sheets/revision.ts';
import { enclosingFunction } from '../src/features/sheets/grid/formula-context.ts';
import { ChangeMarks } from '../src/features/sheets/grid/change-marks.ts';
import { parseTsv, toHtml, toTsv } from '../src/features/sheets/grid/clipboard-formats.ts';
import {
  fillFromFirstLine,
  insertedRuns,
  orderPasteTargets,
  axisRuns,
  withoutRows,
} from '../src/features/sheets/multi-range.ts';

describe('places of a sheet', () => {
  test('names of cells and ranges, both ways', () => {
    expect([0, 25, 26, 701, 702, 16_383].map(columnName)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA', 'XFD']);
    expect(cellName(9, 27)).toBe('AB10');
    expect(parseRange('b2:D4')).toEqual({ top: 1, left: 1, bottom: 3, right: 3 });
    expect(parseRange('$D$4:B2')).toEqual({ top: 1, left: 1, bottom: 3, right: 3 });
    expect(parseRange('B:C', 50, 10)).toEqual({ top: 0, left: 1, bottom: 49, right: 2 });
    expect(parseRange('3:4', 50, 10)).toEqual({ top: 2, left: 0, bottom: 3, right: 9 });
    for (const none of ['', 'B', 'B0', 'ABCD1', '1048577:1048578', 'A1048577', 'A1:B2:C3', 'hello world'])
      expect(parseRange(none), none).toBeUndefined();
    fc.assert(
      fc.property(fc.nat(1_048_575), fc.nat(16_383), (row, col) => {
        expect(parseRange(cellName(row, col))).toEqual({ top: row, left: col, bottom: row, right: col });
      }),
    );
    expect(rangeName({ top: 0, left: 0, bottom: 1, right: 1 })).toBe('A1:B2');
  });
});

describe('several ranges', () => {
  const named = (...names: string[]) => names.map((name) => parseRange(name)!);

  test('their rows and columns, each once, neighbors joined or not', () => {
    const ranges = named('B5:C6', 'A1', 'D1', 'A2:A3', 'E6:F7');
    expect(axisRuns(ranges, 'row', true)).toEqual([
      { index: 0, count: 3 },
      { index: 4, count: 3 },
    ]);
    expect(axisRuns(ranges, 'row', false)).toEqual([
      { index: 0, count: 1 },
      { index: 1, count: 2 },
      { index: 4, count: 3 },
    ]);
    expect(axisRuns(ranges, 'col', false)).toEqual([
      { index: 0, count: 1 },
      { index: 1, count: 2 },
      { index: 3, count: 1 },
      { index: 4, count: 2 },
    ]);
  });

  test('what is inserted stands before or after each, moved on by what came before it', () => {
    const runs = [
      { index: 0, count: 1 },
      { index: 1, count: 2 },
      { index: 5, count: 1 },
    ];
    expect(insertedRuns(runs, false)).toEqual([
      { index: 0, count: 1 },
      { index: 2, count: 2 },
      { index: 8, count: 1 },
    ]);
    expect(insertedRuns(runs, true)).toEqual([
      { index: 1, count: 1 },
      { index: 4, count: 2 },
      { index: 9, count: 1 },
    ]);
  });

  test('filling goes from the edge over the rest, or from the neighbor into a single one', () => {
    const [block, single, first] = named('B2:C4', 'B2:C2', 'A1') as [CellRange, CellRange, CellRange];
    expect(fillFromFirstLine(block, 'row')).toEqual({ source: parseRange('B2:C2'), target: parseRange('B3:C4') });
    expect(fillFromFirstLine(block, 'col')).toEqual({ source: parseRange('B2:B4'), target: parseRange('C2:C4') });
    expect(fillFromFirstLine(single, 'row')).toEqual({ source: parseRange('B1:C1'), target: parseRange('B2:C2') });
    expect(fillFromFirstLine(first, 'row')).toBeUndefined();
    expect(fillFromFirstLine(first, 'col')).toBeUndefined();
  });

  test('what lies on the source is pasted last', () => {
    const [source] = named('A2:A3') as [CellRange];
    expect(orderPasteTargets(source, named('A1', 'C1', 'A3', 'D1'))).toEqual(named('C1', 'D1', 'A1', 'A3'));
  });
});

describe('an axis', () => {
  test('a million plain rows, some with a size of their own, some hidden', () => {
    const axis = new Axis(
      1_000_000,
      20,
      [
        [2, 3, 50],
        [10, 12, 30],
      ],
      [
        [3, 3],
        [11, 20],
        [999_999, 999_999],
      ],
    );
    expect([0, 2, 3, 10, 11, 12, 21].map((index) => axis.size(index))).toEqual([20, 50, 0, 30, 0, 0, 20]);
    expect(axis.offset(4)).toBe(90);
    expect(axis.offset(21)).toBe(90 + 6 * 20 + 30);
    expect(axis.length).toBe(axis.offset(1_000_000));
    expect(axis.at(90)).toBe(4);
    expect(axis.at(240)).toBe(21);
    expect(axis.at(axis.length + 5)).toBe(999_998);
    expect(axis.nextShown(11, 1)).toBe(21);
    expect(axis.nextShown(20, -1)).toBe(10);
    expect([...axis.shown(1, 22)]).toEqual([1, 2, 4, 5, 6, 7, 8, 9, 10, 21, 22]);
  });

  test('what is at a pixel is where it says it is', () => {
    const runs = fc.uniqueArray(fc.nat(99), { maxLength: 12 }).map((list) => list.sort((a, b) => a - b));
    fc.assert(
      fc.property(runs, runs, fc.nat(99), (sized, hidden, index) => {
        const axis = new Axis(
          100,
          20,
          sized.map((at) => [at, at, 7 + at]),
          hidden.map((at) => [at, at]),
        );
        let offset = 0;
        for (let i = 0; i < index; i++) offset += hidden.includes(i) ? 0 : sized.includes(i) ? 7 + i : 20;
        expect(axis.offset(index)).toBe(offset);
        if (!axis.isHidden(index)) expect(axis.at(offset)).toBe(index);
      }),
    );
  });
});

describe('tables as text', () => {
  test('as Excel and Google Sheets write them', () => {
    expect(
      toTsv([
        ['a', 'b\tc'],
        ['line\nbreak', '"quoted"'],
        ['5" pipe', ''],
      ]),
    ).toBe('a\t"b\tc"\r\n"line\nbreak"\t"""quoted"""\r\n5" pipe\t');
    expect(parseTsv('a\t"b ""c""\nd"\r\n1\t2\r\n')).toEqual([
      ['a', 'b "c"\nd'],
      ['1', '2'],
    ]);
    expect(parseTsv('"not closed\tx\n"half" quoted\ty')).toEqual([
      ['"not closed', 'x'],
      ['"half" quoted', 'y'],
    ]);
    expect(parseTsv('one')).toEqual([['one']]);
    expect(parseTsv('\t\n')).toEqual([['', '']]);
  });

  test('what is written is read again as it was', () => {
    const field = fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', ' ', '=', '中') });
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 4 })
          .chain((width) =>
            fc.array(fc.array(field, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 4 }),
          ),
        (rows) => {
          // A last row with one empty field is indistinguishable from a trailing line break.
          fc.pre(!(rows.at(-1)!.length === 1 && rows.at(-1)![0] === ''));
          expect(parseTsv(toTsv(rows))).toEqual(rows);
        },
      ),
    );
  });

  test('[T35] cells are characters in HTML too', () => {
    expect(toHtml([[{ text: '<script>alert("1")</script>\n&', style: 'color:#fff" onclick="x' }]])).toBe(
      '<meta charset="utf-8"><table><tr><td style="color:#fff&quot; onclick=&quot;x">' +
        '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;<br>&amp;</td></tr></table>',
    );
  });
});

describe('formulas while they are typed', () => {
  test('their references', () => {
    const names = (formula: string): unknown =>
      referencesIn(formula).map(({ name, sheet }) => (sheet === undefined ? name : `${sheet}/${name}`));
    expect(names('=SUM(A1:$B$2, C3)*LOG10(D4)&"E5"')).toEqual(['A1:B2', 'C3', 'D4']);
    expect(names("='My sheet'!A1+Sheet2!B:C")).toEqual(['My sheet/A1', 'Sheet2/B:C']);
    expect(names('A1+B2')).toEqual([]);
    expect(names('=ABCD1+A1B+tax_A1')).toEqual([]);
  });

  test('F4 goes round the four kinds of reference', () => {
    const seen: string[] = [];
    let text = '=A1*2';
    for (let i = 0; i < 4; i++) {
      text = cycleAbsolute(text, 2)!.text;
      seen.push(text);
    }
    expect(seen).toEqual(['=$A$1*2', '=A$1*2', '=$A1*2', '=A1*2']);
    expect(cycleAbsolute('=1+2', 2)).toBeUndefined();
    expect(cycleAbsolute("=Sheet1!A1+'B2!'!B2:C3", 3)!.text).toBe("=Sheet1!$A$1+'B2!'!B2:C3");
    expect(cycleAbsolute("='B2!'!B2:C3", 3)!.text).toBe("='B2!'!$B$2:$C$3");
  });

  test('references are shifted, and the names of sub-sheets stay', () => {
    expect(shiftReferences('=Sheet1!A1+$B2*"C3"', 1, 2)).toBe('=Sheet1!C2+$B3*"C3"');
    expect(shiftReferences("='Q1 2024'!A1:B2", 1, 0)).toBe("='Q1 2024'!A2:B3");
  });

  test('which function and argument the caret is in', () => {
    expect(enclosingFunction('=IF(SUM(A1,B1),"a,(",')).toEqual({ name: 'IF', argument: 2 });
    expect(enclosingFunction('=IF(SUM(A1,')).toEqual({ name: 'SUM', argument: 1 });
    expect(enclosingFunction('=(1+2')).toBeUndefined();
  });
});

describe('what others do', () => {
  test('rows and columns they insert or delete move what is selected', () => {
    const selected = { top: 5, left: 1, bottom: 6, right: 2 };
    const after = (...shifts: AxisShift[]): unknown => shiftsOfSheet({ shifts }, 's').reduce(shiftRange, selected);
    const rows = { sheet_id: 's', axis: 'row' } as const;
    expect(after({ ...rows, at: 2, count: 2 })).toEqual({ top: 7, left: 1, bottom: 8, right: 2 });
    expect(after({ ...rows, at: 0, count: -2 })).toEqual({ top: 3, left: 1, bottom: 4, right: 2 });
    expect(after({ ...rows, at: 5, count: -2 })).toEqual({ top: 5, left: 1, bottom: 5, right: 2 });
    expect(after({ sheet_id: 's', axis: 'col', at: 0, count: 1 })).toEqual({ top: 5, left: 2, bottom: 6, right: 3 });
    expect(after({ ...rows, at: 9, count: 1 })).toEqual(selected);
    expect(after({ ...rows, sheet_id: 'other', at: 0, count: 1 })).toEqual(selected);
    expect(after()).toEqual(selected);
  });

  test('[finding A1] shifts of one revision are followed one after the other, whatever tool made them', () => {
    const selected = { top: 5, left: 1, bottom: 6, right: 2 };
    const rows = { sheet_id: 's', axis: 'row' } as const;
    const batch = [
      { ...rows, at: 0, count: 3 },
      { ...rows, at: 1, count: -1 },
      { sheet_id: 's', axis: 'col', at: 2, count: 2 } as const,
    ];
    expect(shiftsOfSheet({ shifts: batch }, 's').reduce(shiftRange, selected)).toEqual({
      top: 7,
      left: 1,
      bottom: 8,
      right: 4,
    });
  });

  test('[finding A1] rows that are moved take along what is selected on them', () => {
    const selected = { top: 5, left: 1, bottom: 6, right: 2 };
    const after = (at: number, count: number, to: number): number[] => {
      const { top, bottom } = shiftRange(selected, { axis: 'row', at, count, to });
      return [top, bottom];
    };
    expect(after(5, 2, 0)).toEqual([0, 1]);
    expect(after(4, 4, 20)).toEqual([17, 18]);
    expect(after(0, 2, 10)).toEqual([3, 4]);
    expect(after(10, 3, 2)).toEqual([8, 9]);
    expect(after(6, 3, 0)).toEqual([5, 6]);
    expect(after(10, 1, 6)).toEqual([5, 7]);
  });

  test('[finding A1] what is read again follows from the scope of a revision; from an unknown one, all of it', () => {
    expect(affectsScope({ scope: ['cells'] }, 'layout', 'objects', 'sheets')).toBe(false);
    expect(affectsScope({ scope: ['cells', 'objects'] }, 'layout', 'objects', 'sheets')).toBe(true);
    expect(affectsScope({ scope: ['cells', 'objects'] }, 'layout', 'sheets')).toBe(false);
    expect(affectsScope({ scope: undefined }, 'sheets')).toBe(true);
  });

  test('their marks fade and go', () => {
    const marks = new ChangeMarks();
    marks.add('s$B2:C3', { who: 'user_1', name: 'ada', tool: undefined }, 1000);
    expect(marks.on('s', 1000)).toEqual([
      { range: { top: 1, left: 1, bottom: 2, right: 2 }, who: 'user_1', name: 'ada', tool: undefined, strength: 1 },
    ]);
    expect(marks.on('other', 1000)).toEqual([]);
    expect(marks.on('s', 6400)[0]?.strength).toBe(0.5);
    expect(marks.on('s', 7000)).toEqual([]);
  });
});

describe('tables with a style', () => {
  test('headings, stripes, totals, ends and the line around', () => {
    const table = {
      region: [1, 1, 5, 3] as [number, number, number, number],
      heads: 1,
      feet: 1,
      marks: ['row_stripes' as const, 'last_column' as const],
      whole: { borderBottom: 'thin:111111' },
      outline: { line: 'medium:222222', is_open: true },
      stripe: { bgColor: 'FF333333' },
      header: { bgColor: 'FF444444', bold: true },
      totals: { borderTop: 'double:555555' },
      ends: { bold: true },
    };
    const seen = new Map<string, unknown>();
    eachTableStyle([table], { top: 0, left: 0, bottom: 5, right: 3 }, (row, col, look) => {
      seen.set(`${row} ${col}`, look);
    });
    expect(seen.size).toBe(15);
    const thin = { borderBottom: 'thin:111111' };
    expect(seen.get('1 1')).toEqual({ ...thin, borderTop: 'medium:222222', bgColor: 'FF444444', bold: true });
    expect(seen.get('2 2')).toEqual({ ...thin, bgColor: 'FF333333' });
    expect(seen.get('3 3')).toEqual({ ...thin, bold: true });
    expect(seen.get('4 2')).toEqual({ ...thin, bgColor: 'FF333333' });
    expect(seen.get('5 2')).toEqual({ borderBottom: 'medium:222222', borderTop: 'double:555555' });
    // Only cells within the requested range are reported.
    const some: string[] = [];
    eachTableStyle([table], { top: 3, left: 3, bottom: 9, right: 9 }, (row, col) => some.push(`${row} ${col}`));
    expect(some).toEqual(['3 3', '4 3', '5 3']);
  });
});

test('a command for a selection leaves out the rows that filters hide', () => {
  const filteredRows = [
    [0, 1],
    [4, 6],
    [9, 9],
  ];
  const range = (top: number, bottom: number) => ({ top, left: 2, bottom, right: 3 });
  expect(withoutRows(filteredRows, [range(1, 8), range(4, 5), range(9, 12)])).toEqual([
    range(2, 3),
    range(7, 8),
    range(10, 12),
  ]);
});
