import { percentile } from '../measure/report.ts';
import { measureCpu, usedBytes, median, measureWall } from './clock.ts';
import type { Contender, ContenderName, Input, Rows } from './contender.ts';

/** Results of one run, by metric. */
export type Figures = Record<string, number>;

export interface Metric {
  what: string;
  /** Maximum share of the best peer's figure, or maximum number of bytes. */
  goal: number;
  unit: 'ms' | 'bytes';
  /** Maximum share of the best peer's first run in a fresh process; 0.08 by default. */
  cold?: number;
  /** The peer to compare with, if the fastest one does less work: it returns stored objects, ours builds the response. */
  against?: ContenderName;
}

export interface Workload {
  metrics: Record<string, Metric>;
  /** Operation that the contender must support. */
  needs?: 'sort' | 'insertRow' | 'read';
  /** Creates the input before the clock starts. */
  data(scale: number): Rows;
  run(engine: Contender, rows: Rows): Promise<Figures>;
}

/** A deterministic random generator, so that every contender gets the same numbers. */
function numbers(seed = 12_345): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

const price = (random: () => number): number => Math.round(random() * 1e6) / 100;

function table(count: number, line: (row: number) => Input[]): Rows {
  return Array.from({ length: count }, (_, row) => line(row));
}

/** Throws on a wrong result, which must not count as a measurement. */
function check(engine: Contender, row: number, col: number, expected: number | string): void {
  const found = engine.value(row, col);
  const same =
    typeof expected === 'number' && typeof found === 'number'
      ? Math.abs(found - expected) <= 1e-9 * Math.max(1, Math.abs(expected))
      : found === expected;
  if (!same) throw new Error(`wrong answer: row ${row + 1}, column ${col + 1} is ${String(found)}, not ${expected}`);
}

const at = (rows: Rows, row: number, col: number): number => Number(rows[row]?.[col]);

async function repeated(times: number, measure: (i: number) => Promise<number>): Promise<number> {
  const found: number[] = [];
  for (let i = 0; i < times; i++) found.push(await measure(i));
  return median(found);
}

function shuffled(count: number): number[] {
  const random = numbers(99);
  const keys = Array.from({ length: count }, (_, i) => i * 3 + 7);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [keys[i], keys[j]] = [keys[j] as number, keys[i] as number];
  }
  return keys;
}

function product(scale: number): Rows {
  const random = numbers();
  return table(100_000 * scale, (row) => [price(random), price(random), `=A${row + 1}*2+B${row + 1}`]);
}

function lookup(formula: (row: number, count: number) => string): (scale: number) => Rows {
  return (scale) => {
    const count = 20_000 * scale;
    const keys = shuffled(count);
    return table(count, (row) => [keys[row] as number, row + 0.5, row * 3 + 7, formula(row + 1, count)]);
  };
}

/** Finds the row of a key in the first column by linear search. */
function findRow(rows: Rows, key: Input): number {
  return rows.findIndex((line) => line[0] === key);
}

export const workloads: Record<string, Workload> = {
  load: {
    metrics: { load: { what: 'load 1M numbers in bulk', goal: 0.3, unit: 'ms' } },
    data: (scale) => {
      const random = numbers();
      return table(100_000 * scale, () => Array.from({ length: 10 }, () => price(random)));
    },
    run: async (engine, rows) => {
      const load = await measureCpu(() => engine.build(rows));
      check(engine, rows.length - 1, 9, at(rows, rows.length - 1, 9));
      return { load };
    },
  },
  product: {
    metrics: { build: { what: '100k rows of =A1*2+B1, build and calculate', goal: 0.15, unit: 'ms' } },
    data: product,
    run: async (engine, rows) => {
      const build = await measureCpu(() => engine.build(rows));
      for (const row of [0, rows.length - 1]) check(engine, row, 2, at(rows, row, 0) * 2 + at(rows, row, 1));
      return { build };
    },
  },
  running: {
    metrics: {
      build: { what: '100k running sums =SUM(A$1:A9), build', goal: 0.15, unit: 'ms' },
      edit: { what: '100k running sums, edit the top', goal: 0.1, unit: 'ms' },
    },
    data: (scale) => table(100_000 * scale, (row) => [(row % 97) + 1, `=SUM(A$1:A${row + 1})`]),
    run: async (engine, rows) => {
      const build = await measureCpu(() => engine.build(rows));
      const last = rows.length - 1;
      const total = rows.reduce((sum, line) => sum + Number(line[0]), 0);
      check(engine, last, 1, total);
      const edit = await repeated(3, (i) => measureCpu(() => engine.set(0, 0, 1000 + i)));
      check(engine, last, 1, total - 1 + 1002);
      return { build, edit };
    },
  },
  chain: {
    metrics: {
      build: { what: 'chain of 100k, build', goal: 0.15, unit: 'ms' },
      edit: { what: 'chain of 100k, edit the top', goal: 0.1, unit: 'ms' },
    },
    data: (scale) => table(100_000 * scale, (row) => [row === 0 ? 1 : `=A${row}+1`]),
    run: async (engine, rows) => {
      const build = await measureCpu(() => engine.build(rows));
      check(engine, rows.length - 1, 0, rows.length);
      const edit = await repeated(3, (i) => measureCpu(() => engine.set(0, 0, 1000 + i)));
      check(engine, rows.length - 1, 0, rows.length + 1001);
      return { build, edit };
    },
  },
  fan: {
    metrics: { edit: { what: 'one root, 100k dependents, recalculate', goal: 0.05, unit: 'ms' } },
    data: (scale) => table(100_000 * scale, (row) => [row === 0 ? 5 : null, row, `=$A$1*2+B${row + 1}`]),
    run: async (engine, rows) => {
      await engine.build(rows);
      const edit = await repeated(5, (i) => measureCpu(() => engine.set(0, 0, 1000 + i)));
      check(engine, rows.length - 1, 2, 2008 + rows.length - 1);
      return { edit };
    },
  },
  edits: {
    metrics: {
      p50: { what: 'one edit in 500k cells, p50 (wall)', goal: 0.5, unit: 'ms', cold: 0.25 },
      p99: { what: 'one edit in 500k cells, p99 (wall)', goal: 0.5, unit: 'ms', cold: 0.25 },
    },
    data: (scale) => {
      const random = numbers();
      return table(100_000 * scale, (row) => {
        const n = row + 1;
        return [price(random), price(random), `=A${n}*2+B${n}`, `=C${n}-A${n}`, `=SUM(A${n}:D${n})`];
      });
    },
    run: async (engine, rows) => {
      await engine.build(rows);
      const random = numbers(7);
      const times: number[] = [];
      const end = performance.now() + 20_000;
      for (let i = 0; i < 2000 && (i < 100 || performance.now() < end); i++) {
        const row = Math.floor(random() * rows.length);
        times.push(await measureWall(() => engine.set(row, 0, i)));
        const b = at(rows, row, 1);
        if (i % 100 === 0) check(engine, row, 4, i + b + (i * 2 + b) + (i + b));
      }
      return { p50: percentile(times, 50), p99: percentile(times, 99) };
    },
  },
  insert: {
    metrics: { insert: { what: 'insert a row above 100k rows with 100k formulas', goal: 0.1, unit: 'ms' } },
    needs: 'insertRow',
    data: product,
    run: async (engine, rows) => {
      await engine.build(rows);
      const insert = await repeated(5, () => measureCpu(() => engine.insertRow?.(0)));
      const last = rows.length - 1;
      check(engine, last + 5, 2, at(rows, last, 0) * 2 + at(rows, last, 1));
      await engine.set(last + 5, 0, 4);
      check(engine, last + 5, 2, 8 + at(rows, last, 1));
      return { insert };
    },
  },
  read: {
    metrics: {
      read: {
        what: 'read 20,000 cells (ours: reply objects)',
        goal: 1,
        unit: 'ms',
        cold: 0.5,
        against: 'hyperformula',
      },
    },
    needs: 'read',
    data: () => {
      const random = numbers();
      return table(2000, (row) => {
        const values = Array.from({ length: 6 }, () => price(random));
        return [
          ...values,
          `item ${row}`,
          row % 2 === 0 ? 'open' : 'closed',
          `=A${row + 1}*2+B${row + 1}`,
          `=SUM(A${row + 1}:F${row + 1})`,
        ];
      });
    },
    run: async (engine, rows) => {
      await engine.build(rows);
      let count = 0;
      const read = await repeated(15, () =>
        measureCpu(() => {
          count = engine.read?.(rows.length, 10) ?? 0;
        }),
      );
      if (count !== rows.length * 10) throw new Error(`wrong answer: ${count} cells were read`);
      return { read };
    },
  },
  sort: {
    metrics: { sort: { what: 'sort 100k x 5 by two keys', goal: 0.1, unit: 'ms' } },
    needs: 'sort',
    data: (scale) => {
      const random = numbers();
      return table(100_000 * scale, (row) => [
        Math.floor(random() * 1000),
        `name ${Math.floor(random() * 5000)}`,
        price(random),
        row,
        price(random),
      ]);
    },
    run: async (engine, rows) => {
      await engine.build(rows);
      const sort = await measureCpu(() => engine.sort?.(rows.length, 5, [0, 2]));
      const expected = [...rows].sort(
        (a, b) => Number(a[0]) - Number(b[0]) || Number(a[2]) - Number(b[2]) || Number(a[3]) - Number(b[3]),
      );
      for (let row = 0; row < rows.length; row += 997)
        for (const col of [0, 2, 3]) check(engine, row, col, at(expected, row, col));
      return { sort };
    },
  },
  vlookup: {
    metrics: { build: { what: '20k VLOOKUP into 20k unsorted rows', goal: 0.05, unit: 'ms' } },
    data: lookup((n, count) => `=VLOOKUP(C${n},$A$1:$B$${count},2,FALSE)`),
    run: async (engine, rows) => {
      const build = await measureCpu(() => engine.build(rows));
      for (const row of [0, 1234, rows.length - 1]) check(engine, row, 3, findRow(rows, rows[row]?.[2] ?? null) + 0.5);
      return { build };
    },
  },
  match: {
    metrics: { build: { what: '20k MATCH into 20k unsorted rows', goal: 0.05, unit: 'ms' } },
    data: lookup((n, count) => `=MATCH(C${n},$A$1:$A$${count},0)`),
    run: async (engine, rows) => {
      const build = await measureCpu(() => engine.build(rows));
      for (const row of [0, 1234, rows.length - 1]) check(engine, row, 3, findRow(rows, rows[row]?.[2] ?? null) + 1);
      return { build };
    },
  },
  sumifs: {
    metrics: { build: { what: '2k SUMIFS over 50k rows', goal: 0.05, unit: 'ms' } },
    data: (scale) => {
      const random = numbers();
      const count = 50_000 * scale;
      return table(count, (row) => {
        const formula =
          row < 2000 * scale ? `=SUMIFS(C$1:C$${count},A$1:A$${count},D${row + 1},B$1:B$${count},">50")` : null;
        return [
          `k${Math.floor(random() * 1000)}`,
          Math.floor(random() * 100),
          row % 89,
          row < 2000 * scale ? `k${row % 1000}` : null,
          formula,
        ];
      });
    },
    run: async (engine, rows) => {
      const build = await measureCpu(() => engine.build(rows));
      for (const row of [0, 17, 199]) {
        const sum = rows.reduce(
          (total, line) => (line[0] === `k${row}` && Number(line[1]) > 50 ? total + Number(line[2]) : total),
          0,
        );
        check(engine, row, 4, sum);
      }
      return { build };
    },
  },
  numbers: {
    metrics: { bytes: { what: 'heap bytes a number, 1M of them', goal: 12, unit: 'bytes' } },
    data: () => [],
    run: (engine) =>
      measureMemory(engine, 1_000_000, () => {
        const random = numbers();
        return () => price(random);
      }),
  },
  strings: {
    metrics: { bytes: { what: 'heap bytes a unique string of 7 characters, 1M of them', goal: 50, unit: 'bytes' } },
    data: () => [],
    run: (engine) =>
      measureMemory(engine, 1_000_000, () => {
        let next = 100_000;
        return () => `k${next++}`;
      }),
  },
};

/** Measures bytes per cell, including what the engine keeps of its input. */
async function measureMemory(engine: Contender, count: number, source: () => () => Input): Promise<Figures> {
  await engine.build([[1, 2, 3]]);
  const before = usedBytes();
  await (async () => {
    const next = source();
    await engine.build(table(count / 10, () => Array.from({ length: 10 }, next)));
  })();
  const bytes = (usedBytes() - before) / count;
  const last = engine.value(count / 10 - 1, 9);
  if (last === null || last === undefined || last === '') throw new Error('wrong answer: the last cell is empty');
  return { bytes };
}
