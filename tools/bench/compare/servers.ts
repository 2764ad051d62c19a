import { measureHttpLoad } from '../measure/http-load.ts';
import { call, newFile, startSheaf, type Running } from '../sheet/servers.ts';
import { compareInterleaved, intervalOf, type Interval, type Side } from './interleaved-runs.ts';
import type { Checkout } from './checkout.ts';

const callers = 64;
/** Requests per run: long enough to measure, short enough to alternate often. */
const requests = 1500;
/** Runs until the server's hot code is compiled. */
const warmUp = 4;
const cells = Array.from({ length: 20_000 }, (_, i) => ({
  row: i % 2000,
  col: Math.floor(i / 2000),
  value_type: 'NUMBER',
  number_value: i + 0.5,
}));
const region = { start_row: 0, start_col: 0, end_row: 1999, end_col: 9 };

type Work = () => Promise<unknown>;
/** Prepares a server and returns the work to measure, by name. */
type Part = (server: Running) => Promise<Record<string, Work>>;

function many(server: Running, path: string, input: unknown): Work {
  const options = {
    url: server.url + path,
    headers: server.headers,
    body: JSON.stringify(input),
    connections: callers,
    amount: requests,
  };
  return () => measureHttpLoad(options);
}

function several(count: number, server: Running, path: string, input: unknown): Work {
  const body = JSON.stringify(input);
  return async () => {
    for (let i = 0; i < count; i++) await call(server, path, body);
  };
}

const server: Part = async (running) => ({
  [`read operation (get_me), ${callers} callers`]: many(running, '/openapi/account/v1/get_me', {}),
  [`durable write (create_key), ${callers} callers`]: many(running, '/openapi/account/v1/create_key', {
    name: 'bench',
  }),
});

const sheet: Part = async (running) => {
  const file = await newFile(running, 'bench');
  const { file_id, sheet_id } = file;
  const edit = { file_id, sheet_id, row: 1, col: 11, value_type: 'NUMBER', number_value: 5 };
  await call(running, '/openapi/sheet/v1/set_range_value', JSON.stringify({ file_id, sheet_id, values: cells }));
  return {
    [`single-cell edits (set_cell_value), ${callers} callers`]: many(running, '/openapi/sheet/v1/set_cell_value', edit),
    'set_range_value of 20,000 cells': several(5, running, '/openapi/sheet/v1/set_range_value', {
      file_id,
      sheet_id,
      values: cells,
    }),
    'get_cell_data of 20,000 cells': several(10, running, '/openapi/sheet/v1/get_cell_data', {
      file_id,
      sheet_id,
      ...region,
    }),
  };
};

const parts = { server, sheet };

/** Runs the same requests against the built servers of both trees. */
export async function compareServers(
  part: keyof typeof parts,
  ours: Checkout,
  theirs: Checkout,
  tell: (what: string, interval: Interval) => void,
): Promise<void> {
  const open = async (): Promise<[Side, Side]> => [await side(parts[part], ours), await side(parts[part], theirs)];
  const found = await compareInterleaved(open, warmUp);
  for (const [what, logarithms] of Object.entries(found)) tell(what, intervalOf(logarithms));
}

async function side(part: Part, tree: Checkout): Promise<Side> {
  const running = await startSheaf(undefined, tree.folder);
  const works = await part(running);
  return {
    async run() {
      const spent: Record<string, number> = {};
      for (const [name, work] of Object.entries(works)) {
        const before = await processorMs(running);
        await work();
        spent[name] = (await processorMs(running)) - before;
      }
      return spent;
    },
    stop: () => running.stop(),
  };
}

/**
 * Reads the processor time of all threads from the server's metrics, because the operating system's counter has a
 * resolution of only 10 ms.
 */
async function processorMs({ url }: Running): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const seconds = /^process_cpu_seconds_total (\S+)/m.exec(text)?.[1];
  if (seconds === undefined) throw new Error(`${url}/metrics does not tell process_cpu_seconds_total`);
  return Number(seconds) * 1000;
}
