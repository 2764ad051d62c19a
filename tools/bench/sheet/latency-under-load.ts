import { spawn } from 'node:child_process';
import { percentile, type Row } from '../measure/report.ts';
import { call, newFile, startSheaf, type Running } from './servers.ts';

/** Every formula reads the whole column before it, so each edit of this document takes about a second. */
const formulas = 1500;
const watchMs = 6000;

/**
 * Measures how long calls to another module and to another document wait while one document calculates continuously.
 * Compares with the waits while an unrelated process uses as much processor time; only the difference is caused by the
 * server.
 */
export async function measureLatencyUnderLoad(): Promise<Row[]> {
  const server = await startSheaf();
  const heavy = await newFile(server, 'heavy');
  const light = await newFile(server, 'light');
  const set = (file: { file_id: string; sheet_id: string }, values: unknown[]) =>
    call(server, '/openapi/sheet/v1/set_range_value', JSON.stringify({ ...file, values }));
  await set(
    heavy,
    Array.from({ length: formulas }, (_, row) => ({ row, col: 0, value_type: 'NUMBER', number_value: row })),
  );
  await set(
    heavy,
    Array.from({ length: formulas }, (_, row) => ({
      row,
      col: 1,
      value_type: 'FORMULA',
      formula: `=SUMPRODUCT((A$1:A$${formulas}>A${row + 1})*(A$1:A$${formulas}+A${row + 1}))`,
    })),
  );
  await set(light, [{ row: 0, col: 0, value_type: 'NUMBER', number_value: 1 }]);
  const idle = await withBusyProcess(() => watch(server, light, watchMs));
  let stopped = false;
  const edits: number[] = [];
  const calculating = (async () => {
    for (let i = 0; !stopped; i++) {
      const start = performance.now();
      await set(heavy, [{ row: 0, col: 0, value_type: 'NUMBER', number_value: i }]);
      edits.push(performance.now() - start);
    }
  })();
  const busy = await watch(server, light, watchMs);
  stopped = true;
  await calculating;
  await server.stop();
  const told = (times: readonly number[]): string =>
    `median ${percentile(times, 50).toFixed(1)}, 99th ${percentile(times, 99).toFixed(1)}, most ${Math.max(...times).toFixed(1)} ms`;
  const more = (a: readonly number[], b: readonly number[]): number => percentile(b, 99) - percentile(a, 99);
  return [
    { what: 'one edit of the document that calculates all the time', value: `${percentile(edits, 50).toFixed(0)} ms` },
    {
      what: 'another module meanwhile (get_me)',
      value: told(busy.module),
      goal: `99th < 20 ms more than beside a stranger (${told(idle.module)})`,
      met: more(idle.module, busy.module) < 20,
    },
    {
      what: 'another document meanwhile (one cell read, one written)',
      value: told(busy.document),
      goal: `not starved (beside a stranger: ${told(idle.document)})`,
      met: Math.max(...busy.document) < 500,
    },
    {
      what: 'the event loop meanwhile, as the server tells it',
      value: `99th ${busy.loop99.toFixed(1)}, most ${busy.loopMost.toFixed(1)} ms late`,
      goal: `99th < 20 ms more than beside a stranger (99th ${idle.loop99.toFixed(1)}, most ${idle.loopMost.toFixed(1)})`,
      met: busy.loop99 - idle.loop99 < 20,
    },
  ];
}

/** Runs work while another process keeps a processor busy. */
async function withBusyProcess<Result>(work: () => Promise<Result>): Promise<Result> {
  const stranger = spawn(
    process.execPath,
    ['--eval', 'const until = Date.now() + 60_000; while (Date.now() < until);'],
    { stdio: 'ignore' },
  );
  try {
    return await work();
  } finally {
    stranger.kill('SIGKILL');
  }
}

interface Watched {
  module: number[];
  document: number[];
  loop99: number;
  loopMost: number;
}

async function watch(server: Running, light: { file_id: string; sheet_id: string }, forMs: number): Promise<Watched> {
  const seen: Watched = { module: [], document: [], loop99: 0, loopMost: 0 };
  // Reading the metrics resets them.
  await eventLoopLag(server);
  const until = performance.now() + forMs;
  const ask = async (times: number[], path: string, input: unknown): Promise<void> => {
    const start = performance.now();
    await call(server, path, JSON.stringify(input));
    times.push(performance.now() - start);
  };
  const cell = { ...light, start_row: 0, start_col: 0, end_row: 0, end_col: 0 };
  const modules = (async () => {
    while (performance.now() < until) {
      await ask(seen.module, '/openapi/account/v1/get_me', {});
      await pause(5);
    }
  })();
  while (performance.now() < until) {
    await ask(seen.document, '/openapi/sheet/v1/get_cell_data', cell);
    await ask(seen.document, '/openapi/sheet/v1/set_cell_value', {
      ...light,
      row: 0,
      col: 0,
      value_type: 'NUMBER',
      number_value: 2,
    });
    await pause(20);
  }
  await modules;
  return { ...seen, ...(await eventLoopLag(server)) };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function eventLoopLag(server: Running): Promise<{ loop99: number; loopMost: number }> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const of = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN) * 1000;
  return { loop99: of('nodejs_eventloop_lag_p99_seconds'), loopMost: of('nodejs_eventloop_lag_max_seconds') };
}
