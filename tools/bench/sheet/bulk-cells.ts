import { fdatasyncSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SheetDocument, edit } from '@sheaf/engine/internal/document';
import { addSheet, setValues } from '@sheaf/engine/internal/mutations';
import type { Row } from '../measure/report.ts';
import { call, cost, newFile, startSheaf, type Cost } from './servers.ts';

const rounds = 30;
const cells = Array.from({ length: 20_000 }, (_, i) => ({
  row: i % 2000,
  col: Math.floor(i / 2000),
  value_type: 'NUMBER',
  number_value: i + 0.5,
}));
const region = { start_row: 0, start_col: 0, end_row: 1999, end_col: 9 };

/** Measures 20,000 cells written and read in one call, compared with the same work done directly in this process. */
export async function measureBulkCells(): Promise<Row[]> {
  const server = await startSheaf();
  const { file_id, sheet_id } = await newFile(server, 'bench');
  const body = JSON.stringify({ file_id, sheet_id, values: cells });
  const write = await cost(rounds, () => call(server, '/openapi/sheet/v1/set_range_value', body), server.pid);
  const bareWrite = await writeInProcess(Buffer.from(body));
  const question = JSON.stringify({ file_id, sheet_id, ...region });
  const reply = JSON.parse(await call(server, '/openapi/sheet/v1/get_cell_data', question)) as unknown;
  const read = await cost(rounds, () => call(server, '/openapi/sheet/v1/get_cell_data', question), server.pid);
  const bareRead = await cost(rounds, () => Buffer.from(JSON.stringify(reply)));
  await server.stop();
  return [
    line('set_range_value of 20,000 cells, durable, over parse + engine + synced append', write, bareWrite, 1.5),
    line('get_cell_data of 20,000 cells over serializing the reply', read, bareRead, 2),
  ];
}

async function writeInProcess(body: Buffer): Promise<Cost> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
  const log = openSync(join(folder, 'log'), 'a');
  const document = new SheetDocument();
  edit(document, [addSheet.of({ sheet: 'one', name: 'Sheet1' })]);
  const spent = await cost(rounds, () => {
    const { values } = JSON.parse(body.toString('utf8')) as { values: typeof cells };
    const columns = new Map<number, number[]>();
    for (const one of values) columns.set(one.col, pushed(columns.get(one.col), one.number_value));
    const mutation = setValues.of({ sheet: 'one', values: [...columns].map(([col, list]) => [0, col, list] as const) });
    const { inverse } = edit(document, [mutation]);
    writeSync(log, JSON.stringify([mutation, inverse]));
    fdatasyncSync(log);
  });
  await rm(folder, { recursive: true, force: true });
  return spent;
}

function pushed(list: number[] | undefined, value: number): number[] {
  if (!list) return [value];
  list.push(value);
  return list;
}

function line(what: string, ours: Cost, bare: Cost, goal: number): Row {
  const value =
    `${(ours.cpu / bare.cpu).toFixed(2)} by CPU time (${ours.cpu.toFixed(0)} ms over ` +
    `${bare.cpu.toFixed(0)} ms), ${(ours.clock / bare.clock).toFixed(2)} by the clock`;
  return { what, value, goal: `<= ${goal}`, met: ours.cpu / bare.cpu <= goal };
}
