import { SeededRandom } from '../../testing/seeded-random.ts';
import { median, percentile } from '../measure/figures.ts';

/** Cell input: text that starts with `=` is a formula; null leaves the cell empty. */
type Input = number | string | null;
export type Rows = readonly (readonly Input[])[];

/** Adapter of a spreadsheet engine. Optional methods are absent if the engine does not support the operation. */
export interface Contender {
  /** Replaces the workbook by a new one with these rows, starting at A1, and calculates it. */
  build(rows: Rows): void | Promise<void>;
  /** Writes one cell and recalculates. */
  set(row: number, col: number, value: number): void | Promise<void>;
  value(row: number, col: number): unknown;
  insertRow?(at: number): void | Promise<void>;
  /** Sorts the first `rows` rows of the first `cols` columns in ascending order of the key columns. */
  sort?(rows: number, cols: number, keys: readonly number[]): void | Promise<void>;
  /** Reads a block of cells from A1 in the form the engine returns them. Returns the number of cells. */
  read?(rows: number, cols: number): number;
  close?(): void;
}

/** Results of one run, by metric. */
export type Figures = Record<string, number>;

export interface Metric {
  what: string;
  /**
   * The measurement's goal: the maximum ratio of our engine's figure to that of the best other engine (peer). With unit
   * `bytes`, it is the maximum number of bytes instead.
   */
  goal: number;
  unit?: 'bytes';
  /**
   * Goal for the first run in a fresh process: maximum ratio of our engine's figure to the best peer's; 0.08 by
   * default.
   */
  cold?: number;
  /**
   * Name of the peer to compare with instead of the fastest one. Used if the fastest peer does less work than our
   * engine, for example returns stored objects while our engine builds a response.
   */
  against?: string;
}

interface Workload {
  metrics: Record<string, Metric>;
  /** Method that a compared engine needs to run this workload; engines without it are not measured. */
  needs?: 'sort' | 'insertRow' | 'read';
  /** Creates the input rows; `scale` is a fraction of the full size. Its time is not measured. */
  data(scale: number): Rows;
  run(engine: Contender, rows: Rows): Promise<Figures>;
}

/** Returns the processor time of all threads during `work`, in milliseconds. */
async function measureCpu(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Returns the bytes in use after garbage collection: JavaScript heap, array buffers and wasm memory. */
function usedBytes(): number {
  if (!globalThis.gc) throw new Error('memory is measured with --expose-gc');
  for (let i = 0; i < 3; i++) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Returns a generator of numbers with two decimals. The fixed seed gives every compared engine the same sequence. */
function prices(): () => number {
  const random = new SeededRandom(12_345);
  return () => random.below(1e6) / 100;
}

function table(count: number, line: (row: number) => Input[]): Rows {
  return Array.from({ length: count }, (_, row) => line(row));
}

/** Throws if a cell has the wrong value, so that a wrong result is never reported as a measurement. */
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
  const random = new SeededRandom(99);
  const keys = Array.from({ length: count }, (_, i) => i * 3 + 7);
  for (let i = count - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [keys[i], keys[j]] = [keys[j]!, keys[i]!];
  }
  return keys;
}

function product(scale: number): Rows {
  const price = prices();
  return table(100_000 * scale, (row) => [price(), price(), `=A${row + 1}*2+B${row + 1}`]);
}

/**
 * Returns a workload whose formulas look up every key of a shuffled first column. The expected result of a formula is
 * the zero-based row of its key plus `offset`.
 */
function lookup(what: string, offset: number, formula: (row: number, count: number) => string): Workload {
  return {
    metrics: { build: { what, goal: 0.05 } },
    data(scale) {
      const keys = shuffled(20_000 * scale);
      return table(keys.length, (row) => [keys[row]!, row + 0.5, row * 3 + 7, formula(row + 1, keys.length)]);
    },
    run: async (engine, rows) => {
      const build = await measureCpu(() => engine.build(rows));
      for (const row of [0, 1234, rows.length - 1])
        check(engine, row, 3, rows.findIndex((line) => line[0] === rows[row]?.[2]) + offset);
      return { build };
    },
  };
}

/**
 * Returns a workload that builds a sheet from the rows of `formula`, then edits the top cell, on which all formulas
 * depend. `last` returns the expected result of the last formula for a value of the top cell.
 */
function buildAndEdit(
  metrics: Record<string, Metric>,
  formula: (row: number) => Input[],
  last: (top: number, rows: Rows) => number,
): Workload {
  return {
    metrics,
    data: (scale) => table(100_000 * scale, formula),
    run: async (engine, rows) => {
      const col = rows[0]!.length - 1;
      const build = await measureCpu(() => engine.build(rows));
      check(engine, rows.length - 1, col, last(at(rows, 0, 0), rows));
      const edit = await repeated(5, (i) => measureCpu(() => engine.set(0, 0, 1000 + i)));
      check(engine, rows.length - 1, col, last(1004, rows));
      const figures: Figures = { edit };
      if (metrics['build']) figures['build'] = build;
      return figures;
    },
  };
}

/**
 * Returns a workload that measures the memory in bytes per cell of a sheet with a million cells, including input values
 * that the engine retains. `source` returns a function that generates these values.
 */
function memory(what: string, goal: number, source: () => () => Input): Workload {
  const count = 1_000_000;
  return {
    metrics: { bytes: { what, goal, unit: 'bytes' } },
    data: () => [],
    async run(engine) {
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
    },
  };
}

export const workloads: Record<string, Workload> = {
  load: {
    metrics: { load: { what: 'load 1M numbers in bulk', goal: 0.3 } },
    data: (scale) => {
      const price = prices();
      return table(100_000 * scale, () => Array.from({ length: 10 }, price));
    },
    run: async (engine, rows) => {
      const load = await measureCpu(() => engine.build(rows));
      check(engine, rows.length - 1, 9, at(rows, rows.length - 1, 9));
      return { load };
    },
  },
  product: {
    metrics: { build: { what: '100k rows of =A1*2+B1, build and calculate', goal: 0.15 } },
    data: product,
    run: async (engine, rows) => {
      const build = await measureCpu(() => engine.build(rows));
      for (const row of [0, rows.length - 1]) check(engine, row, 2, at(rows, row, 0) * 2 + at(rows, row, 1));
      return { build };
    },
  },
  running: buildAndEdit(
    {
      build: { what: '100k running sums =SUM(A$1:A9), build', goal: 0.15 },
      edit: { what: '100k running sums, edit the top', goal: 0.1 },
    },
    (row) => [(row % 97) + 1, `=SUM(A$1:A${row + 1})`],
    (top, rows) => rows.reduce((sum, line) => sum + Number(line[0]), 0) - at(rows, 0, 0) + top,
  ),
  chain: buildAndEdit(
    {
      build: { what: 'chain of 100k, build', goal: 0.15 },
      edit: { what: 'chain of 100k, edit the top', goal: 0.1 },
    },
    (row) => [row === 0 ? 1 : `=A${row}+1`],
    (top, rows) => top + rows.length - 1,
  ),
  fan: buildAndEdit(
    { edit: { what: 'one root, 100k dependents, recalculate', goal: 0.05 } },
    (row) => [row === 0 ? 5 : null, row, `=$A$1*2+B${row + 1}`],
    (top, rows) => top * 2 + rows.length - 1,
  ),
  edits: {
    metrics: {
      p50: { what: 'one edit in 500k cells, p50 (wall)', goal: 0.5, cold: 0.25 },
      p99: { what: 'one edit in 500k cells, p99 (wall)', goal: 0.5, cold: 0.25 },
    },
    data: (scale) => {
      const price = prices();
      return table(100_000 * scale, (row) => {
        const n = row + 1;
        return [price(), price(), `=A${n}*2+B${n}`, `=C${n}-A${n}`, `=SUM(A${n}:D${n})`];
      });
    },
    run: async (engine, rows) => {
      await engine.build(rows);
      const random = new SeededRandom(7);
      const times: number[] = [];
      const end = performance.now() + 20_000;
      for (let i = 0; i < 2000 && (i < 100 || performance.now() < end); i++) {
        const row = random.below(rows.length);
        const start = performance.now();
        await engine.set(row, 0, i);
        times.push(performance.now() - start);
        const b = at(rows, row, 1);
        if (i % 100 === 0) check(engine, row, 4, i + b + (i * 2 + b) + (i + b));
      }
      return { p50: percentile(times, 50), p99: percentile(times, 99) };
    },
  },
  insert: {
    metrics: { insert: { what: 'insert a row above 100k rows with 100k formulas', goal: 0.1 } },
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
        cold: 0.5,
        against: 'hyperformula',
      },
    },
    needs: 'read',
    data: () => {
      const price = prices();
      return table(2000, (row) => {
        const values = Array.from({ length: 6 }, price);
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
    metrics: { sort: { what: 'sort 100k x 5 by two keys', goal: 0.1 } },
    needs: 'sort',
    data: (scale) => {
      const random = new SeededRandom(1);
      const price = prices();
      return table(100_000 * scale, (row) => [random.below(1000), `name ${random.below(5000)}`, price(), row, price()]);
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
  vlookup: lookup('20k VLOOKUP into 20k unsorted rows', 0.5, (n, count) => `=VLOOKUP(C${n},$A$1:$B$${count},2,FALSE)`),
  match: lookup('20k MATCH into 20k unsorted rows', 1, (n, count) => `=MATCH(C${n},$A$1:$A$${count},0)`),
  sumifs: {
    metrics: { build: { what: '2k SUMIFS over 50k rows', goal: 0.05 } },
    data: (scale) => {
      const random = new SeededRandom(1);
      const count = 50_000 * scale;
      return table(count, (row) => {
        const formula =
          row < 2000 * scale ? `=SUMIFS(C$1:C$${count},A$1:A$${count},D${row + 1},B$1:B$${count},">50")` : null;
        return [
          `k${random.below(1000)}`,
          random.below(100),
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
  numbers: memory('heap bytes a number, 1M of them', 12, prices),
  strings: memory('heap bytes a unique string of 7 characters, 1M of them', 50, () => {
    let next = 100_000;
    return () => `k${next++}`;
  }),
};
