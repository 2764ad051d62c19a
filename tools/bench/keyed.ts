import { randomUUID } from 'node:crypto';
import { atMost, percentile, report, type Row } from './measure/figures.ts';
import { callAll, onPostgres, startServer, type BenchPostgres } from './measure/servers.ts';

const runs = Number(process.env['SHEAF_BENCH_TURNS'] ?? 30);
const callsPerRun = Number(process.env['SHEAF_BENCH_CALLS'] ?? 128);
const goal = 1.15;

/**
 * Measures the cost of idempotency keys: processor time of server and PostgreSQL for writes with and without an
 * Idempotency-Key header.
 *
 *    npm run bench -- keyed
 */
export function run(): Promise<void> {
  return onPostgres(true, measure);
}

async function measure(postgres?: BenchPostgres): Promise<void> {
  const server = await startServer({ postgres });
  try {
    const { file_id, sheet_id } = await server.client.manage.create_file({ title: 'Keys' });
    const { note_id } = await server.client.note.import_doc({ content_format: 1, content: '# Keys' });
    const operations: [name: string, module: string, operation: string, input: object][] = [
      ['a note', 'note', 'import_doc', { content_format: 1, content: '# A note\n\nWith two lines.' }],
      ['a knowledge base', 'wiki', 'create_knowledge_base', { name: 'A base' }],
      ['an append', 'note', 'append_doc', { note_id, content_format: 1, content: 'x' }],
      ['a cell', 'sheet', 'enter_cells', { file_id, sheet_id, start_row: 0, start_col: 0, rows: [['a']] }],
    ];
    for (const atOnce of [16, 1]) {
      const rows: Row[] = [];
      for (const [name, module, operation, input] of operations) {
        const write = async (isKeyed: boolean): Promise<number> => {
          const before = await server.cpuSeconds();
          await callAll(atOnce, callsPerRun, () =>
            server.ask(module, operation, input, { idempotencyKey: isKeyed ? randomUUID() : undefined }),
          );
          return (await server.cpuSeconds()) - before;
        };
        await write(false);
        await write(true);
        const plain: number[] = [];
        const keyed: number[] = [];
        for (let turn = 0; turn < runs; turn++) {
          // Alternate whether writes with or without keys run first, so that machine load affects both equally.
          for (const isKeyed of turn % 2 === 0 ? [false, true] : [true, false])
            (isKeyed ? keyed : plain).push(await write(isKeyed));
        }
        const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);
        const ratios = keyed.map((one, turn) => one / plain[turn]!);
        // Use the sums of all runs. Processor time has a resolution of 10 ms, which is too coarse for a single run.
        const ratio = sum(keyed) / sum(plain);
        const plainMs = (sum(plain) * 1000) / runs / callsPerRun;
        rows.push(
          atMost(
            `${name} (${plainMs.toFixed(2)} ms without a key)`,
            ratio,
            goal,
            `${ratio.toFixed(2)} (${percentile(ratios, 25).toFixed(2)} to ${percentile(ratios, 75).toFixed(2)})`,
          ),
        );
      }
      report(
        `Processor time of keyed writes on PostgreSQL by that of unkeyed ones, ${atOnce} at a time (${runs} turns, half of them between)`,
        rows,
      );
    }
  } finally {
    await server.stop();
  }
}
