import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SheetDocument, edit, load, snapshot } from '@sheaf/engine/internal/document';
import { loadRows } from '@sheaf/engine';
import { addSheet } from '@sheaf/engine/internal/mutations';
import type { Row } from '../measure/report.ts';
import { cost, cpuSeconds, dataOf, peakMegabytes, startSheaf, type Cost, type Running } from './servers.ts';

const rowCount = 100_000;

function grid(): (number | string)[][] {
  return Array.from({ length: rowCount }, (_, r) =>
    Array.from({ length: 10 }, (_, c) => (c % 3 === 2 ? `text ${r % 5000} ${c}` : r * 10 + c + 0.5)),
  );
}

export async function measureOpening(): Promise<Row[]> {
  const document = new SheetDocument();
  edit(document, [addSheet.of({ sheet: 'one', name: 'Sheet1' })]);
  loadRows(document.workbook, document.subSheets[0]!.sheet, 0, 0, grid());
  const bytes = snapshot(document);
  const { clock, cpu } = await cost(7, () => load(bytes));
  return [
    {
      what: 'opening 1,000,000 cells from a snapshot',
      value: `${clock.toFixed(0)} ms, ${cpu.toFixed(0)} ms of CPU time (${(bytes.length / 1e6).toFixed(1)} MB)`,
      goal: '< 500 ms',
      met: clock < 500,
    },
  ];
}

/**
 * Measures a file of a million cells through the product, compared with the fastest library that does the same in this
 * process.
 */
export async function measureImportAndExport(): Promise<Row[]> {
  const made = await measureLibraries();
  const server = await startSheaf();
  const read = await once(server, async () => imported(server, made.file));
  const write = await once(server, () => exported(server, read.result));
  const peak = await peakMegabytes(server.pid);
  await server.stop();
  const rows = [line('import of 100,000 x 10 through the product over hucre reading alone', read, made.read, 1.2)];
  for (const [name, theirs] of made.writes)
    rows.push(line(`export of 100,000 x 10 through the product over ${name} writing alone`, write, theirs, 1.2));
  rows.push({
    what: 'peak memory of the whole server during both',
    value: `${peak.toFixed(0)} MB`,
    goal: '< 300 MB',
    met: peak < 300,
  });
  return rows;
}

async function once<Result>(server: Running, work: () => Promise<Result>): Promise<Cost & { result: Result }> {
  const before = await cpuSeconds(server.pid);
  const start = performance.now();
  const result = await work();
  return { clock: performance.now() - start, cpu: ((await cpuSeconds(server.pid)) - before) * 1000, result };
}

async function imported(server: Running, file: Uint8Array): Promise<string> {
  const upload = await dataOf(server, '/openapi/manage/v1/pre_import', {});
  const put = await fetch(upload['upload_url'] as string, { method: 'PUT', body: Buffer.from(file) });
  if (!put.ok) throw new Error(`upload: ${put.status} ${await put.text()}`);
  return (await dataOf(server, '/openapi/manage/v1/import_file', { title: 'big', file_key: upload['file_key'] }))[
    'file_id'
  ] as string;
}

async function exported(server: Running, file_id: string): Promise<number> {
  const link = await dataOf(server, '/openapi/manage/v1/export_file', { file_id, format: 'xlsx', as_link: true });
  const bytes = await (await fetch(link['url'] as string)).arrayBuffer();
  return bytes.byteLength;
}

interface LibraryCosts {
  file: Uint8Array;
  read: Cost;
  writes: Map<string, Cost>;
}

async function measureLibraries(): Promise<LibraryCosts> {
  const { readXlsx, writeXlsx } = await import('hucre/xlsx');
  const rows = grid();
  const writes = new Map<string, Cost>();
  let file = new Uint8Array();
  writes.set(
    'hucre',
    await costInProcess(async () => {
      file = new Uint8Array(await writeXlsx({ sheets: [{ name: 'Sheet1', rows }] }));
    }),
  );
  const read = await costInProcess(() => readXlsx(file));
  if (existsSync('bench/node_modules/exceljs'))
    writes.set('exceljs streaming', await costInProcess(() => writeByExceljs(rows)));
  else process.stdout.write('exceljs is not installed: npm install --prefix tools/bench\n');
  return { file, read, writes };
}

async function writeByExceljs(rows: readonly (number | string)[][]): Promise<void> {
  const require = createRequire(join(process.cwd(), 'tools', 'bench', 'package.json'));
  const { stream } = require('exceljs') as {
    stream: { xlsx: { WorkbookWriter: new (options: { filename: string }) => Writer } };
  };
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
  const writer = new stream.xlsx.WorkbookWriter({ filename: join(folder, 'big.xlsx') });
  const sheet = writer.addWorksheet('Sheet1');
  for (const row of rows) sheet.addRow(row).commit();
  sheet.commit();
  await writer.commit();
  await rm(folder, { recursive: true, force: true });
}

interface Writer {
  addWorksheet(name: string): { addRow(row: readonly unknown[]): { commit(): void }; commit(): void };
  commit(): Promise<void>;
}

async function costInProcess(work: () => Promise<unknown>): Promise<Cost> {
  const before = process.cpuUsage();
  const start = performance.now();
  await work();
  const clock = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { clock, cpu: (user + system) / 1000 };
}

function line(what: string, ours: Cost, theirs: Cost, goal: number): Row {
  const value =
    `${(ours.cpu / theirs.cpu).toFixed(2)} by CPU time (${ours.cpu.toFixed(0)} ms over ` +
    `${theirs.cpu.toFixed(0)} ms), ${(ours.clock / theirs.clock).toFixed(2)} by the clock`;
  return { what, value, goal: `<= ${goal}`, met: ours.cpu / theirs.cpu <= goal };
}
