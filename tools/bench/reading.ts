import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadRows } from '@sheaf/engine';
import { edit, SheetDocument } from '@sheaf/engine/internal/document';
import { addSheet, setValues } from '@sheaf/engine/internal/mutations';
import { readXlsx } from '@sheaf/files/xlsx/read-workbook';
import { writeXlsx } from '@sheaf/files/xlsx/write-workbook';
import { atMost, type Row } from './measure/figures.ts';
import { callExported } from './measure/servers.ts';

interface Cost {
  /** Processor time in milliseconds. */
  readonly cpu: number;
  /** Peak memory of the process in megabytes. */
  readonly peak: number;
}

const rows = 100_000;

/** Returns a workbook of a million cells, 30 % of which are formulas. */
function bigWorkbook(): Uint8Array {
  const document = new SheetDocument();
  edit(document, [addSheet.of({ sheet: 's', name: 'Sheet1' })]);
  const cells = Array.from({ length: rows }, (_, r) =>
    Array.from({ length: 7 }, (_, c) => (c % 3 === 2 ? `text ${r % 5000} ${c}` : r * 10 + c + 0.5)),
  );
  loadRows(document.workbook, document.subSheets[0]!.sheet, 0, 0, cells);
  edit(document, [
    setValues.of({
      sheet: 's',
      formulas: [
        [0, 7, rows, '=A1*2+B1'],
        [0, 8, rows, '=IF(H1>D1,E1,C1)'],
        [0, 9, rows, '=SUM(A1:H1)'],
      ],
    }),
  ]);
  return writeXlsx(document);
}

/**
 * Compares two ways to read a file of a million cells: our import with full recalculation, and the library SheetJS,
 * which only reads the file. Each runs in a separate process, so that peak memory can be compared too.
 */
export async function measureReading(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
  const path = join(folder, 'big.xlsx');
  await writeFile(path, bigWorkbook());
  const costOf = async (name: string): Promise<Cost> => {
    const { stdout } = await promisify(execFile)(process.execPath, callExported(name, path));
    return JSON.parse(stdout) as Cost;
  };
  const ours = await costOf('readByProduct');
  const theirs = await costOf('readBySheetJs');
  await rm(folder, { recursive: true });
  const value = (own: number, other: number, unit: string): string =>
    `${(own / other).toFixed(2)} (${own.toFixed(0)} ${unit} over ${other.toFixed(0)} ${unit})`;
  const what = 'import and recalculation of 100,000 x 10 over @e965/xlsx reading alone';
  return [
    atMost(`${what}, CPU time`, ours.cpu / theirs.cpu, 0.35, value(ours.cpu, theirs.cpu, 'ms')),
    atMost(`${what}, memory`, ours.peak / theirs.peak, 0.7, value(ours.peak, theirs.peak, 'MB')),
  ];
}

async function printCost(path: string, read: (bytes: Uint8Array) => unknown): Promise<void> {
  const bytes = await readFile(path);
  const before = process.cpuUsage();
  read(bytes);
  const { user, system } = process.cpuUsage(before);
  const cost: Cost = { cpu: (user + system) / 1000, peak: process.resourceUsage().maxRSS / 1024 };
  process.stdout.write(JSON.stringify(cost));
}

/** Imports and calculates the file with the product; called in a child process. */
export async function readByProduct(path: string): Promise<void> {
  let ids = 0;
  const newId = (prefix = 's'): string => `${prefix}${++ids}`;
  await printCost(path, (bytes) => readXlsx(bytes, { newId, newSheetId: newId, owner: '', now: 45_000 }));
}

/** Reads the file with SheetJS; called in a child process. */
export async function readBySheetJs(path: string): Promise<void> {
  const { read } = await import('@e965/xlsx');
  await printCost(path, (bytes) => read(bytes, { type: 'buffer' }));
}
