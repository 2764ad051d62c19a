import { describe, expect, it } from 'vitest';
import { SheetDocument } from '@sheaf/engine/internal/document';
import { loadColumn } from '@sheaf/engine';
import { parseQuery } from '../../../src/modules/sheet/query/parse.ts';
import { runQuery } from '../../../src/modules/sheet/query/run.ts';

type Cell = string | number | null;
type Totals = [name: string, first: number, second: number];

const question = 'select region, sum(score) as s, sum(cost) as c';

/** What the question means, row by row. */
function expected(regions: readonly Cell[], scores: readonly Cell[], costs: readonly Cell[]): Totals[] {
  const found = new Map<string, Totals>();
  regions.forEach((region, at) => {
    const key = String(region ?? '').toLowerCase();
    const totals = found.get(key) ?? [String(region ?? ''), 0, 0];
    found.set(key, totals);
    const [score, cost] = [scores[at], costs[at]];
    if (typeof score === 'number') totals[1] += score;
    if (typeof cost === 'number') totals[2] += cost;
  });
  return [...found.values()];
}

function asked(regions: readonly Cell[], scores: readonly Cell[], costs: readonly Cell[]): Totals[] {
  const document = new SheetDocument();
  const { sheet } = document.add('s', 'worksheet', 'Sales', 0, 1);
  [
    ['region', ...regions],
    ['score', ...scores],
    ['cost', ...costs],
  ].forEach((column, col) => loadColumn(document.workbook, sheet, 0, col, column));
  const query = parseQuery(`${question} from Sales!A1:C${regions.length + 1} group by region`);
  return runQuery(document, query, { most: 100_000 }).rows.map((row) => {
    const [name, first, second] = row as Cell[];
    return [String(name ?? ''), Number(first), Number(second)];
  });
}

/** Whole numbers, so that sums do not depend on the order they are added in. */
function column(rows: number, step: number): number[] {
  return Array.from({ length: rows }, (_, at) => (at * step) % 1009);
}

describe('sums by a column of texts', () => {
  const rows = 5000;
  const scores = column(rows, 7919);
  const costs = column(rows, 104_729);
  const names = ['East', 'West', 'EAST', 'North', 'west'];
  const regions = Array.from({ length: rows }, (_, at) => names[(at * 31) % (at < 2500 ? 2 : 5)]!);

  it('come to the groups in the order they are met, texts that differ in case together', () => {
    const found = asked(regions, scores, costs);
    expect(found).toEqual(expected(regions, scores, costs));
    expect(found.map(([name]) => name)).toEqual(['East', 'West', 'North']);
  });

  it('leave out what is no number, whichever block it stands in', () => {
    const holes = scores.map((score, at) => (at % 1700 === 3 ? null : at === 4000 ? 'n/a' : score));
    const keys = regions.map((region, at) => (at % 2100 === 9 ? null : region));
    expect(asked(keys, holes, costs)).toEqual(expected(keys, holes, costs));
  });

  it('go on where a sum is no number', () => {
    const huge = scores.map((score, at) => (at % 1000 === 10 ? 1.7e308 : at % 1000 === 500 ? -1.7e308 : score));
    const found = asked(regions, huge, costs);
    expect(found.map(([, , cost]) => cost)).toEqual(expected(regions, scores, costs).map(([, , cost]) => cost));
  });

  it('hold for more texts than are kept by id', () => {
    const many = Array.from({ length: 70_000 }, (_, at) => `place ${(at * 7) % 68_000}`);
    const ones = column(many.length, 3);
    const twos = column(many.length, 5);
    expect(asked(many, ones, twos)).toEqual(expected(many, ones, twos));
  });
});
