import { percentile, type Row } from '../measure/report.ts';
import { newFile, rate, startBare, startSheaf, type Rate, type Running } from './servers.ts';

const callers = 64;
/** Both sides alternate, and the median run counts, because the machine's speed varies. */
const alternations = 5;

async function editOf(server: Running): Promise<string> {
  const { file_id, sheet_id } = await newFile(server, 'edits');
  return JSON.stringify({ file_id, sheet_id, row: 1, col: 1, value_type: 'NUMBER', number_value: 5 });
}

/**
 * Measures many callers that each edit one cell of one document: the cost of a durable edit, and whether edits share disk
 * syncs.
 */
export async function measureSingleEdits(): Promise<Row[]> {
  const server = await startSheaf();
  const body = await editOf(server);
  const bare = await startBare();
  const turns: { ours: Rate; theirs: Rate }[] = [];
  for (let turn = 0; turn < alternations; turn++) {
    const theirs = await rate(bare, '/write', body, callers, 10_000);
    turns.push({ theirs, ours: await rate(server, '/openapi/sheet/v1/set_cell_value', body, callers, 10_000) });
  }
  await bare.stop();
  await server.stop();
  const middle = (of: (turn: { ours: Rate; theirs: Rate }) => number): number => percentile(turns.map(of), 50);
  const ratio = middle(({ ours, theirs }) => ours.clock / theirs.clock);
  return [
    {
      what: `single-cell edits, ${callers} callers, over a bare fastify route`,
      value:
        `${middle(({ ours, theirs }) => ours.cpu / theirs.cpu).toFixed(2)} by CPU time, ${ratio.toFixed(2)} ` +
        `by the clock (${Math.round(middle(({ ours }) => ours.clock))}/s over ` +
        `${Math.round(middle(({ theirs }) => theirs.clock))}/s)`,
      goal: '>= 0.3',
      // The rate uses wall time, because the document's thread and the disk work in parallel with the main thread.
      met: ratio >= 0.3,
    },
  ];
}

export async function measureEditsOnSlowDisk(): Promise<Row[]> {
  const server = await startSheaf(['tools/bench.mjs', 'sheet', 'slow-disk']);
  const body = await editOf(server);
  const one = await rate(server, '/openapi/sheet/v1/set_cell_value', body, 1, 200);
  const many = await rate(server, '/openapi/sheet/v1/set_cell_value', body, callers, 5000);
  await server.stop();
  return [
    {
      what: `syncs slowed by 5 ms: edits of ${callers} callers over one edit per sync`,
      value: `${(many.clock / one.clock).toFixed(1)} (${Math.round(many.clock)}/s over ${Math.round(one.clock)}/s)`,
      goal: '>= 8',
      met: many.clock / one.clock >= 8,
    },
  ];
}
