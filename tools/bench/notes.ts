import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@sheaf/server/lib/ids.ts';
import { buildPreview, parseHead } from '@sheaf/server/modules/note/parse-markdown.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { atMost, report, timed, timesRow, type Row } from './measure/figures.ts';
import { onPostgres, startServer, withStores, type BenchPostgres, type Running } from './measure/servers.ts';

/**
 * Measures 100,000 notes of mixed Chinese and English in one account over HTTP: list_note, selective searches, and a
 * search for a word in half of all notes. The server is a separate process; its processor time is more reliable than
 * wall time on a busy machine.
 *
 * `postgres` starts a database for the run and adds its processor time; SHEAF_DATABASE_URL names an existing database.
 *
 *    npm run bench -- notes [how many] [postgres]
 */
export async function run(args: string[] = []): Promise<void> {
  const count = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 100_000);
  await onPostgres(args.includes('postgres'), async (postgres) => {
    const folder = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
    try {
      const { owner, stop } = await startServer({ folder, postgres });
      await stop();
      await fill(folder, postgres, owner.userId, count);
      const server = await startServer({ folder, postgres });
      await measure(server, count).finally(() => server.stop());
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

const han =
  '的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本' +
  '去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系军很情者最立代想已通并提直题党程展五果料象员革位入常文总' +
  '次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农指几九区强放决西被干做必战先回则任取据处';

function makeNote(random: SeededRandom, index: number): { title: string; markdown: string } {
  const word = (): string => {
    // Word frequencies are skewed as in natural text: few common words, many rare ones.
    const rank = Math.floor(20_000 ** random.fraction());
    return `w${rank.toString(36)}`;
  };
  const chinese = (length: number): string =>
    Array.from({ length }, () => han[Math.floor(random.fraction() ** 1.5 * han.length)]).join('');
  const sentences = Array.from({ length: 4 + random.below(8) }, () =>
    random.happens(0.5) ? Array.from({ length: 12 }, word).join(' ') : `${chinese(18)}，${chinese(9)}。`,
  );
  const half = random.happens(0.5) ? '\n\nhalfword 半数' : '';
  const rare = index % 128 === 0 ? '\n\nselective 稀有词' : '';
  const title = `${chinese(4)} ${word()} ${index}`;
  return { title, markdown: `# ${title}\n\n${sentences.join('\n\n')}${half}${rare}\n\n- ${word()}\n- ${chinese(6)}\n` };
}

async function fill(folder: string, postgres: BenchPostgres | undefined, userId: string, count: number): Promise<void> {
  const random = new SeededRandom(7);
  const started = performance.now();
  const seconds = (): string => ((performance.now() - started) / 1000).toFixed(1);
  const limits = { noteBytes: 2 ** 20, quotaBytes: 2 ** 40, notebooks: 1000 };
  const from = Date.now() - count * 1000;
  await withStores({ folder, url: postgres?.url }, async ({ services }) => {
    for (let i = 0; i < count; i += 500) {
      const batch = Array.from({ length: Math.min(500, count - i) }, (_, j) => {
        const { title, markdown } = makeNote(random, i + j);
        return services.notes.create(
          { at: from + (i + j) * 997, userId, keyId: '', operation: 'bench', requestId: '' },
          { id: newId('note'), userId, preview: buildPreview(parseHead(markdown), title), isTitled: false, markdown },
          limits,
        );
      });
      await Promise.all(batch);
    }
    process.stdout.write(`${count} notes written in ${seconds()} s\n`);
  });
  process.stdout.write(`indexed after ${seconds()} s\n`);
}

async function measure(server: Running, count: number): Promise<void> {
  const random = new SeededRandom(11);
  const rows: Row[] = [];
  const time = async (
    what: string,
    goal: number,
    rounds: number,
    call: (round: number) => [operation: string, input: object],
  ): Promise<void> => {
    const work = (round: number) => server.ask('note', ...call(round));
    rows.push(timesRow(what, await timed(rounds, work, { warmUp: 20, cpuSeconds: server.cpuSeconds }), goal));
  };
  const search = (query_info: { title?: string; content?: string }, sort_type = 0, start = 0): [string, object] => [
    'search_note',
    { search_type: query_info.title === undefined ? 1 : 0, sort_type, query_info, start, end: start + 20 },
  ];
  for (const [sort_type, name] of ['modified', 'created', 'title', 'size'].entries()) {
    const cursors = await randomCursors(server, sort_type, random, count);
    await time(`list_note by ${name}`, 20, 300, (round) => [
      'list_note',
      { cursor: cursors[round % cursors.length], limit: 20, sort_type },
    ]);
    await time(`search 1 in 128, by ${name}`, 20, 200, (round) =>
      search({ content: round % 2 ? 'selective' : '稀有词' }, sort_type, (round % 5) * 20),
    );
    await time(`search 1 in 2, by ${name}`, 100, 60, (round) =>
      search({ content: round % 2 ? 'halfword' : '半数' }, sort_type, (round % 3) * 20),
    );
  }
  await time('search rare words', 20, 300, () =>
    search({ content: `w${Math.floor(random.between(2000, 20_000)).toString(36)}` }),
  );
  await time('search titles', 20, 300, () => search({ title: String(random.below(count)) }));
  await time('list_notebook', 20, 200, () => ['list_notebook', { cursor: '0', limit: 20 }]);
  rows.push(await pageThrough(server, count), await longNotes(server));
  report(`notes, ${count} in one account, milliseconds p50 / p95 (of the server's processor, mean)`, rows);
}

/**
 * Pages through the note list while notes are added and deleted. Every note that exists throughout must appear exactly
 * once.
 */
async function pageThrough({ client }: Running, count: number): Promise<Row> {
  const started = performance.now();
  const seen = new Map<string, number>();
  let changes = 0;
  let cursor = '';
  for (let page = 0; ; page++) {
    const { note_book_list, is_end, next_cursor } = await client.note.list_note({ cursor, limit: 20, sort_type: 2 });
    for (const { note_id } of note_book_list) seen.set(note_id, (seen.get(note_id) ?? 0) + 1);
    if (is_end) break;
    cursor = next_cursor;
    if (page % 50 !== 0) continue;
    await client.note.import_doc({ content_format: 1, content: `added ${page}` });
    await client.note.delete_note({ note_id: note_book_list[0]!.note_id });
    changes++;
  }
  const twice = [...seen.values()].filter((times) => times > 1).length;
  const missed = Math.max(0, count - seen.size);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  return atMost(
    `paged through ${seen.size} notes in ${seconds} s while ${changes} came and went`,
    twice + missed,
    0,
    `${twice} seen twice, ${missed} missed`,
  );
}

/** Measures the time from the response that stored a 1 MiB note until a search finds a word at the note's end. */
async function longNotes({ client }: Running): Promise<Row> {
  const random = new SeededRandom(13);
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    let content = '';
    for (let i = 0; content.length < 2 ** 19; i++) content += makeNote(random, i).markdown;
    content = content.slice(0, 2 ** 19);
    while (Buffer.byteLength(content) > 2 ** 20 - 64) content = content.slice(0, -1000);
    content += 'x'.repeat(2 ** 20 - 64 - Buffer.byteLength(content));
    await client.note.import_doc({ content_format: 1, content: `${content}\n\nlongword${round}` });
    const answered = performance.now();
    const query = { search_type: 1, query_info: { content: `longword${round}` }, start: 0, end: 20 } as const;
    while ((await client.note.search_note(query)).total_hit_num !== 1) await sleep(5);
    times.push(performance.now() - answered);
  }
  const each = times.map((ms) => `${ms.toFixed(0)} ms`).join(', ');
  return atMost('a note of 1 MiB is found after its answer', Math.max(...times), 2000, each);
}

/** Returns cursors at random positions of the list, so that pages other than the first are measured too. */
async function randomCursors(
  server: Running,
  sort_type: number,
  random: SeededRandom,
  count: number,
): Promise<string[]> {
  const cursors = [''];
  for (let i = 0; i < 30; i++) {
    const cursor = String(random.below(Math.max(1, count - 100)));
    cursors.push(String((await server.ask('note', 'list_note', { cursor, limit: 20, sort_type }))['next_cursor']));
  }
  return cursors;
}
