import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentile, report, type Row } from './measure/report.ts';
import { corpus, queryWords } from './search/corpus.ts';
import { fillItems, plantedWords, titleOf } from './wiki/fill-items.ts';
import { prepare, startServer, type Credentials, type Server } from './wiki/server.ts';

export { serve } from './wiki/server.ts';

/**
 * Measures a knowledge base of 100,000 items over HTTP: lists, selective searches, a lookup of 2,000 names, and an import
 * of 1,000 Markdown files. The server is a separate process; its processor time is more reliable than wall time on a busy
 * machine.
 *
 *   npm run bench -- wiki [items, 100000 by default]; SHEAF_DATABASE_URL makes it PostgreSQL
 */
export async function run(args: readonly string[] = []): Promise<void> {
  const count = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 100_000);
  const small = Math.max(1000, Math.floor(count / 10));
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
  try {
    const credentials = await prepare(folder);
    const baseId = await onServer(folder, credentials, (server) => newBase(server, 'many items'));
    await fillItems(folder, credentials, baseId, 0, small);
    const tenth = await onServer(folder, credentials, (server) => searches(server, baseId));
    await fillItems(folder, credentials, baseId, small, count);
    await onServer(folder, credentials, async (server) => {
      const rows = await lists(server, baseId, count);
      const whole = await searches(server, baseId);
      report(`wiki, ${count} items in one base, milliseconds p50 / p95, (of the server's processor, mean)`, [
        ...rows,
        ...searchRows(whole, tenth, count, small),
      ]);
    });
    await onServer(folder, credentials, async (server) => {
      const each = 1000;
      report(`wiki, ${each} Markdown files imported, ${count} items in another base`, [
        await imported(server, each, 'upload_knowledge'),
        await imported(server, each, 'upload_knowledge'),
      ]);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function onServer<Result>(
  folder: string,
  credentials: Credentials,
  work: (server: Server) => Promise<Result>,
): Promise<Result> {
  const server = await startServer(import.meta.url, folder, credentials);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

export async function newBase(server: Server, name: string): Promise<string> {
  return String((await server.ask('create_knowledge_base', { name }))['knowledge_base_id']);
}

interface Times {
  p50: number;
  p95: number;
  /** Mean processor time of the server. */
  cpu: number;
}

async function timed(
  server: Server,
  rounds: number,
  input: (round: number) => [operation: string, body: Record<string, unknown>],
): Promise<Times> {
  const times: number[] = [];
  const warmUp = Math.ceil(rounds / 3);
  let before = 0;
  for (let round = -warmUp; round < rounds; round++) {
    if (round === 0) before = await server.cpuSeconds();
    const [operation, body] = input(round + warmUp);
    const started = performance.now();
    await server.ask(operation, body);
    if (round >= 0) times.push(performance.now() - started);
  }
  return {
    p50: percentile(times, 50),
    p95: percentile(times, 95),
    cpu: ((await server.cpuSeconds()) - before) * (1000 / rounds),
  };
}

const goal = 30;

function row(what: string, times: Times): Row {
  return {
    what,
    value: `${times.p50.toFixed(2)} / ${times.p95.toFixed(2)} (${times.cpu.toFixed(2)})`,
    goal: `p95 < ${goal}`,
    met: times.p95 < goal,
  };
}

export async function lists(server: Server, baseId: string, count: number): Promise<Row[]> {
  let cursor = '';
  const pages = await timed(server, 200, () => [
    'get_knowledge_list',
    { knowledge_base_id: baseId, cursor, limit: 50 },
  ]);
  for (let page = 0; page < 100; page++)
    cursor = String(
      (await server.ask('get_knowledge_list', { knowledge_base_id: baseId, cursor, limit: 50 }))['next_cursor'],
    );
  const later = await timed(server, 200, () => [
    'get_knowledge_list',
    { knowledge_base_id: baseId, cursor, limit: 50 },
  ]);
  // Every second name exists.
  const params = (round: number): Record<string, unknown>[] =>
    Array.from({ length: 2000 }, (_, i) => ({
      name: i % 2 === 0 ? titleOf((round * 7919 + i * 47) % count) : `nothing of that name ${round} ${i}.md`,
      media_type: 7,
    }));
  const names = await timed(server, 60, (round) => [
    'check_repeated_names',
    { knowledge_base_id: baseId, params: params(round) },
  ]);
  return [
    row('list, the first 50', pages),
    row('list, 50 after 5,000 others', later),
    row('2,000 names, half of them taken', names),
  ];
}

interface Searches {
  words: Times;
  planted: Times;
}

export async function searches(server: Server, baseId: string): Promise<Searches> {
  const query =
    (list: readonly string[]) =>
    (round: number): [string, Record<string, unknown>] => [
      'search_knowledge',
      { query: list[round % list.length], cursor: '', knowledge_base_id: baseId },
    ];
  return {
    words: await timed(server, 300, query(queryWords(200))),
    planted: await timed(server, 300, query(plantedWords)),
  };
}

function searchRows(whole: Searches, tenth: Searches, count: number, small: number): Row[] {
  const growth = whole.planted.cpu / tenth.planted.cpu;
  const most = Math.log(count) / Math.log(small);
  return [
    row('search, words of the corpus', whole.words),
    row('search, words in 20 items', whole.planted),
    row(`the same among ${small} items`, tenth.planted),
    {
      what: `20 matches: ${count} items to ${small}, processor time`,
      value: `x ${growth.toFixed(2)}`,
      goal: `<= x ${most.toFixed(2)} (logarithm)`,
      met: growth <= most,
    },
  ];
}

/** Measures the time from the first call until every file is found by a unique word. */
export async function imported(server: Server, count: number, how: 'upload_knowledge'): Promise<Row> {
  const baseId = await newBase(server, `import by ${how}`);
  const files = [...corpus({ count, seed: 5 })].map(
    ({ title, body }, i) => `# ${title}\n\n${body.replaceAll('。', '。\n\n')}\n\n- imported${i}\n`,
  );
  const before = await server.cpuSeconds();
  const started = performance.now();
  let next = 0;
  const ids: string[] = [];
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (next < files.length) {
        const index = next++;
        const { media_id } = await server.ask(how, {
          knowledge_base_id: baseId,
          file_name: `file ${index}.md`,
          content: Buffer.from(files[index]!).toString('base64'),
        });
        ids.push(String(media_id));
      }
    }),
  );
  const sent = (performance.now() - started) / 1000;
  for (let from = 0; from < ids.length; from += 100)
    await server.ask('get_knowledge_state', { media_ids: ids.slice(from, from + 100), wait_seconds: 30 });
  const read = (performance.now() - started) / 1000;
  for (let index = 0; index < files.length; index += 50) {
    for (;;) {
      const { total } = await server.ask('search_knowledge', {
        query: `imported${index}`,
        cursor: '',
        knowledge_base_id: baseId,
      });
      if (total === 1) break;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  const seconds = (performance.now() - started) / 1000;
  const cpu = (await server.cpuSeconds()) - before;
  const cores = 2;
  return {
    what: `by ${how}: sent after ${sent.toFixed(1)} s, read after ${read.toFixed(1)} s, found after ${seconds.toFixed(1)} s`,
    value:
      `${(count / seconds).toFixed(0)}/s, ${((cpu * 1000) / count).toFixed(2)} ms of the server's ` +
      `processor each: ${((count / cpu) * cores).toFixed(0)}/s on two cores`,
    goal: '>= 200/s',
    met: count / seconds >= 200,
  };
}
