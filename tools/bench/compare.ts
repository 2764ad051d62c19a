import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundleModule } from '../bundle-module.mjs';
import { workloads, type Figures } from './engine/workloads.ts';
import { checkOut, execute, oneOf, type Checkout } from './measure/checkouts.ts';
import { median, root } from './measure/figures.ts';
import { indexingProgram } from './measure/indexing.ts';
import { listenersWork } from './measure/listeners.ts';
import { sendLoad, startServer, threadsCpuMs, type Running } from './measure/servers.ts';

/**
 * A comparison of two checkouts of the project: `ours` is the working tree, `theirs` another commit. For each
 * measurement it yields one value per round: the logarithm of the processor time of `ours` divided by that of `theirs`.
 */
type Part = (ours: Checkout, theirs: Checkout) => AsyncGenerator<Record<string, number[]>>;

const parts: Record<string, Part> = {
  engine: compareEngines,
  search: compareSearches,
  indexing: compareIndexing,
  sheet: (ours, theirs) => compareServers(sheetWork, ours, theirs),
  server: (ours, theirs) => compareServers(serverWork, ours, theirs),
  listeners: (ours, theirs) => compareServers(listenersWork, ours, theirs),
};

/**
 * Compares the processor time of the working tree with another commit. Runs of both alternate (21 each, in seven rounds
 * of fresh processes), so that machine load affects both equally. A ratio below 1 means that the working tree is
 * faster.
 *
 *    npm run bench -- compare REF [--part engine[,search,indexing,sheet,server,listeners]]
 */
export async function run(args: readonly string[] = []): Promise<void> {
  const [ref, flag, list] = args;
  const wanted = flag === undefined ? Object.keys(parts) : (list ?? '').split(',');
  const isUnknown = wanted.some((name) => !parts[name]);
  if (ref === undefined || ref.startsWith('-') || (flag !== undefined && flag !== '--part') || isUnknown)
    throw new Error(`usage: npm run bench -- compare REF [--part ${Object.keys(parts).join('|')}]`);
  const theirs = checkOut(ref);
  for (const name of wanted) {
    process.stdout.write(
      `\n${name}: processor time of this tree over that of ${theirs.name}, with its 95 % confidence interval\n`,
    );
    // Print each result at once, so that an interrupted run still shows results.
    for await (const found of parts[name]!({ name: 'this tree', folder: root }, theirs)) {
      for (const [what, logarithms] of Object.entries(found))
        process.stdout.write(`  ${what.padEnd(56)}  ${formatInterval(logarithms)}\n`);
    }
  }
}

interface Side {
  /** Runs the work once. Returns the figure of each measurement, usually its processor time in milliseconds. */
  run(): Promise<Figures>;
  stop(): Promise<void>;
}

/** Number of rounds. Each uses fresh processes, because memory layout and compilation order vary between processes. */
const rounds = 7;
const runsPerRound = 3;

/**
 * Measures two checkouts alternately in the order A B B A, so that neither always runs second. Each round starts new
 * processes with `open` and makes `warmUp` runs that are not counted, then `runs` that are. Returns, for each
 * measurement and round, the median of the logarithms of the ratios ours : theirs.
 */
async function compareInterleaved(
  open: () => Promise<[ours: Side, theirs: Side]>,
  warmUp: number,
  runs = runsPerRound,
): Promise<Record<string, number[]>> {
  const found: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round++) {
    const sides = await open();
    const ratios: Record<string, number[]> = {};
    try {
      for (let turn = -warmUp; turn < runs; turn++) {
        const spent: Figures[] = [];
        for (const side of (round + turn) % 2 === 0 ? [0, 1] : [1, 0]) spent[side] = await sides[side]!.run();
        if (turn < 0) continue;
        for (const [name, ours] of Object.entries(spent[0]!))
          (ratios[name] ??= []).push(Math.log(ours / spent[1]![name]!));
      }
    } finally {
      await Promise.all(sides.map((side) => side.stop()));
    }
    // Take the median, because a short load on the machine may slow down only one of the two sides of a ratio.
    for (const [name, list] of Object.entries(ratios)) (found[name] ??= []).push(median(list));
  }
  return found;
}

/** Quantile of Student's t distribution: two-sided 95 %, with rounds - 1 degrees of freedom. */
const quantile = 2.447;

/**
 * Formats the mean ratio of `ours` to `theirs` with its confidence interval. Each round counts as one sample, because
 * runs within a round are not independent.
 */
function formatInterval(logarithms: readonly number[]): string {
  const mean = logarithms.reduce((sum, one) => sum + one, 0) / rounds;
  const variance = logarithms.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (rounds - 1);
  const half = quantile * Math.sqrt(variance / rounds);
  const [ratio, low, high] = [mean, mean - half, mean + half].map(Math.exp) as [number, number, number];
  const verdict = low > 1 ? 'SLOWER' : high < 1 ? 'faster' : 'no difference seen';
  return `${ratio.toFixed(3)}  (${low.toFixed(3)} to ${high.toFixed(3)})  ${verdict}`;
}

/**
 * Names of the engine workloads to compare. Only workloads that measure processor time are included, because it is
 * reliable on a busy machine.
 */
const chosen = ['load', 'product', 'running', 'chain', 'fan', 'read', 'sort', 'vlookup', 'sumifs'];
/** Fraction of the full workload size. Short runs alternate often, so that both sides see the same machine load. */
const scale = 0.3;

/**
 * Runs the same workloads, those of the current checkout, on the engines of both checkouts. Each engine runs in a
 * separate process.
 */
async function* compareEngines(ours: Checkout, theirs: Checkout): AsyncGenerator<Record<string, number[]>> {
  const programs = await Promise.all([ours, theirs].map(bundleEngine));
  try {
    for (const name of chosen) {
      const open = async (): Promise<[Side, Side]> => [
        programSide(programs[0]!, name),
        programSide(programs[1]!, name),
      ];
      const found = await compareInterleaved(open, 5);
      const { metrics } = workloads[name]!;
      yield Object.fromEntries(
        Object.entries(found).map(([key, logarithms]) => [metrics[key]?.what ?? `${name} ${key}`, logarithms]),
      );
    }
  } finally {
    for (const program of programs) rmSync(join(program, '..'), { recursive: true, force: true });
  }
}

/**
 * Bundles a program that measures a checkout's engine, and returns the path of the bundle. For each line on stdin, the
 * program runs a workload once and prints the figures.
 */
async function bundleEngine({ folder: tree }: Checkout): Promise<string> {
  const file = join(mkdtempSync(join(tree, 'node_modules', '.compare-')), 'engine.mjs');
  const contender = join(oneOf(tree, 'tools/bench', 'bench'), 'engine', 'contenders', 'sheaf.ts');
  const contents = `
    import { createInterface } from 'node:readline';
    import { workloads } from ${JSON.stringify(join(root, 'tools', 'bench', 'engine', 'workloads.ts'))};
    import { Sheaf } from ${JSON.stringify(contender)};
    const workload = workloads[process.argv[2]];
    const rows = workload.data(${scale});
    const engine = new Sheaf();
    for await (const line of createInterface({ input: process.stdin })) {
      console.log(JSON.stringify(await workload.run(engine, rows)));
      engine.close?.();
    }`;
  await bundleModule({ contents }, file);
  return file;
}

/** Number of entries in the search index of each checkout. */
const searchEntries = 20_000;

/** Runs the same queries on the indexes of both checkouts. Each checkout builds its index from the same entries. */
async function* compareSearches(ours: Checkout, theirs: Checkout): AsyncGenerator<Record<string, number[]>> {
  const programs = await Promise.all([ours, theirs].map(bundleSearch));
  try {
    // Build both indexes before the first round.
    for (const program of programs) execute(process.execPath, [program, 'build'], join(program, '..'));
    for (const program of programs)
      process.stdout.write(
        `  index of ${searchEntries} entries: ${statSync(join(program, '..', 'search.db')).size} bytes\n`,
      );
    yield await compareInterleaved(async () => [programSide(programs[0]!), programSide(programs[1]!)], 3, 9);
  } finally {
    for (const program of programs) rmSync(join(program, '..'), { recursive: true, force: true });
  }
}

/**
 * Bundles a program inside a checkout and returns its path. With the argument `build`, the program builds that
 * checkout's search index. Otherwise it runs all queries once for each line on stdin and prints the figures.
 */
async function bundleSearch({ folder: tree }: Checkout): Promise<string> {
  const folder = mkdtempSync(join(tree, 'node_modules', '.compare-'));
  const adapters = oneOf(tree, 'packages/server/src/adapters/search', 'src/adapters/search');
  const contents = `
    import { createInterface } from 'node:readline';
    import { corpus, plantedWords, questions, queryWords } from ${JSON.stringify(join(root, 'tools', 'bench', 'search', 'corpus.ts'))};
    import { SqliteSearchIndex } from ${JSON.stringify(oneOf(adapters, 'sqlite-index.ts', 'sqlite.ts'))};
    const options = { path: ${JSON.stringify(join(folder, 'search.db'))}, worker: ${JSON.stringify(join(tree, 'dist', 'workers', 'search.js'))} };
    const index = await SqliteSearchIndex.open(options);
    if (process.argv[2] === 'build') {
      const entries = [...corpus({ count: ${searchEntries} })];
      while (entries.length > 0) await index.put(entries.splice(0, 500));
      await new Promise((resolve) => setTimeout(resolve, 3000));
      await index.close();
    } else {
      const page = (anywhere, order) => ({ space: 'note', owners: ['ann'], anywhere, order, offset: 0, limit: 20 });
      const words = queryWords(60);
      const half = [plantedWords.half, plantedWords.halfHan];
      const other = questions(3000).slice(60);
      const lists = {
        'single words': () => words.map((word) => page(word, 'rank')),
        'words in half of all entries': () => half.flatMap((word) => [page(word, 'rank'), page(word, 'modified')]),
        'questions asked again and again': () => questions(60).map((question) => page(question, 'rank')),
        'questions asked once': () => other.splice(0, 60).map((question) => page(question, 'rank')),
      };
      for await (const line of createInterface({ input: process.stdin })) {
        const spent = {};
        for (const [name, queries] of Object.entries(lists)) {
          const list = queries();
          const before = process.cpuUsage();
          for (const query of list) await index.search(query);
          const { user, system } = process.cpuUsage(before);
          spent[name] = (user + system) / 1000;
        }
        spent['peak memory of the process'] = process.resourceUsage().maxRSS;
        console.log(JSON.stringify(spent));
      }
      await index.close();
    }`;
  const file = join(folder, 'search.mjs');
  await bundleModule({ contents }, file);
  return file;
}

/** Compares both checkouts in building and merging a search index of the same entries. */
async function* compareIndexing(ours: Checkout, theirs: Checkout): AsyncGenerator<Record<string, number[]>> {
  const programs: string[] = [];
  try {
    for (const { folder } of [ours, theirs]) {
      const place = mkdtempSync(join(folder, 'node_modules', '.compare-'));
      programs.push(join(place, 'indexing.mjs'));
      const adapters = oneOf(folder, 'packages/server/src/adapters/search', 'src/adapters/search');
      const adapter = oneOf(adapters, 'sqlite-index.ts', 'sqlite.ts');
      const worker = oneOf(folder, 'dist/workers/search.js', 'dist/search-worker.js');
      await bundleModule({ contents: indexingProgram({ adapter, worker, folder: place }) }, programs.at(-1)!);
    }
    yield await compareInterleaved(async () => [programSide(programs[0]!), programSide(programs[1]!)], 1);
  } finally {
    for (const program of programs) rmSync(join(program, '..'), { recursive: true, force: true });
  }
}

function programSide(file: string, ...args: string[]): Side {
  const child = spawn(process.execPath, ['--max-old-space-size=4096', file, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async run() {
      child.stdin.write('\n');
      const { value, done } = await lines.next();
      if (done) throw new Error(`the process of ${[file, ...args].join(' ')} ended`);
      return JSON.parse(value) as Figures;
    },
    async stop() {
      process.removeListener('exit', kill);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      await ended;
    },
  };
}

/** Prepares the data on a server. Returns, by name, the functions whose processor time on the server is measured. */
type Work = (server: Running) => Promise<Record<string, () => Promise<unknown>>>;

const callers = 64;
/** Number of requests per run: enough to measure, few enough to alternate often. */
const requests = 700;

function load(server: Running, path: string, body: object): () => Promise<unknown> {
  return () => sendLoad({ server, path: `/openapi/${path}`, body, connections: callers, amount: requests });
}

async function repeat(count: number, call: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < count; i++) await call();
}

const serverWork: Work = async (server) => ({
  [`read operation (get_me), ${callers} callers`]: load(server, 'account/v1/get_me', {}),
  [`durable write (create_key), ${callers} callers`]: load(server, 'account/v1/create_key', { name: 'bench' }),
});

const sheetWork: Work = async (server) => {
  const file = await server.ask('manage', 'create_file', { title: 'bench' });
  const values = Array.from({ length: 20_000 }, (_, i) => ({
    row: i % 2000,
    col: Math.floor(i / 2000),
    value_type: 'NUMBER',
    number_value: i + 0.5,
  }));
  const region = { start_row: 0, start_col: 0, end_row: 1999, end_col: 9 };
  const write = () => server.ask('sheet', 'set_range_value', { ...file, values });
  await write();
  const cell = { ...file, row: 1, col: 11, value_type: 'NUMBER', number_value: 5 };
  return {
    [`single-cell edits (set_cell_value), ${callers} callers`]: load(server, 'sheet/v1/set_cell_value', cell),
    'set_range_value of 20,000 cells': () => repeat(4, write),
    'get_cell_data of 20,000 cells': () =>
      repeat(8, () => server.ask('sheet', 'get_cell_data', { ...file, ...region })),
  };
};

/** Sends the same requests to the built servers of both checkouts. */
async function* compareServers(work: Work, ours: Checkout, theirs: Checkout): AsyncGenerator<Record<string, number[]>> {
  const open = async (): Promise<[Side, Side]> => [await serverSide(work, ours), await serverSide(work, theirs)];
  // Make five warm-up runs, so that the server's hot code is compiled before the measured runs.
  yield await compareInterleaved(open, 5, 7);
}

async function serverSide(work: Work, { folder }: Checkout): Promise<Side> {
  const server = await startServer({ checkout: folder });
  const works = await work(server);
  return {
    async run() {
      const spent: Figures = {};
      for (const [name, once] of Object.entries(works)) {
        const before = threadsCpuMs(server.pid);
        await once();
        spent[name] = threadsCpuMs(server.pid) - before;
      }
      return spent;
    },
    stop: () => server.stop(),
  };
}
