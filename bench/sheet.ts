import { spawn, type ChildProcess } from 'node:child_process';
import { fdatasyncSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { SheetDocument } from '../src/sheet/engine/document.ts';
import { edit } from '../src/sheet/engine/edit.ts';
import { loadRows } from '../src/sheet/engine/load.ts';
import { addSheet } from '../src/sheet/engine/mutations/add-sheet.ts';
import { setValues } from '../src/sheet/engine/mutations/set-values.ts';
import { load, snapshot } from '../src/sheet/engine/snapshot.ts';
import { report, type Row } from './report.ts';

/** Spreadsheets through the product, each beside the same work done bare in the same run. Medians of several rounds. */
const rounds = 7;
const callers = 64;

interface Running {
  url: string;
  pid: number;
  headers: Record<string, string>;
  stop(): Promise<void>;
}

function ready(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /ready at (\S+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
    child.on('exit', (code) => reject(new Error(`ended with ${code}: ${text}`)));
  });
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
  await rm(folder, { recursive: true, force: true });
}

async function startSheaf(): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
  const child = spawn(process.execPath, ['scripts/sheaf.mjs', 'serve'], {
    env: { ...process.env, NODE_ENV: 'production', SHEAF_DATA: folder, SHEAF_PORT: '0', SHEAF_RATE_LIMIT: '0', SHEAF_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await ready(child);
  const { client_id, api_key } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as { client_id: string; api_key: string };
  return { url, pid: child.pid!, headers: { 'content-type': 'application/json', 'svc-openapi-clientid': client_id, 'svc-openapi-apikey': api_key }, stop: () => stop(child, folder) };
}

async function startBare(): Promise<Running> {
  const folder = await mkdtemp(join(process.cwd(), 'node_modules', '.bare-'));
  const file = join(folder, 'bare.mjs');
  await writeFile(file, `import { fastify } from 'fastify';
const app = fastify();
app.post('/write', async (request) => ({ code: 0, msg: 'success', data: request.body.file_id ? {} : {} }));
await app.listen({ port: 0, host: '127.0.0.1' });
console.log('ready at http://127.0.0.1:' + app.server.address().port);`);
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  return { url: await ready(child), pid: child.pid!, headers: { 'content-type': 'application/json' }, stop: () => stop(child, folder) };
}

async function call(server: Running, path: string, body: string): Promise<string> {
  const response = await fetch(server.url + path, { method: 'POST', headers: server.headers, body });
  const text = await response.text();
  if (!text.startsWith('{"code":0,')) throw new Error(`${path}: ${text.slice(0, 300)}`);
  return text;
}

async function dataOf(server: Running, path: string, input: unknown): Promise<Record<string, any>> {
  return (JSON.parse(await call(server, path, JSON.stringify(input))) as { data: Record<string, any> }).data;
}

async function median(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[rounds >> 1]!;
}

const cells = Array.from({ length: 20_000 }, (_, i) => ({ row: i % 2000, col: Math.floor(i / 2000), value_type: 'NUMBER', number_value: i + 0.5 }));
const region = { start_row: 0, start_col: 0, end_row: 1999, end_col: 9 };

async function writesAndReads(server: Running): Promise<Row[]> {
  const { file_id, sheet_id } = await dataOf(server, '/openapi/manage/v1/create_file', { title: 'bench' });
  const body = JSON.stringify({ file_id, sheet_id, values: cells });
  const write = await median(() => call(server, '/openapi/sheet/v1/set_range_value', body));
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
  const log = openSync(join(folder, 'log'), 'a');
  const document = new SheetDocument();
  edit(document, [addSheet.of({ sheet: 'one', name: 'Sheet1' })]);
  const bareWrite = await median(() => {
    const { values } = JSON.parse(body) as { values: typeof cells };
    const columns = new Map<number, number[]>();
    for (const one of values) columns.set(one.col, pushed(columns.get(one.col), one.number_value));
    const mutation = setValues.of({ sheet: 'one', values: [...columns].map(([col, list]) => [0, col, list] as const) });
    const { inverse } = edit(document, [mutation]);
    writeSync(log, JSON.stringify([mutation, inverse]));
    fdatasyncSync(log);
  });
  await rm(folder, { recursive: true, force: true });
  const question = JSON.stringify({ file_id, sheet_id, ...region });
  const reply = JSON.parse(await call(server, '/openapi/sheet/v1/get_cell_data', question)) as unknown;
  const read = await median(() => call(server, '/openapi/sheet/v1/get_cell_data', question));
  const bareRead = await median(() => JSON.stringify(reply));
  return [
    { what: 'set_range_value of 20,000 cells, durable, over parse + engine + synced append', value: `${(write / bareWrite).toFixed(2)} (${write.toFixed(0)} ms over ${bareWrite.toFixed(0)} ms)`, goal: '<= 1.5', met: write / bareWrite <= 1.5 },
    { what: 'get_cell_data of 20,000 cells over serialising the reply', value: `${(read / bareRead).toFixed(2)} (${read.toFixed(0)} ms over ${bareRead.toFixed(0)} ms)`, goal: '<= 2', met: read / bareRead <= 2 },
  ];
}

function pushed(list: number[] | undefined, value: number): number[] {
  if (!list) return [value];
  list.push(value);
  return list;
}

async function edits(server: Running): Promise<Row[]> {
  const { file_id, sheet_id } = await dataOf(server, '/openapi/manage/v1/create_file', { title: 'edits' });
  const body = JSON.stringify({ file_id, sheet_id, row: 1, col: 1, value_type: 'NUMBER', number_value: 5 });
  const bare = await startBare();
  const rate = async (running: Running, path: string): Promise<number> => {
    const result = await autocannon({ url: running.url + path, method: 'POST', headers: running.headers, body, connections: callers, duration: 4 });
    if (result.non2xx > 0 || result.errors > 0) throw new Error(`${path}: ${result.non2xx} refused, ${result.errors} errors`);
    return result.requests.total / result.duration;
  };
  const theirs = await rate(bare, '/write');
  await bare.stop();
  const ours = await rate(server, '/openapi/sheet/v1/set_cell_value');
  return [{ what: `single-cell edits, ${callers} callers, over a bare fastify route`, value: `${(ours / theirs).toFixed(2)} (${Math.round(ours)}/s over ${Math.round(theirs)}/s)`, goal: '>= 0.3', met: ours / theirs >= 0.3 }];
}

function grid(rows: number): (number | string)[][] {
  return Array.from({ length: rows }, (_, r) => Array.from({ length: 10 }, (_, c) => (c % 3 === 2 ? `text ${r % 5000} ${c}` : r * 10 + c + 0.5)));
}

async function opening(): Promise<Row[]> {
  const document = new SheetDocument();
  edit(document, [addSheet.of({ sheet: 'one', name: 'Sheet1' })]);
  loadRows(document.workbook, document.subSheets[0]!.sheet, 0, 0, grid(100_000));
  const bytes = snapshot(document);
  const time = await median(() => load(bytes));
  return [{ what: 'opening 1,000,000 cells from a snapshot', value: `${time.toFixed(0)} ms (${(bytes.length / 1e6).toFixed(1)} MB)`, goal: '< 500 ms', met: time < 500 }];
}

async function files(server: Running): Promise<Row[]> {
  const { readXlsx, writeXlsx } = await import('hucre/xlsx');
  const rows = grid(100_000);
  let start = performance.now();
  const made = await writeXlsx({ sheets: [{ name: 'Sheet1', rows }] });
  const theirWrite = performance.now() - start;
  start = performance.now();
  await readXlsx(made);
  const theirRead = performance.now() - start;
  const upload = await dataOf(server, '/openapi/manage/v1/pre_import', {});
  start = performance.now();
  const put = await fetch(upload['upload_url'] as string, { method: 'PUT', body: Buffer.from(made) });
  if (!put.ok) throw new Error(`upload: ${put.status} ${await put.text()}`);
  const imported = await dataOf(server, '/openapi/manage/v1/import_file', { title: 'big', file_key: upload['file_key'] });
  const ourRead = performance.now() - start;
  start = performance.now();
  const link = await dataOf(server, '/openapi/manage/v1/export_file', { file_id: imported['file_id'], format: 'xlsx', as_link: true });
  await (await fetch(link['url'] as string)).arrayBuffer();
  const ourWrite = performance.now() - start;
  const peak = Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${server.pid}/status`, 'utf8'))![1]) / 1024;
  const line = (what: string, ours: number, theirs: number): Row => ({ what, value: `${(ours / theirs).toFixed(2)} (${ours.toFixed(0)} ms over ${theirs.toFixed(0)} ms)`, goal: '<= 1.2', met: ours / theirs <= 1.2 });
  return [
    line('import of 100,000 x 10 through the product over hucre reading alone', ourRead, theirRead),
    line('export of 100,000 x 10 through the product over hucre writing alone', ourWrite, theirWrite),
    { what: 'peak memory of the whole server during both', value: `${peak.toFixed(0)} MB`, goal: '< 300 MB', met: peak < 300 },
  ];
}

export async function run(): Promise<void> {
  const rows: Row[] = [...(await opening())];
  const forFiles = await startSheaf();
  rows.push(...(await files(forFiles)));
  await forFiles.stop();
  const server = await startSheaf();
  rows.push(...(await writesAndReads(server)), ...(await edits(server)));
  await server.stop();
  report('spreadsheets', rows);
}
