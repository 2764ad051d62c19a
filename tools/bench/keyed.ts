/** Measures the cost of an Idempotency-Key: processor time of node and PostgreSQL for writes with and without a key. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call } from '@sheaf/client';
import { startNode } from './machines/node.ts';
import { startPostgres } from './measure/durable-postgres.ts';
import { percentile, report, type Row } from './measure/report.ts';
import { cpuOfTree } from './wiki/server.ts';

const runs = Number(process.env['SHEAF_BENCH_TURNS'] ?? 30);
const callsPerRun = Number(process.env['SHEAF_BENCH_CALLS'] ?? 128);
const goal = 1.15;

type Send = (key: string | undefined) => Promise<{ code: number; msg: string }>;

/** Makes the calls of one run, `atOnce` at a time. */
async function callAll(send: Send, isKeyed: boolean, atOnce: number): Promise<void> {
  let left = callsPerRun;
  const caller = async (): Promise<void> => {
    while (left-- > 0) {
      const { code, msg } = await send(isKeyed ? randomUUID() : undefined);
      if (code !== 0) throw new Error(`a call failed: ${code} ${msg}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
}

export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
  const postgres = await startPostgres();
  const node = await startNode(folder, postgres.url);
  try {
    const options = { url: node.url, clientId: node.owner.client_id, apiKey: node.owner.api_key };
    const cpu = async (): Promise<number> => (await cpuOfTree(node.pid, true)) + (await postgres.cpuSeconds());
    const { data: file } = await call(options, 'manage', 'create_file', { title: 'Keys' });
    const { data: note } = await call(options, 'note', 'import_doc', { content_format: 1, content: '# Keys' });
    const about = { file_id: file['file_id'], sheet_id: file['sheet_id'] };
    const cell = { ...about, start_row: 0, start_col: 0, rows: [['a']] };
    const operations: [name: string, module: string, operation: string, input: object][] = [
      ['a note', 'note', 'import_doc', { content_format: 1, content: '# A note\n\nWith two lines.' }],
      ['a knowledge base', 'wiki', 'create_knowledge_base', { name: 'A base' }],
      ['an append', 'note', 'append_doc', { note_id: note['note_id'], content_format: 1, content: 'x' }],
      ['a cell', 'sheet', 'enter_cells', cell],
    ];
    for (const atOnce of [16, 1]) {
      const rows: Row[] = [];
      for (const [name, module, operation, input] of operations) {
        const send: Send = (key) => call(options, module, operation, input, { idempotencyKey: key });
        const ratios: number[] = [];
        const total: [number, number] = [0, 0];
        await callAll(send, false, atOnce);
        await callAll(send, true, atOnce);
        for (let turn = 0; turn < runs; turn++) {
          const took: [number, number] = [0, 0];
          // Alternates which side goes first, so that machine load affects both equally.
          for (const isKeyed of turn % 2 === 0 ? [false, true] : [true, false]) {
            const before = await cpu();
            await callAll(send, isKeyed, atOnce);
            took[isKeyed ? 1 : 0] = await cpu().then((after) => after - before);
          }
          ratios.push(took[1] / took[0]);
          total[0] += took[0];
          total[1] += took[1];
        }
        // Processor time has a resolution of 10 ms: coarse for one run, but not for the sum of all runs.
        const ratio = total[1] / total[0];
        const plainMs = (total[0] / runs / callsPerRun) * 1000;
        rows.push({
          what: `${name} (${plainMs.toFixed(2)} ms without a key)`,
          value: `${ratio.toFixed(2)} (${percentile(ratios, 25).toFixed(2)} to ${percentile(ratios, 75).toFixed(2)})`,
          goal: `at most ${goal}`,
          met: ratio <= goal,
        });
      }
      report(
        `Processor time of keyed writes on PostgreSQL by that of unkeyed ones, ${atOnce} at a time (${runs} turns, half of them between)`,
        rows,
      );
    }
  } finally {
    await node.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
