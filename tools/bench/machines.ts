import { randomUUID } from 'node:crypto';
import { setPriority } from 'node:os';
import pg from 'pg';
import { percentile, report, type Row } from './measure/figures.ts';
import { measureIdleNode } from './measure/idle.ts';
import {
  callAll,
  onPostgres,
  startBare,
  startServer,
  type BenchPostgres,
  type Key,
  type Running,
} from './measure/servers.ts';

/**
 * Measures the cost of PostgreSQL: 64 callers send the same calls to a server on PostgreSQL and to one on the embedded
 * database, alternating. Reports the ratios of wall time and of processor time, including the database's.
 *
 * Also compares three nodes (server processes on one database) with one node, compares importing notes with a minimal
 * server that makes one durable INSERT per request, and counts the database queries of an idle node. Failed calls are
 * reported.
 *
 *    npm run bench -- machines [me] [oneAccount] [keyed] [manyAccounts] [oneSheet] [sixteenSheets] [ownSheets] [upload]
 *      [three] [oneSheetOfThree] [bare] [idle]
 */
export function run(wanted: readonly string[]): Promise<void> {
  return onPostgres(true, (postgres) => measure(postgres!, wanted));
}

const callers = 64;
const warmUpRuns = 4;
/**
 * Number of warm-up runs for three nodes. Each node gets a third of the calls, and each of its threads compiles its
 * code separately, so warming up takes longer than for one node.
 */
const warmUpRunsForThree = Number(process.env['SHEAF_BENCH_WARM_UP'] ?? 60);
const warmUpRunsForBare = 12;
const runs = Number(process.env['SHEAF_BENCH_TURNS'] ?? 5);

/** One of the compared setups: a single node (server process), or several nodes on one database. */
interface Side {
  nodes: Running[];
  /** API keys of accounts other than the owner. */
  keys: Key[];
  /**
   * Documents of the owner, one per caller. The compared setups do not share documents, because a node would have to
   * load edits made through the other setup.
   */
  files: { file_id: string; sheet_id: string }[];
  /** Id of a knowledge base of the owner. */
  base: string;
  /** Number of concurrent callers; by default the constant `callers`. */
  callers?: number;
}

async function sideOf(nodes: Running[], keys: Key[] = []): Promise<Side> {
  const { client } = nodes[0]!;
  const files: Side['files'] = [];
  for (let index = 0; index < callers; index++)
    files.push(await client.manage.create_file({ title: `Bench ${index}` }));
  for (let index = keys.length; index < callers; index++) {
    const { user_id } = (await client.account.create_user({ name: `bench${index}` })).user;
    const { key, api_key } = await client.account.create_key({ name: 'bench', user_id });
    keys.push({ userId: user_id, clientId: key.client_id, apiKey: api_key });
  }
  const { knowledge_base_id: base } = await client.wiki.create_knowledge_base({ name: 'Bench' });
  return { nodes, keys, files, base };
}

interface Scenario {
  what: string;
  inTurn: number;
  /**
   * Goals as ratios to the embedded database: `clock` is the minimum for the number of calls per second, `cpu` the
   * maximum for the processor time per call.
   */
  goals?: [clock: number, cpu?: number];
  call(side: Side, caller: number, n: number): [module: string, operation: string, input: object, as?: Key];
  /** Whether every call gets a unique Idempotency-Key. */
  isKeyed?: boolean;
}

const importNote = (n: number): [string, string, object] => [
  'note',
  'import_doc',
  { content_format: 1, content: `# Note ${n}\n\nSome words about the thing numbered ${n}.` },
];
const twoKilobytes = 'Forty-one characters of text in each line\n'.repeat(49);
const editOneOf = (sheets: number, goals?: Scenario['goals']): Scenario => ({
  what: `set_cell_value, ${sheets === 1 ? 'one sheet' : `${sheets} sheets`}`,
  inTurn: 640,
  goals,
  call: ({ files }, caller, n) => [
    'sheet',
    'set_cell_value',
    { ...files[caller % sheets], row: n % 1000, col: caller, value_type: 'NUMBER', number_value: n },
  ],
});
const scenarios = {
  me: { what: 'get_me', inTurn: 3000, goals: [0.9, 1.3], call: () => ['account', 'get_me', {}] },
  oneAccount: {
    what: 'import_doc, one account',
    inTurn: 640,
    goals: [0.5],
    call: (_side, _caller, n) => importNote(n),
  },
  keyed: {
    what: 'import_doc, one account, keyed',
    inTurn: 640,
    goals: [0.5, 1.4],
    isKeyed: true,
    call: (_side, _caller, n) => importNote(n),
  },
  manyAccounts: {
    what: 'import_doc, 64 accounts, after ANALYZE',
    inTurn: 640,
    goals: [0.5],
    call: ({ keys }, caller, n) => [...importNote(n), keys[caller]!],
  },
  oneSheet: editOneOf(1, [0.5]),
  sixteenSheets: editOneOf(16, [0.5]),
  ownSheets: editOneOf(callers, [0.5, 1.4]),
  upload: {
    what: 'upload_knowledge, 2 KB',
    inTurn: 640,
    goals: [0.5, 1.4],
    call: ({ base }, _caller, n) => [
      'wiki',
      'upload_knowledge',
      {
        knowledge_base_id: base,
        file_name: `bench ${n} ${randomUUID()}.txt`,
        content: Buffer.from(twoKilobytes).toString('base64'),
      },
    ],
  },
} satisfies Record<string, Scenario>;

interface Sum {
  calls: number;
  failed: number;
  seconds: number;
  /** Processor seconds of the nodes and the database. */
  cpu: number;
  ms: number[];
}

/**
 * If `isFirst` is true, raises the priority of this process, which makes the calls; otherwise resets the priority. The
 * callers share the processor cores with the measured nodes, so without a higher priority they would be slower with
 * three busy nodes than with one. Does nothing if the system forbids it.
 */
function prioritizeCallers(isFirst: boolean): void {
  try {
    setPriority(isFirst ? -10 : 0);
  } catch (error) {
    if ((error as { info?: { code?: string } }).info?.code !== 'EACCES') throw error;
  }
}

async function measureRun(
  side: Side,
  { inTurn, call, isKeyed }: Scenario,
  cpuSeconds: (side: Side) => Promise<number>,
): Promise<Sum> {
  const sum: Sum = { calls: inTurn, failed: 0, seconds: 0, cpu: -(await cpuSeconds(side)), ms: [] };
  prioritizeCallers(true);
  sum.seconds = await callAll(side.callers ?? callers, inTurn, async (caller, n) => {
    const [module, operation, input, as = side.nodes[0]!.owner] = call(side, caller, n);
    const sent = performance.now();
    const node = side.nodes[caller % side.nodes.length]!;
    const idempotencyKey = isKeyed ? randomUUID() : undefined;
    await node.ask(module, operation, input, { as, idempotencyKey }).catch(() => sum.failed++);
    sum.ms.push(performance.now() - sent);
  }).finally(() => prioritizeCallers(false));
  sum.cpu += await cpuSeconds(side);
  return sum;
}

function add(sum: Sum, more: Sum): Sum {
  return {
    calls: sum.calls + more.calls,
    failed: sum.failed + more.failed,
    seconds: sum.seconds + more.seconds,
    cpu: sum.cpu + more.cpu,
    ms: [...sum.ms, ...more.ms],
  };
}

/**
 * Measures a scenario on all compared setups. The order alternates (A B, B A), so that machine load affects all
 * equally.
 */
async function compare(
  scenario: Scenario,
  sides: readonly Side[],
  cpuSeconds: (side: Side) => Promise<number>,
  warmUp = warmUpRuns,
): Promise<Sum[]> {
  const sums = sides.map((): Sum => ({ calls: 0, failed: 0, seconds: 0, cpu: 0, ms: [] }));
  for (let index = 0; index < warmUp + runs; index++) {
    const inOrder = [...sides.entries()];
    for (const [at, side] of index % 2 === 0 ? inOrder : inOrder.reverse()) {
      const measured = await measureRun(side, scenario, cpuSeconds);
      if (index >= warmUp) sums[at] = add(sums[at]!, measured);
    }
  }
  return sums;
}

function rowOf({ what }: Scenario, [ours, base]: Sum[], goal = 0, maxCpu = Infinity): Row {
  const rate = ({ calls, seconds }: Sum): number => calls / seconds;
  const cpuMs = ({ cpu, calls }: Sum): number => (cpu * 1000) / calls;
  const p99 = ({ ms }: Sum): number => Math.round(percentile(ms, 99));
  const clock = rate(ours!) / rate(base!);
  const cpu = cpuMs(ours!) / cpuMs(base!);
  return {
    what,
    value:
      `${clock.toFixed(2)} by the clock (${Math.round(rate(ours!))}/s over ${Math.round(rate(base!))}/s), ` +
      `${cpu.toFixed(2)} times the processor time of nodes and database (${cpuMs(ours!).toFixed(2)} over ` +
      `${cpuMs(base!).toFixed(2)} ms), p99 ${p99(ours!)} over ${p99(base!)} ms, ${ours!.failed} failed`,
    goal: `>= ${goal}${maxCpu === Infinity ? '' : `, <= ${maxCpu} times`}, none failed`,
    met: clock >= goal && ours!.failed === 0 && cpu <= maxCpu,
  };
}

/**
 * Code of a minimal server, with which importing notes is compared. Its route parses the same body and responds after
 * one durable INSERT.
 */
const bareRoutes = `import pg from 'pg';
const pool = new pg.Pool({ connectionString: process.env.SHEAF_DATABASE_URL, max: 16 });
await pool.query('CREATE TABLE IF NOT EXISTS bare_note (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body TEXT)');
const text = 'INSERT INTO bare_note (body) VALUES ($1) RETURNING id';
app.post('/openapi/note/v1/import_doc', async (request) => {
  const { rows } = await pool.query({ name: 'add', text, values: [request.body.content] });
  return { code: 0, msg: 'success', data: { note_id: rows[0].id } };
});`;

async function overBareRoute(one: Side, postgres: BenchPostgres): Promise<Row> {
  const server = await startBare(bareRoutes, postgres);
  try {
    const bare: Side = { ...one, nodes: [{ ...server, owner: one.nodes[0]!.owner }] };
    const cpuSeconds = ({ nodes }: Side): Promise<number> => nodes[0]!.cpuSeconds();
    const sums = await compare(scenarios.oneAccount, [one, bare], cpuSeconds, warmUpRunsForBare);
    return rowOf(scenarios.oneAccount, sums, 0, 1.5);
  } finally {
    await server.stop();
  }
}

async function analyze(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('ANALYZE');
  await client.end();
}

async function measure(postgres: BenchPostgres, wanted: readonly string[]): Promise<void> {
  const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
  const started: Running[] = [];
  const start = async (on?: BenchPostgres): Promise<Running> => {
    started.push(await startServer({ postgres: on }));
    return started.at(-1)!;
  };
  try {
    const one = await sideOf([await start(postgres)]);
    // Each node's processor time includes that of the shared database, so subtract the database's time for all nodes
    // but one.
    const cpuSeconds = async ({ nodes }: Side): Promise<number> => {
      const each = await Promise.all(nodes.map((node) => node.cpuSeconds()));
      const sum = each.reduce((total, one) => total + one, 0);
      return nodes.length === 1 ? sum : sum - (nodes.length - 1) * (await postgres.cpuSeconds());
    };
    // Compare with the minimal server first. After the other scenarios, a node still spends some time on indexing and
    // parsing their content.
    if (isWanted('bare')) report('one node over a bare route, 64 callers', [await overBareRoute(one, postgres)]);
    let embedded: Side | undefined;
    const rows: Row[] = [];
    for (const [name, scenario] of Object.entries<Scenario>(scenarios)) {
      if (!isWanted(name) || !scenario.goals) continue;
      embedded ??= await sideOf([await start()]);
      if (name === 'manyAccounts') await analyze(postgres.url);
      rows.push(rowOf(scenario, await compare(scenario, [one, embedded], cpuSeconds), ...scenario.goals));
    }
    if (rows.length > 0) report('PostgreSQL over the embedded database, 64 callers, in one run', rows);
    if (isWanted('idle')) report('an idle node on PostgreSQL', await measureIdleNode(postgres));
    if (!isWanted('three') && !isWanted('oneSheetOfThree')) return;
    const three = await sideOf([...one.nodes, await start(postgres), await start(postgres)], one.keys);
    if (isWanted('oneSheetOfThree')) {
      const sums = await compare(scenarios.oneSheet, [three, one], cpuSeconds, warmUpRunsForThree);
      report('one sheet through three nodes over one, 64 callers', [rowOf(scenarios.oneSheet, sums, 0.9, 1.3)]);
    }
    if (!isWanted('three')) return;
    // Also measure one node with a third of the callers, which is the load of each of three nodes. It shows how much of
    // the difference is due to fewer callers per node.
    const third: Side = { ...one, callers: Math.floor(callers / 3) };
    const more: Row[] = [];
    const alone: Row[] = [];
    for (const scenario of [scenarios.me, scenarios.manyAccounts, scenarios.ownSheets]) {
      const [ours, base, few] = await compare(scenario, [three, one, third], cpuSeconds, warmUpRunsForThree);
      more.push(rowOf(scenario, [ours!, base!], 0.9));
      alone.push(rowOf(scenario, [few!, base!]));
    }
    report('three nodes over one, 64 callers', more);
    report('one node with 21 callers over the same with 64: what fewer at a time costs, for comparison', alone);
  } finally {
    for (const node of started) await node.stop();
  }
}
