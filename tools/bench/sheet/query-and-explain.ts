import { DatabaseSync } from '@photostructure/sqlite';
import { SheetDocument, type SubSheet } from '@sheaf/engine/internal/document';
import { loadColumn } from '@sheaf/engine';
import { inspect } from '@sheaf/server/modules/sheet/extensions/inspect.ts';
import { parseQuery } from '@sheaf/server/modules/sheet/query/parse.ts';
import { runQuery } from '@sheaf/server/modules/sheet/query/run.ts';
import type { Row } from '../measure/report.ts';

const rounds = 60;
const rows = 1_000_000;
const regions = ['East', 'West', 'North', 'South', 'Middle', 'Upper', 'Lower'];

/**
 * Measures what agents ask of large sheets: a query compared with a plain loop and with SQLite in memory, and explaining a
 * sheet.
 */
export async function measureQueryAndExplain(): Promise<Row[]> {
  return [...questions(), ...explained()];
}

function questions(): Row[] {
  const keys = Int32Array.from({ length: rows }, (_, at) => ((at * 2_654_435_761) >>> 7) % regions.length);
  const scores = Float64Array.from({ length: rows }, (_, at) => ((at * 7919) % 1000) / 10);
  const costs = Float64Array.from({ length: rows }, (_, at) => (at * 104_729) % 977);
  const { document, sub } = newDocument('Sales');
  loadColumn(document.workbook, sub.sheet, 0, 0, ['region', ...Array.from(keys, (key) => regions[key]!)]);
  loadColumn(document.workbook, sub.sheet, 0, 1, ['score', ...scores]);
  loadColumn(document.workbook, sub.sheet, 0, 2, ['cost', ...costs]);
  const text = `select region, sum(score) as s, sum(cost) as c from Sales!A1:C${rows + 1} group by region`;
  const bare = (): number => {
    const first = new Float64Array(regions.length);
    const second = new Float64Array(regions.length);
    for (let at = 0; at < rows; at++) {
      const key = keys[at]!;
      first[key]! += scores[at]!;
      second[key]! += costs[at]!;
    }
    return first[0]! + second[0]!;
  };
  const ours = (): number => runQuery(document, parseQuery(text), { most: 1000 }).rows.length;
  const database = new DatabaseSync(':memory:');
  database.exec('create table sales (region text, score real, cost real)');
  const insert = database.prepare('insert into sales values (?, ?, ?)');
  database.exec('begin');
  for (let at = 0; at < rows; at++) insert.run(regions[keys[at]!]!, scores[at]!, costs[at]!);
  database.exec('commit');
  const question = database.prepare('select region, sum(score), sum(cost) from sales group by region');
  const sqlite = (): number => question.all().length;
  const [loop, own] = least([bare, ours], 21, 20) as [number, number];
  const [theirs] = least([sqlite], 3) as [number];
  database.close();
  return [
    {
      what: 'query of 1,000,000 rows, group by with two sums, over a bare typed-array loop',
      value: `${(own / loop).toFixed(2)} (${own.toFixed(1)} over ${loop.toFixed(1)} ms)`,
      goal: 'at most 2',
      met: own / loop <= 2,
    },
    {
      what: 'the same in SQLite in memory, over query',
      value: `${(theirs / own).toFixed(1)} (${theirs.toFixed(1)} ms)`,
      goal: 'above 1',
      met: theirs > own,
    },
  ];
}

function explained(): Row[] {
  const { document, sub } = newDocument('Big');
  const height = 100_000;
  for (let col = 0; col < 20; col++) {
    const values = Array.from({ length: height - 1 }, (_, at) =>
      col > 0 && col < 5 ? `text ${at % (col * 37)}` : (at * col) / 7,
    );
    loadColumn(document.workbook, sub.sheet, 0, col, [`heading ${col}`, ...values]);
  }
  const { work } = inspect;
  if (work.kind !== 'read') throw new Error('inspect reads');
  const run = (): unknown => work.read(document, {} as never, {} as never);
  const tokens = Math.ceil(JSON.stringify(run()).length / 4);
  const [ms] = least([run]) as [number];
  return [
    { what: 'inspect of 100,000 x 20 cells, tokens', value: String(tokens), goal: 'under 1,500', met: tokens < 1500 },
    { what: 'inspect of 100,000 x 20 cells, ms', value: ms.toFixed(0), goal: 'under 300', met: ms < 300 },
  ];
}

function newDocument(name: string): { document: SheetDocument; sub: SubSheet } {
  const document = new SheetDocument();
  return { document, sub: document.add('s', 'worksheet', name, 0, 1) };
}

/**
 * Returns the lowest processor time of each work in milliseconds, over alternating rounds; other load only adds. A round
 * consists of many runs, because the processor time counter is about as coarse as one run.
 */
function least(works: readonly (() => unknown)[], turns = rounds, runs = 1): number[] {
  const found = works.map(() => Infinity);
  for (let round = 0; round < turns; round++)
    works.forEach((work, index) => {
      const started = process.cpuUsage();
      for (let run = 0; run < runs; run++) work();
      const { user, system } = process.cpuUsage(started);
      found[index] = Math.min(found[index]!, (user + system) / 1000 / runs);
    });
  return found;
}
