import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { agent, call, newAccount, startNode, type Answer, type Key, type Node } from './machines/node.ts';
import { startPostgres, type BenchPostgres } from './measure/durable-postgres.ts';
import { percentile, report, type Row } from './measure/report.ts';

/**
 * Measures the cost of PostgreSQL: the same calls by 64 callers on a node with PostgreSQL and on one with the embedded
 * database, alternating. Reports ratios of wall time and processor time, including the database's. Then measures three
 * nodes over one. Failed calls are counted.
 */
const callers = 64;
const warmUpRuns = 4;
/**
 * Warm-up runs for three nodes: each gets a third of the calls and spreads them over several threads, and every thread
 * compiles its code separately. Until then the comparison with an already compiled node would be unfair.
 */
const warmUpRunsForThree = 60;
const runs = Number(process.env['SHEAF_BENCH_TURNS'] ?? 5);
const ticksPerSecond = 100;

/** One node, or several over one database. */
interface Side {
  nodes: Node[];
  postgres?: BenchPostgres;
  /** Keys of accounts other than the owner. */
  keys: Key[];
  /** One document of the owner for each caller. */
  files: { file_id: string; sheet_id: string }[];
  /** Number of concurrent callers; all by default. */
  callers?: number;
}

async function startOne(postgres?: BenchPostgres): Promise<Node> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
  const node = await startNode(folder, postgres?.url);
  return {
    ...node,
    async stop() {
      await node.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function prepare(side: Side): Promise<void> {
  const node = side.nodes[0]!;
  for (let index = 0; index < callers; index++) side.keys.push(await newAccount(node, `bench${index}`));
  await prepareFiles(side);
}

/** Creates separate documents for each side, because a node must first catch up on edits made by another node. */
async function prepareFiles(side: Side): Promise<void> {
  const node = side.nodes[0]!;
  for (let index = 0; index < callers; index++) {
    const file = await call(node, node.owner, 'manage/v1/create_file', { title: `Bench ${index}` });
    side.files.push(file.data as unknown as Side['files'][number]);
  }
}

interface Scenario {
  what: string;
  inTurn: number;
  send(side: Side, caller: number, n: number): Promise<Answer>;
}

const nodeOf = (side: Side, caller: number): Node => side.nodes[caller % side.nodes.length]!;
const note = (n: number) => ({
  content_format: 1,
  content: `# Note ${n}\n\nSome words about the thing numbered ${n}.`,
});
const cell = (file: Side['files'][number], caller: number, n: number) => ({
  ...file,
  row: n % 1000,
  col: caller,
  value_type: 'NUMBER',
  number_value: n,
});
const scenarios = {
  me: {
    what: 'get_me',
    inTurn: 3000,
    send: (side, caller) => call(nodeOf(side, caller), side.nodes[0]!.owner, 'account/v1/get_me', {}),
  },
  oneAccount: {
    what: 'import_doc, one account',
    inTurn: 640,
    send: (side, caller, n) => call(nodeOf(side, caller), side.nodes[0]!.owner, 'note/v1/import_doc', note(n)),
  },
  manyAccounts: {
    what: 'import_doc, 64 accounts, after ANALYZE',
    inTurn: 640,
    send: (side, caller, n) => call(nodeOf(side, caller), side.keys[caller]!, 'note/v1/import_doc', note(n)),
  },
  oneSheet: {
    what: 'set_cell_value, one sheet',
    inTurn: 640,
    send: (side, caller, n) =>
      call(nodeOf(side, caller), side.nodes[0]!.owner, 'sheet/v1/set_cell_value', cell(side.files[0]!, caller, n)),
  },
  sixteenSheets: {
    what: 'set_cell_value, 16 sheets',
    inTurn: 640,
    send: (side, caller, n) =>
      call(
        nodeOf(side, caller),
        side.nodes[0]!.owner,
        'sheet/v1/set_cell_value',
        cell(side.files[caller % 16]!, caller, n),
      ),
  },
  ownSheets: {
    what: 'set_cell_value, 64 sheets',
    inTurn: 640,
    send: (side, caller, n) =>
      call(nodeOf(side, caller), side.nodes[0]!.owner, 'sheet/v1/set_cell_value', cell(side.files[caller]!, caller, n)),
  },
} satisfies Record<string, Scenario>;

interface Sum {
  calls: number;
  failed: number;
  seconds: number;
  /** Processor time in seconds. */
  used: Used;
  ms: number[];
}

interface Used {
  nodes: number;
  database: number;
}

async function usedBy({ nodes, postgres }: Side): Promise<Used> {
  const used = { nodes: 0, database: (await postgres?.cpuSeconds()) ?? 0 };
  for (const { pid } of nodes) {
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ');
    used.nodes += (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  }
  return used;
}

/**
 * Gives the callers priority, if the system allows it. They stand for other machines, but share two cores with the nodes,
 * and three nodes would take more processor time from them than one.
 */
function prioritizeCallers(isFirst: boolean): void {
  try {
    setPriority(isFirst ? -10 : 0);
  } catch (error) {
    if ((error as { info?: { code?: string } }).info?.code !== 'EACCES') throw error;
  }
}

async function measureRun(side: Side, scenario: Scenario, sum: Sum | undefined): Promise<void> {
  prioritizeCallers(true);
  await callAll(side, scenario, sum).finally(() => prioritizeCallers(false));
}

async function callAll(side: Side, { inTurn, send }: Scenario, sum: Sum | undefined): Promise<void> {
  const before = await usedBy(side);
  const start = performance.now();
  let next = 0;
  let failed = 0;
  const ms: number[] = [];
  const work = async (_: unknown, caller: number): Promise<void> => {
    while (next < inTurn) {
      const n = next++;
      const sent = performance.now();
      const { code } = await send(side, caller, n).catch(() => ({ code: -1 }));
      ms.push(performance.now() - sent);
      if (code !== 0) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: side.callers ?? callers }, work));
  const seconds = (performance.now() - start) / 1000;
  if (!sum) return;
  sum.calls += inTurn;
  sum.failed += failed;
  sum.seconds += seconds;
  const after = await usedBy(side);
  sum.used.nodes += after.nodes - before.nodes;
  sum.used.database += after.database - before.database;
  sum.ms.push(...ms);
}

async function compare(scenario: Scenario, sides: readonly Side[], warmUp = warmUpRuns): Promise<Sum[]> {
  const sums = sides.map((): Sum => ({ calls: 0, failed: 0, seconds: 0, used: { nodes: 0, database: 0 }, ms: [] }));
  for (let index = 0; index < warmUp + runs; index++) {
    const inOrder = [...sides.entries()];
    // The order alternates (A B, B A), so that machine load affects both equally.
    for (const [at, side] of index % 2 === 0 ? inOrder : inOrder.reverse())
      await measureRun(side, scenario, index < warmUp ? undefined : sums[at]);
  }
  return sums;
}

function rowOf({ what }: Scenario, [ours, base]: Sum[], goal = 0, maxCpu?: number): Row {
  const wall = ours!.calls / ours!.seconds / (base!.calls / base!.seconds);
  const ofCall = ({ used, calls }: Sum): number => (used.nodes + used.database) / calls;
  const cpu = ofCall(ours!) / ofCall(base!);
  const ms = ({ used, calls }: Sum): string =>
    `${((used.nodes * 1000) / calls).toFixed(2)} + ${((used.database * 1000) / calls).toFixed(2)}`;
  const rate = (sum: Sum): string => `${Math.round(sum.calls / sum.seconds)}/s`;
  return {
    what,
    value:
      `${wall.toFixed(2)} by the clock (${rate(ours!)} over ${rate(base!)}), ${cpu.toFixed(2)} times the processor time ` +
      `(nodes + database: ${ms(ours!)} over ${ms(base!)} ms), ` +
      `p99 ${Math.round(percentile(ours!.ms, 99))} over ${Math.round(percentile(base!.ms, 99))} ms, ${ours!.failed} failed`,
    goal: `>= ${goal}${maxCpu === undefined ? '' : `, <= ${maxCpu} times`}, none failed`,
    met: wall >= goal && ours!.failed === 0 && (maxCpu === undefined || cpu <= maxCpu),
  };
}

async function analyze(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('ANALYZE');
  await client.end();
}

/** `npm run bench -- machines`, or some of it: `-- machines me sixteenSheets three`. */
export async function run(wanted: readonly string[]): Promise<void> {
  const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
  const postgres = await startPostgres();
  const started: Node[] = [];
  const start = async (on?: BenchPostgres): Promise<Node> => {
    const node = await startOne(on);
    started.push(node);
    return node;
  };
  try {
    const embedded: Side = { nodes: [await start()], keys: [], files: [] };
    const one: Side = { nodes: [await start(postgres)], postgres, keys: [], files: [] };
    for (const side of [embedded, one]) await prepare(side);
    const rows: Row[] = [];
    const goals = {
      me: [0.9, 1.3],
      oneAccount: [0.5],
      manyAccounts: [0.5],
      oneSheet: [0.5],
      sixteenSheets: [0.5],
    } as const;
    for (const [name, [goal, cpu]] of Object.entries(goals)) {
      if (!isWanted(name)) continue;
      if (name === 'manyAccounts') await analyze(postgres.url);
      const scenario = scenarios[name as keyof typeof goals];
      rows.push(rowOf(scenario, await compare(scenario, [one, embedded]), goal, cpu));
    }
    if (rows.length > 0) report('PostgreSQL over the embedded database, 64 callers, in one run', rows);
    if (!isWanted('three')) return;
    const three: Side = {
      nodes: [...one.nodes, await start(postgres), await start(postgres)],
      postgres,
      keys: one.keys,
      files: [],
    };
    await prepareFiles(three);
    // A node of three has a third of the callers; this side shows what fewer callers alone cost.
    const third: Side = { ...one, callers: Math.floor(callers / 3) };
    const more: Row[] = [];
    const alone: Row[] = [];
    for (const scenario of [scenarios.me, scenarios.manyAccounts, scenarios.ownSheets]) {
      const [ours, base, few] = await compare(scenario, [three, one, third], warmUpRunsForThree);
      more.push(rowOf(scenario, [ours!, base!], 0.9));
      alone.push(rowOf(scenario, [few!, base!]));
    }
    report('three nodes over one, 64 callers', more);
    report('one node with 21 callers over the same with 64: what fewer at a time costs, for comparison', alone);
  } finally {
    agent.destroy();
    for (const node of started) await node.stop();
    await postgres.stop();
  }
}
