import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createApp, type App } from '@sheaf/server/app.ts';
import { readConfig } from '@sheaf/server/config.ts';
import { newId } from '@sheaf/server/lib/ids.ts';
import { buildPreview, parseHead } from '@sheaf/server/modules/note/parse-markdown.ts';
import { agent, call, newAccount, startNode, type Key, type Node } from './machines/node.ts';
import { generator, makeNote } from './notes.ts';
import { startPostgres, type BenchPostgres } from './measure/durable-postgres.ts';
import { percentile, report, type Row } from './measure/report.ts';
import { cpuOfTree } from './wiki/server.ts';

/**
 * Measures how the cost of a call grows with other accounts' data: the same calls of accounts with 300 notes each, on
 * databases with 30,000 and with 300,000 notes in all. Reports ratios of processor time, including the database's. Cold is
 * the first call of each account on a fresh node; warm is every later call.
 *
 *   npm run bench -- growth [notes] [sqlite|postgres]
 */
const notesOfAccount = 300;
const maxMeasured = 40;
const turns = 6;
const starts = 3;
const goal = 1.3;

interface BenchServer {
  readonly what: string;
  readonly notes: number;
  readonly folder: string;
  readonly databaseUrl: string | undefined;
  /** Number of accounts measured; equal for both databases. */
  readonly measured: number;
  readonly accounts: (Key & { user_id: string })[];
  node?: Node;
}

type Send = (place: BenchServer, account: Key, n: number) => [path: string, body: object];

interface Work {
  readonly what: string;
  /** True if background work that the call causes is included. */
  readonly settles?: true;
  readonly calls: number;
  readonly send: Send;
}

const list = (sort_type: number): object => ({ sort_type, cursor: '', limit: 20 });
const search = (content: string, sort_type = 0): object => ({
  search_type: 1,
  sort_type,
  query_info: { content },
  start: 0,
  end: 20,
});
const works: readonly Work[] = [
  { what: 'list_note, four orders', calls: 600, send: (_, __, n) => ['note/v1/list_note', list(n % 4)] },
  { what: 'search_note, a word in few notes', calls: 400, send: () => ['note/v1/search_note', search('selective')] },
  {
    what: 'search_note, a word in half of all notes',
    calls: 300,
    send: () => ['note/v1/search_note', search('halfword')],
  },
  {
    what: 'search_note, the same by title',
    calls: 300,
    send: () => ['note/v1/search_note', search('halfword', 2)],
  },
  {
    what: 'search_note, a phrase in half of all notes',
    calls: 300,
    send: () => ['note/v1/search_note', search('"halfword 半数"')],
  },
  {
    // Enough calls that segments of several thousand notes are merged more than once, which is most of the cost.
    what: 'import_doc, until it is indexed and merged',
    settles: true,
    calls: 2000,
    send: (_, __, n) => ['note/v1/import_doc', { content_format: 1, content: makeNote(generator(n), n).markdown }],
  },
];

export async function run(args: readonly string[] = []): Promise<void> {
  const count = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 300_000);
  if (!args.includes('postgres')) await onDatabase(count, 'the embedded database');
  if (args.includes('sqlite')) return agent.destroy();
  const postgres = await startPostgres();
  try {
    await onDatabase(count, 'PostgreSQL', postgres);
  } finally {
    await postgres.stop();
    agent.destroy();
  }
}

async function onDatabase(count: number, name: string, postgres?: BenchPostgres): Promise<void> {
  const places: BenchServer[] = [];
  const measured = Math.min(maxMeasured, Math.floor(count / 20 / notesOfAccount));
  try {
    for (const notes of [Math.round(count / 10), count]) {
      const folder = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
      const databaseUrl = postgres && (await newDatabase(postgres.url, `notes_${notes}`));
      const place: BenchServer = { what: `${notes} notes`, notes, folder, databaseUrl, measured, accounts: [] };
      places.push(place);
      await fill(place);
    }
    const cpu = async (place: BenchServer): Promise<number> =>
      (await cpuOfTree(place.node!.pid)) + ((await postgres?.cpuSeconds()) ?? 0);
    const rows = [...(await cold(places, cpu)), ...(await warm(places, cpu))];
    report(`${name}: processor time with ${places[1]!.what} over that with ${places[0]!.what}`, rows);
  } finally {
    for (const { node, folder } of places) {
      await node?.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }
}

async function newDatabase(url: string, name: string): Promise<string> {
  await onServer(url, `CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return own.href;
}

async function onServer(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(sql);
  await client.end();
  return rows;
}

/** Writes notes of all accounts interleaved, so that no account's data is contiguous. */
async function fill(place: BenchServer): Promise<void> {
  const { notes, folder, databaseUrl, accounts } = place;
  const node = await startNode(folder, databaseUrl);
  for (let index = 0; index < place.measured; index++) accounts.push(await newAccount(node, `bench${index}`));
  await node.stop();
  const others = Array.from({ length: Math.round(notes / notesOfAccount) - place.measured }, () => newId('user'));
  const owners = [...accounts.map(({ user_id }) => user_id), ...others].sort();
  const app = await createApp(
    readConfig({ SHEAF_DATA: folder, SHEAF_LOG_LEVEL: 'error', SHEAF_DATABASE_URL: databaseUrl }),
  );
  const began = performance.now();
  try {
    for (let round = 0; round < notesOfAccount; round++) {
      for (let at = 0; at < owners.length; at += 500)
        await Promise.all(owners.slice(at, at + 500).map((owner, index) => add(app, owner, round, at + index)));
    }
    await app.services.searchFeed.waitUntilDrained();
  } finally {
    await app.close();
  }
  const seconds = (performance.now() - began) / 1000;
  // Autovacuum would do the same some minutes later.
  if (databaseUrl !== undefined) await onServer(databaseUrl, 'VACUUM ANALYZE');
  const kilobytes = (await bytesOf(place)) / notes / 1024;
  process.stdout.write(
    `${place.what} of ${owners.length} accounts written and indexed in ${seconds.toFixed(0)} s, ${kilobytes.toFixed(1)} KiB each, index and all\n`,
  );
}

async function bytesOf({ folder, databaseUrl }: BenchServer): Promise<number> {
  if (databaseUrl !== undefined)
    return Number((await onServer(databaseUrl, 'SELECT pg_database_size(current_database()) AS n'))[0]!['n']);
  const sizes = await Promise.all(['sheaf.db', 'search.db'].map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function add({ services }: App, userId: string, round: number, owner: number): Promise<void> {
  const { title, markdown } = makeNote(generator(round * 100_003 + owner), round);
  const at = Date.now() - (notesOfAccount - round) * 60_000;
  await services.notes.create(
    { at, userId, keyId: '', operation: 'bench', requestId: '' },
    { id: newId('note'), userId, preview: buildPreview(parseHead(markdown), title), isTitled: false, markdown },
    { noteBytes: 2 ** 20, quotaBytes: 2 ** 40, notebooks: 1000 },
  );
}

type Cpu = (place: BenchServer) => Promise<number>;

async function send({ node }: BenchServer, key: Key, [path, body]: [string, object]): Promise<void> {
  const { code } = await call(node!, key, path, body);
  if (code !== 0) throw new Error(`${path} was answered with ${code}`);
}

/** Calls for every account once, on fresh nodes. */
async function cold(places: readonly BenchServer[], cpu: Cpu): Promise<Row[]> {
  const reads = works.slice(0, -1);
  const used = reads.map(() => places.map(() => 0));
  for (let start = 0; start < starts; start++) {
    for (const [side, place] of places.entries()) {
      place.node = await startNode(place.folder, place.databaseUrl);
      // Let the node compile its code first, which is not part of the measurement.
      for (const work of reads)
        for (let n = 0; n < 40; n++) await send(place, place.node.owner, work.send(place, place.node.owner, n));
      for (const [index, work] of reads.entries()) {
        const before = await cpu(place);
        for (const [n, account] of place.accounts.entries()) await send(place, account, work.send(place, account, n));
        used[index]![side]! += (await cpu(place)) - before;
      }
      await place.node.stop();
      delete place.node;
    }
  }
  return reads.map(({ what }, index) => rowOf(`${what}, cold`, used[index]!, starts * places[0]!.measured));
}

async function warm(places: readonly BenchServer[], cpu: Cpu): Promise<Row[]> {
  for (const place of places) place.node = await startNode(place.folder, place.databaseUrl);
  const rows: Row[] = [];
  for (const work of works) {
    const used = places.map((): number[] => []);
    for (let turn = -1; turn < turns; turn++) {
      for (const [side, place] of turn % 2 === 0 ? [...places.entries()] : [...places.entries()].reverse()) {
        const before = await cpu(place);
        await callAll(place, work);
        await indexed(place);
        if (work.settles) await waitUntilIdle(place);
        if (turn >= 0) used[side]!.push((await cpu(place)) - before);
      }
    }
    const sums = used.map((list) => list.reduce((sum, one) => sum + one, 0));
    const [small, large] = used.map((list) => percentile(list, 50));
    rows.push(rowOf(work.what, sums, turns * work.calls, `, in the median turn ${(large! / small!).toFixed(2)}`));
  }
  const memory = await Promise.all(places.map(memoryOf));
  rows.push({ what: 'memory of the node', value: `${memory[1]} over ${memory[0]} MiB` });
  return rows;
}

async function callAll(place: BenchServer, work: Work): Promise<void> {
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < work.calls) {
      const n = next++;
      const account = place.accounts[n % place.measured]!;
      await send(place, account, work.send(place, account, n));
    }
  };
  await Promise.all(Array.from({ length: 8 }, caller));
}

async function indexed({ node }: BenchServer): Promise<void> {
  for (;;) {
    const text = await (await fetch(`${node!.url}/metrics`)).text();
    if (/^sheaf_search_outbox 0$/m.test(text)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until the node is nearly idle, because segments are merged some time after the last write. */
async function waitUntilIdle({ node }: BenchServer): Promise<void> {
  let before = await cpuOfTree(node!.pid);
  for (let quiet = 0; quiet < 5;) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const now = await cpuOfTree(node!.pid);
    quiet = now - before < 0.05 ? quiet + 1 : 0;
    before = now;
  }
}

async function memoryOf({ node }: BenchServer): Promise<number> {
  const status = await readFile(`/proc/${node!.pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN) / 1024);
}

function rowOf(what: string, [small, large]: readonly number[], calls: number, more = ''): Row {
  const ratio = large! / small!;
  const each = (seconds: number): string => `${((seconds * 1000) / calls).toFixed(2)} ms`;
  return {
    what,
    value: `${ratio.toFixed(2)} (${each(large!)} over ${each(small!)} a call${more})`,
    goal: `<= ${goal}`,
    met: ratio <= goal,
  };
}
