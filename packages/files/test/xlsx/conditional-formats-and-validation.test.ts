import { describe, expect, test } from 'vitest';
import {
  computedFormats,
  type ConditionalFormat,
  encodeSnapshot,
  loadSnapshot,
  isValid,
  choicesOf,
  validationAt,
} from '@sheaf/engine/internal/document';
import {
  deleteDimension,
  insertDimension,
  permuteRows,
  putMark,
  removeMark,
  setRangeBlock,
  setSetup,
  setValues,
  type Mutation,
} from '@sheaf/engine/internal/mutations';
import { edit, type SheetDocument } from '@sheaf/engine';
import { documentOf } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';

const column = (values: readonly (number | string | boolean | null)[]): Mutation =>
  setRangeBlock.of({ sheet: 'one', row: 0, col: 0, rows: values.map((value) => [value]) });

function withRule(
  values: readonly (number | string | boolean | null)[],
  rule: Partial<ConditionalFormat>,
): SheetDocument {
  const mark = { id: 'f', regions: [[0, 0, 9, 0]], style: { bold: true }, ...rule } as ConditionalFormat;
  return documentOf(column(values), putMark.of({ sheet: 'one', list: 'formats', mark }));
}

const whole = { top: 0, left: 0, bottom: 9, right: 3 };
const rowsOf = (document: SheetDocument, now = 45_000): number[] =>
  computedFormats(document, document.subSheets[0]!, whole, { now }).map(({ row }) => row + 1);

describe('conditional formats', () => {
  test('cell values, text, formulas, blanks', () => {
    expect(rowsOf(withRule([1, 5, 9], { kind: 'cell', test: 'greater', formulas: ['4'] }))).toEqual([2, 3]);
    expect(rowsOf(withRule([1, 5, 9], { kind: 'cell', test: 'between', formulas: ['9', '5'] }))).toEqual([2, 3]);
    // Relative to the first cell of the range.
    expect(rowsOf(withRule([1, 2, 2, 3], { kind: 'formula', formulas: ['A1=A2'], regions: [[0, 0, 3, 0]] }))).toEqual([
      2,
    ]);
    expect(rowsOf(withRule(['Pear', 'apple'], { kind: 'text', test: 'contains', formulas: ['"PE"'] }))).toEqual([1]);
    expect(rowsOf(withRule(['a', null, 'b'], { kind: 'blank', regions: [[0, 0, 2, 0]] }))).toEqual([2]);
  });

  test('top, average, duplicates, dates', () => {
    expect(rowsOf(withRule([5, 1, 4, 2, 3], { kind: 'top', rank: 2 }))).toEqual([1, 3]);
    expect(rowsOf(withRule([5, 1, 4, 2, 3], { kind: 'top', rank: 40, percent: true, below: true }))).toEqual([2, 4]);
    expect(rowsOf(withRule([1, 2, 3], { kind: 'average' }))).toEqual([3]);
    expect(rowsOf(withRule([1, 2, 3], { kind: 'average', below: true, equal: true }))).toEqual([1, 2]);
    expect(rowsOf(withRule(['a', 'A', 'b', 1, 1], { kind: 'duplicate' }))).toEqual([1, 2, 4, 5]);
    expect(rowsOf(withRule(['a', 'A', 'b'], { kind: 'unique' }))).toEqual([3]);
    expect(rowsOf(withRule([44_999, 45_000, 45_001], { kind: 'date', period: 'tomorrow' }))).toEqual([3]);
  });

  test('scales, bars and icons', () => {
    const steps = (...types: string[]): ConditionalFormat['steps'] => types.map((type) => ({ type })) as never;
    const scale = withRule([0, 5, 10], {
      kind: 'scale',
      steps: [
        { type: 'min', color: 'FF000000' },
        { type: 'max', color: 'FFFFFFFF' },
      ],
      formulas: ['', ''],
    });
    expect(computedFormats(scale, scale.subSheets[0]!, whole).map(({ look }) => look.style?.bgColor)).toEqual([
      'FF000000',
      'FF808080',
      'FFFFFFFF',
    ]);
    const bar = withRule([0, 5, 10], {
      kind: 'bar',
      steps: steps('min', 'max'),
      formulas: ['', ''],
      color: 'FF0000FF',
    });
    expect(computedFormats(bar, bar.subSheets[0]!, whole).map(({ look }) => look.bar?.share)).toEqual([0, 0.5, 1]);
    const icons = withRule([0, 5, 10], {
      kind: 'icons',
      icons: '3Arrows',
      steps: steps('percent', 'percent', 'percent'),
      formulas: ['0', '33', '67'],
    });
    expect(computedFormats(icons, icons.subSheets[0]!, whole).map(({ look }) => look.icon?.index)).toEqual([0, 1, 2]);
  });

  test('the first rule holds where two say the same, and stops those after it', () => {
    const document = withRule([1, 9], {
      kind: 'cell',
      test: 'greater',
      formulas: ['5'],
      style: { bgColor: 'FFFF0000' },
      stop: true,
    });
    const second = {
      id: 'g',
      regions: [[0, 0, 9, 0]],
      kind: 'cell',
      test: 'greater',
      formulas: ['0'],
      style: { bgColor: 'FF00FF00', italic: true },
    };
    edit(document, [putMark.of({ sheet: 'one', list: 'formats', mark: second as never })]);
    expect(computedFormats(document, document.subSheets[0]!, whole)).toEqual([
      { row: 0, col: 0, look: { style: { bgColor: 'FF00FF00', italic: true } } },
      { row: 1, col: 0, look: { style: { bgColor: 'FFFF0000' } } },
    ]);
  });

  test('ranges that overlap, in any order: row by row, each cell once, the first rule first', () => {
    const bold = { bold: true } as const;
    const document = withRule([1, 2, 3, 4], {
      kind: 'not_blank',
      regions: [
        [2, 0, 3, 0],
        [0, 0, 2, 0],
      ],
      style: bold,
    });
    const red = { bgColor: 'FFFF0000' };
    const second = { id: 'g', kind: 'blank', regions: [[1, 0, 2, 2]], style: red };
    edit(document, [putMark.of({ sheet: 'one', list: 'formats', mark: second as never })]);
    expect(computedFormats(document, document.subSheets[0]!, { top: 1, left: 0, bottom: 3, right: 1 })).toEqual([
      { row: 1, col: 0, look: { style: bold } },
      { row: 1, col: 1, look: { style: red } },
      { row: 2, col: 0, look: { style: bold } },
      { row: 2, col: 1, look: { style: red } },
      { row: 3, col: 0, look: { style: bold } },
    ]);
  });

  test('top, bottom and percentiles of many numbers in any order, many of them equal', () => {
    for (const values of [
      Array.from({ length: 200 }, (_, i) => (i * 73) % 101),
      Array.from({ length: 200 }, (_, i) => i % 3),
      Array.from({ length: 200 }, (_, i) => (i < 100 ? i : 200 - i)),
    ]) {
      const sorted = values.toSorted((a, b) => a - b);
      const region: Partial<ConditionalFormat> = { regions: [[0, 0, 199, 0]] };
      const all = { top: 0, left: 0, bottom: 199, right: 0 };
      const found = (rule: Partial<ConditionalFormat>): number[] => {
        const document = withRule(values, { ...region, ...rule });
        return computedFormats(document, document.subSheets[0]!, all).map(({ row }) => row);
      };
      const rowsWhere = (test: (value: number) => boolean): number[] =>
        values.flatMap((value, row) => (test(value) ? [row] : []));
      expect(found({ kind: 'top', rank: 7 })).toEqual(rowsWhere((value) => value >= sorted[193]!));
      expect(found({ kind: 'top', rank: 5, percent: true, below: true })).toEqual(
        rowsWhere((value) => value <= sorted[9]!),
      );
      const middle = (sorted[99]! + sorted[100]!) / 2;
      const scale = withRule(values, {
        ...region,
        kind: 'icons',
        icons: '3Arrows',
        steps: ['min', 'percentile', 'max'].map((type) => ({ type })) as never,
        formulas: ['', '50', ''],
      });
      const icons = computedFormats(scale, scale.subSheets[0]!, all).map(({ look }) => look.icon?.index);
      const most = sorted.at(-1)!;
      expect(icons).toEqual(values.map((value) => (value >= most ? 2 : value >= middle ? 1 : 0)));
    }
  });

  test('duplicates and single values among many numbers, texts and flags; 0 and -0 are one number', () => {
    const values = [3, 'b', 0, -2.5, true, 'B', -0, 7, 1e300, -2.5, false, -1e300, 'c', 3, 3];
    const region: Partial<ConditionalFormat> = { regions: [[0, 0, values.length - 1, 0]] };
    const found = (kind: 'duplicate' | 'unique'): number[] => {
      const document = withRule(values, { ...region, kind });
      const all = { top: 0, left: 0, bottom: values.length - 1, right: 0 };
      return computedFormats(document, document.subSheets[0]!, all).map(({ row }) => row);
    };
    expect(found('duplicate')).toEqual([0, 1, 2, 3, 5, 6, 9, 13, 14]);
    expect(found('unique')).toEqual([4, 7, 8, 10, 11, 12]);
  });

  test('cells of a scale that come to the same color share one look', () => {
    const scale = withRule([0, 10, 0, 10], {
      kind: 'scale',
      steps: [
        { type: 'min', color: '80FF0000' },
        { type: 'max', color: 'FF00FF00' },
      ],
      formulas: ['', ''],
    });
    const looks = computedFormats(scale, scale.subSheets[0]!, whole).map(({ look }) => look);
    expect(looks.map(({ style }) => style?.bgColor)).toEqual(['80FF0000', 'FF00FF00', '80FF0000', 'FF00FF00']);
    expect(new Set(looks).size).toBe(2);
  });

  test('what all cells say is known again after an edit', () => {
    const document = withRule([5, 1, 4], { kind: 'top', rank: 1 });
    expect(rowsOf(document)).toEqual([1]);
    edit(document, [setValues.of({ sheet: 'one', values: [[1, 0, [9]]] })]);
    expect(rowsOf(document)).toEqual([2]);
  });

  test('rules follow rows, and come back bit for bit', () => {
    const document = withRule([1, 2, 3, 4], { kind: 'formula', formulas: ['A1>$B$4'], regions: [[0, 0, 3, 0]] });
    const before = encodeSnapshot(document);
    const { inverse } = edit(document, [insertDimension.of({ sheet: 'one', axis: 'row', at: 1, count: 2 })]);
    expect(document.subSheets[0]!.formats[0]).toMatchObject({ regions: [[0, 0, 5, 0]], formulas: ['A1>$B$6'] });
    edit(document, inverse);
    expect(Buffer.from(encodeSnapshot(document))).toEqual(Buffer.from(before));
    const gone = edit(document, [deleteDimension.of({ sheet: 'one', axis: 'row', at: 0, count: 4 })]);
    expect(document.subSheets[0]!.formats).toEqual([]);
    edit(document, gone.inverse);
    expect(Buffer.from(encodeSnapshot(document))).toEqual(Buffer.from(before));
    expect(loadSnapshot(before).subSheets[0]!.formats).toEqual(document.subSheets[0]!.formats);
    const removed = edit(document, [removeMark.of({ sheet: 'one', list: 'formats', id: 'f' })]);
    edit(document, removed.inverse);
    expect(Buffer.from(encodeSnapshot(document))).toEqual(Buffer.from(before));
  });
});

describe('data validation and comments', () => {
  const rule = (more: object) =>
    putMark.of({ sheet: 'one', list: 'validations', mark: { id: 'v', regions: [[0, 0, 9, 0]], ...more } as never });
  const allowed = (document: SheetDocument): boolean[] => {
    const sub = document.subSheets[0]!;
    return [0, 1, 2].map((row) => isValid(document, sub, validationAt(sub, row, 0)!, row, 0));
  };

  test('kinds', () => {
    expect(allowed(documentOf(column(['a', 'c', null]), rule({ kind: 'list', formulas: ['"a,b"'] })))).toEqual([
      true,
      false,
      true,
    ]);
    expect(
      allowed(documentOf(column([1, 1.5, 20]), rule({ kind: 'whole', test: 'between', formulas: ['1', '9'] }))),
    ).toEqual([true, false, false]);
    expect(
      allowed(documentOf(column(['ab', 'abcd', 1]), rule({ kind: 'length', test: 'less', formulas: ['3'] }))),
    ).toEqual([true, false, true]);
    expect(allowed(documentOf(column([1, 2, 3]), rule({ kind: 'custom', formulas: ['ISODD(A1)'] })))).toEqual([
      true,
      false,
      true,
    ]);
    expect(allowed(documentOf(column([null, 2, 3]), rule({ kind: 'any', required: true })))).toEqual([
      false,
      true,
      true,
    ]);
    const ranged = documentOf(column(['x', 'y', 'x']), rule({ kind: 'list', formulas: ['$A$1:$A$2'] }));
    expect(choicesOf(ranged, ranged.subSheets[0]!, ranged.subSheets[0]!.validations[0]!, 0, 0)).toEqual(['x', 'y']);
  });

  test('letter case counts in a list that is written out, and not in one of cells', () => {
    const values = column(['Yes', 'yes', 'no']);
    expect(allowed(documentOf(values, rule({ kind: 'list', formulas: ['"Yes,No"'] })))).toEqual([true, false, false]);
    expect(allowed(documentOf(values, rule({ kind: 'list', formulas: ['$A$1:$A$1'] })))).toEqual([true, true, false]);
  });

  test('a comment goes with its cell when rows are sorted, and with its row when that is deleted', () => {
    const document = documentOf(
      column([2, 1]),
      putMark.of({
        sheet: 'one',
        list: 'comments',
        mark: { id: 'c', regions: [[0, 0, 0, 0]], entries: [{ id: 'e', author: 'u', at: 1, text: 'hm' }] },
      }),
    );
    const before = encodeSnapshot(document);
    const sorted = edit(document, [permuteRows.of({ sheet: 'one', region: [0, 0, 1, 0], order: [1, 0] })]);
    expect(document.subSheets[0]!.comments[0]!.regions).toEqual([[1, 0, 1, 0]]);
    edit(document, sorted.inverse);
    const deleted = edit(document, [deleteDimension.of({ sheet: 'one', axis: 'row', at: 0, count: 1 })]);
    expect(document.subSheets[0]!.comments).toEqual([]);
    edit(document, deleted.inverse);
    const set = edit(document, [setSetup.of({ sheet: 'one', setup: { visibility: 'hidden', zoom: 80 } })]);
    edit(document, set.inverse);
    expect(Buffer.from(encodeSnapshot(document))).toEqual(Buffer.from(before));
  });
});
