import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as m from '../../src/mutations/index.ts';
import type { Mutation } from '../../src/mutations/index.ts';
import type { PivotTable } from '../../src/document/objects/sheet-objects.ts';
import type { Region } from '../../src/document/objects/rect.ts';
import { doc, region, type TestDocument } from './support.ts';

const sheet = 'Sheet1';
const anchor = { row: 40, col: 40, offsetX: 0, offsetY: 0, width: 100, height: 50 };

/** A filter, a protection, a chart, a pivot table and a merged area over the same cells of an empty part of the sheet. */
function covered(range: Region): TestDocument {
  const d = doc(sheet);
  const pivot: PivotTable = {
    id: 'p',
    name: 'P',
    sourceSheet: sheet,
    source: range,
    sheet,
    row: 60,
    col: 0,
    rowGroups: [],
    columnGroups: [],
    values: [],
    filters: [],
    calculated: [],
  };
  d.edit(
    m.setFilter.of({
      sheet,
      filter: { id: 'f', region: range, columns: [{ col: range[1], visible: [''] }], hidden: [] },
    }),
    m.putProtect.of({ sheet, protection: { id: 'r', owner: 'ann', region: range } }),
    m.putChart.of({ sheet, chart: { id: 'c', type: 'CHART_LINE', title: '', region: range, anchor, options: {} } }),
    m.putPivot.of({ pivot }),
  );
  return d;
}

function rangesOf(d: TestDocument): unknown[] {
  const sub = d.document.subSheet(sheet);
  return [
    sub.filters[0]?.region ?? null,
    sub.protections[0]?.region ?? null,
    sub.charts[0]?.region ?? null,
    d.document.pivots[0]?.source ?? null,
  ];
}

interface Move {
  readonly from: number;
  readonly count: number;
  readonly to: number;
}

/** The rule of contract section 7, by looking at where each line went. */
function expected([first, last]: [number, number], { from, count, to }: Move): [number, number] {
  const order = Array.from({ length: 60 }, (_, i) => i);
  const block = order.splice(from, count);
  order.splice(to > from ? to - count : to, 0, ...block);
  const lines = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const inBlock = (line: number): boolean => line >= from && line < from + count;
  const all = lines.every(inBlock);
  if (!all && block.every((line) => lines.includes(line)) && to >= first && to <= last + 1) return [first, last];
  const left = (all ? lines : lines.filter((line) => !inBlock(line))).map((line) => order.indexOf(line));
  return [Math.min(...left), Math.max(...left)];
}

describe('[finding T2] moving rows and columns under ranges', () => {
  test('inside it is a reorder, out of it shrinks, strictly into it grows, at the edge neither', () => {
    const move = fc
      .record({ from: fc.nat(14), count: fc.integer({ min: 1, max: 5 }), to: fc.nat(20) })
      .filter(({ from, count, to }) => to < from || to > from + count);
    const range = fc
      .tuple(fc.nat(12), fc.integer({ min: 0, max: 6 }), fc.nat(12), fc.integer({ min: 0, max: 6 }))
      .map(([top, tall, left, wide]): Region => [top, left, top + tall, left + wide]);
    fc.assert(
      fc.property(range, move, fc.constantFrom('row' as const, 'col' as const), (at, one, axis) => {
        const d = covered(at);
        const before = d.bytes();
        const { inverse } = d.edit(m.moveLines.of({ sheet, axis, ...one }));
        const [first, last] = expected(axis === 'row' ? [at[0], at[2]] : [at[1], at[3]], one);
        const now: Region = axis === 'row' ? [first, at[1], last, at[3]] : [at[0], first, at[2], last];
        expect(rangesOf(d)).toEqual([now, now, now, now]);
        for (const { col } of d.document.subSheet(sheet).filters[0]!.columns)
          expect(col >= now[1] && col <= now[3]).toBe(true);
        d.edit(...(JSON.parse(JSON.stringify(inverse)) as Mutation[]));
        expect(d.bytes()).toBe(before);
      }),
      { numRuns: 300 },
    );
  });

  test('fields of a pivot table and criteria of a filter follow their columns', () => {
    const d = doc(sheet);
    d.fill('A1', [
      ['k', 'n', 'x'],
      ['a', 1, 'u'],
      ['b', 2, 'v'],
      ['c', 3, 'u'],
    ]);
    d.edit(
      m.setFilter.of({
        sheet,
        filter: {
          id: 'f',
          region: region('A1:C4'),
          columns: [
            { col: 2, visible: ['u'] },
            { col: 0, visible: ['a', 'b'] },
          ],
          hidden: [[2, 3]],
        },
      }),
      m.putPivot.of({
        pivot: {
          id: 'p',
          name: 'P',
          sourceSheet: sheet,
          source: region('A1:C4'),
          sheet,
          row: 0,
          col: 10,
          rowGroups: [2],
          columnGroups: [],
          values: [{ field: 1, aggregation: 'SUM' }],
          filters: [],
          calculated: [],
        },
      }),
    );
    d.edit(m.moveLines.of({ sheet, axis: 'col', from: 2, count: 1, to: 0 }));
    const [filter] = d.document.subSheet(sheet).filters;
    expect([filter!.region, filter!.columns.map(({ col }) => col)]).toEqual([region('A1:C4'), [0, 1]]);
    expect(d.document.pivots[0]).toMatchObject({ source: region('A1:C4'), rowGroups: [0], values: [{ field: 2 }] });
    expect([d.text('K2'), d.text('L2'), d.text('L4')]).toEqual(['u', '4', '6']);
    // The column leaves: its criterion goes, and only what the other one hides stays hidden.
    d.edit(m.moveLines.of({ sheet, axis: 'col', from: 0, count: 1, to: 6 }));
    expect(d.document.subSheet(sheet).filters[0]).toMatchObject({
      region: region('A1:B4'),
      columns: [{ col: 0 }],
      hidden: [[3, 3]],
    });
  });

  test('merged areas follow the rule, and keep their value', () => {
    const merged = (): TestDocument => {
      const d = doc(sheet);
      d.fill('A2', [['value']]);
      d.edit(m.merge.of({ sheet, regions: [region('A2:B5')] }));
      return d;
    };
    const after = (from: number, count: number, to: number): string => {
      const d = merged();
      const before = d.bytes();
      try {
        const { inverse } = d.edit(m.moveLines.of({ sheet, axis: 'row', from, count, to }));
        const [rect] = d.document.subSheet(sheet).merges.list();
        const told = `${rect!.top + 1}-${rect!.bottom + 1} ${d.text(`A${rect!.top + 1}`)}`;
        d.edit(...inverse);
        expect(d.bytes()).toBe(before);
        return told;
      } catch (error) {
        expect(d.bytes()).toBe(before);
        return (error as Error).name;
      }
    };
    expect([
      after(2, 1, 4),
      after(2, 1, 5),
      after(4, 1, 9),
      after(7, 2, 3),
      after(7, 1, 1),
      after(0, 1, 5),
      after(1, 4, 9),
    ]).toEqual(['2-5 value', '2-5 value', '2-4 value', '2-7 value', '3-6 value', '1-4 value', '6-9 value']);
    expect([after(1, 1, 4), after(1, 1, 9), after(2, 1, 1), after(0, 2, 9)]).toEqual([
      'CutsMerge',
      'CutsMerge',
      'CutsMerge',
      'CutsMerge',
    ]);
  });
});
