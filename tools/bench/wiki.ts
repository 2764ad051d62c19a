import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@sheaf/server/lib/ids.ts';
import type { NewItem } from '@sheaf/server/ports/wiki-store.ts';
import { atLeast, atMost, report, timed, timesRow, type Row, type Times } from './measure/figures.ts';
import { callAll, startServer, withStores, type Running } from './measure/servers.ts';
import { corpus, queryWords } from './search/corpus.ts';

/**
 * Measures a knowledge base of 100,000 items over HTTP: lists, selective searches, a lookup of 2,000 names, and an
 * import of 1,000 Markdown files. The server is a separate process; its processor time is more reliable than wall time
 * on a busy machine. SHEAF_DATABASE_URL selects PostgreSQL.
 *
 *    npm run bench -- wiki [items, 100000 by default]
 */
export async function run(args: readonly string[] = []): Promise<void> {
  const count = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 100_000);
  const small = Math.max(1000, Math.floor(count / 10));
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
  const onServer = async <Result>(work: (server: Running) => Promise<Result>): Promise<Result> => {
    const server = await startServer({ folder });
    return work(server).finally(() => server.stop());
  };
  try {
    const { userId, baseId } = await onServer(async (server) => ({
      userId: server.owner.userId,
      baseId: await newBase(server, 'many items'),
    }));
    await fillItems(folder, userId, baseId, 0, small);
    const tenth = await onServer((server) => searches(server, baseId));
    await fillItems(folder, userId, baseId, small, count);
    await onServer(async (server) => {
      const rows = await lists(server, baseId, count);
      const whole = await searches(server, baseId);
      const growth = whole.planted.cpu / tenth.planted.cpu;
      report(`wiki, ${count} items in one base, milliseconds p50 / p95, (of the server's processor, mean)`, [
        ...rows,
        timesRow('search, words of the corpus', whole.words, goal),
        timesRow('search, words in 20 items', whole.planted, goal),
        timesRow(`the same among ${small} items`, tenth.planted, goal),
        // A search with twenty matches may cost more in a larger knowledge base, but only in proportion to the
        // logarithm of the number of items.
        atMost(`20 matches: ${count} items to ${small}, processor time`, growth, Math.log(count) / Math.log(small)),
      ]);
    });
    await onServer(async (server) =>
      report(`wiki, Markdown files imported, ${count} items in another base`, [
        await measureImport(server, 1000),
        await measureImport(server, 1000),
      ]),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const goal = 30;

async function newBase({ client }: Running, name: string): Promise<string> {
  return (await client.wiki.create_knowledge_base({ name })).knowledge_base_id;
}

async function lists({ client, cpuSeconds }: Running, knowledge_base_id: string, count: number): Promise<Row[]> {
  let cursor = '';
  const list = () => client.wiki.get_knowledge_list({ knowledge_base_id, cursor, limit: 50 });
  const pages = await timed(200, list, { cpuSeconds });
  for (let page = 0; page < 100; page++) cursor = (await list()).next_cursor;
  const later = await timed(200, list, { cpuSeconds });
  // Every second name exists in the knowledge base.
  const params = (round: number): { name: string; media_type: number }[] =>
    Array.from({ length: 2000 }, (_, i) => ({
      name: i % 2 === 0 ? titleOf((round * 7919 + i * 47) % count) : `nothing of that name ${round} ${i}.md`,
      media_type: 7,
    }));
  const names = await timed(
    60,
    (round) => client.wiki.check_repeated_names({ knowledge_base_id, params: params(round) }),
    { cpuSeconds },
  );
  return [
    timesRow('list, the first 50', pages, goal),
    timesRow('list, 50 after 5,000 others', later, goal),
    timesRow('2,000 names, half of them taken', names, goal),
  ];
}

async function searches(
  { client, cpuSeconds }: Running,
  knowledge_base_id: string,
): Promise<{ words: Times; planted: Times }> {
  const ask = (list: readonly string[]): Promise<Times> =>
    timed(
      300,
      (round) => client.wiki.search_knowledge({ query: list[round % list.length]!, cursor: '', knowledge_base_id }),
      { cpuSeconds },
    );
  return { words: await ask(queryWords(200)), planted: await ask(plantedWords) };
}

/** Measures the time from the first upload until a search finds every file by its unique word. */
async function measureImport(server: Running, count: number): Promise<Row> {
  const { wiki } = server.client;
  const knowledge_base_id = await newBase(server, 'import');
  const files = [...corpus({ count, seed: 5 })].map(
    ({ title, body }, i) => `# ${title}\n\n${body.replaceAll('。', '。\n\n')}\n\n- imported${i}\n`,
  );
  const before = await server.cpuSeconds();
  const started = performance.now();
  const elapsed = (): number => (performance.now() - started) / 1000;
  const ids: string[] = [];
  const sent = await callAll(16, count, async (_, n) => {
    const content = Buffer.from(files[n]!).toString('base64');
    ids.push((await wiki.upload_knowledge({ knowledge_base_id, file_name: `file ${n}.md`, content })).media_id);
  });
  for (let from = 0; from < count; from += 100)
    await wiki.get_knowledge_state({ media_ids: ids.slice(from, from + 100), wait_seconds: 30 });
  const read = elapsed();
  for (let index = 0; index < count; index += 50) {
    const query = { query: `imported${index}`, cursor: '', knowledge_base_id };
    while ((await wiki.search_knowledge(query)).total !== 1) await sleep(10);
  }
  const seconds = elapsed();
  const cpu = (await server.cpuSeconds()) - before;
  return atLeast(
    `${count} files: sent after ${sent.toFixed(1)} s, read after ${read.toFixed(1)} s, found after ${seconds.toFixed(1)} s`,
    count / seconds,
    200,
    `${(count / seconds).toFixed(0)}/s, ${((cpu * 1000) / count).toFixed(2)} ms of the server's ` +
      `processor each: ${((count / cpu) * 2).toFixed(0)}/s on two cores`,
  );
}

/** Words added to the texts of items so that each word occurs in exactly twenty of the first ten thousand items. */
const plantedWords = Array.from({ length: 60 }, (_, i) => `planted${String.fromCharCode(97 + (i % 26))}${i}`);
const itemsWithWord = 20;
const firstItems = 10_000;

/**
 * Returns the words to add to the text of an item. Word number w is in twenty equally spaced items, the first of which
 * is item 7w.
 */
function planted(index: number): string[] {
  const step = firstItems / itemsWithWord;
  return plantedWords.filter((_, w) => index < firstItems && index % step === (w * 7) % step);
}

function titleOf(index: number): string {
  return `report ${index} 报告.md`;
}

/**
 * Writes items `from` to `to` (exclusive) directly to the stores, as already parsed items, which is faster than
 * importing them.
 */
async function fillItems(folder: string, userId: string, baseId: string, from: number, to: number): Promise<void> {
  await withStores({ folder }, async ({ services: { wiki } }) => {
    const stamp = () => ({ at: Date.now(), userId, keyId: '', operation: 'bench', requestId: '' });
    const add = async (index: number, body: string, headings: string): Promise<void> => {
      const item: NewItem = {
        id: newId('media'),
        baseId,
        folderId: baseId,
        userId,
        mediaType: 7,
        title: titleOf(index),
        state: 'ready',
        kind: 'markdown',
        fileName: titleOf(index),
        contentType: 'text/markdown',
        fileSize: body.length,
        blobKey: '',
        contentId: '',
        lastModifyTime: 0,
        sealedPassword: '',
      };
      await wiki.items.addItem(stamp(), item, 'keep_both', { quotaBytes: 2 ** 40 });
      await wiki.texts.saveText(stamp(), item.id, 1, { title: '', headings, body, meta: {} });
    };
    let index = 0;
    const batch: Promise<void>[] = [];
    for (const { title, body, headings } of corpus({ count: to })) {
      if (index >= from) batch.push(add(index, `${title}\n\n${body} ${planted(index).join(' ')}`, headings));
      index++;
      if (batch.length >= 500) await Promise.all(batch.splice(0));
    }
    await Promise.all(batch);
  });
}
