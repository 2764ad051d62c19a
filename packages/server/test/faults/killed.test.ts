import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openSqlite } from '../../src/adapters/sql/sqlite/database.ts';
import { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';
import { ownerKey, startNode, type NodeProcess } from '@sheaf/tools/testing/node-process.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { Callers, type Reached } from './random/callers.ts';
import { Ledger } from './random/ledger.ts';

const rounds = Number(process.env['SHEAF_CRASH_ROUNDS'] ?? 4);
const seed = Number(process.env['SHEAF_CRASH_SEED'] ?? 1);
/** What is written goes elsewhere after so many, so that looking at all of it takes as long in the last round as in the first. */
const roundsOfChapter = Number(process.env['SHEAF_CRASH_CHAPTER'] ?? 20);
/** More than a chapter ever has. */
const wordsOfChapter = 1_000_000;
/** From before the first write of a round is answered to past the first checkpoint. */
const maxMs = 900;
const maxStartMs = 500;
const maxAnswers = 40;
const answersMs = 10_000;
const foundMs = 60_000;

/** One node on one data folder, which is killed again and again. */
class Mortal implements Reached {
  readonly name = 'the node';
  readonly #folder: string;
  #process: NodeProcess | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get url(): string {
    return this.#process!.url;
  }

  async start(): Promise<void> {
    this.#process = await startNode({ folder: this.#folder });
  }

  async kill(): Promise<void> {
    const { child } = this.#process!;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    expect(await gone).toEqual([null, 'SIGKILL']);
  }

  /** Killed while it starts, which is while it recovers; or right after, where it was quicker. */
  async startAndKill(afterMs: number): Promise<void> {
    let ended: Promise<unknown> | undefined;
    const started = startNode({
      folder: this.#folder,
      onSpawn(child) {
        ended = once(child, 'exit');
        setTimeout(() => child.kill('SIGKILL'), afterMs);
      },
    });
    await started.catch(() => undefined);
    await ended;
  }

  async stop(): Promise<number | NodeJS.Signals | null | undefined> {
    return this.#process?.stop();
  }
}

test(
  `kill -9 over all modules on sqlite, ${rounds} rounds: everything acknowledged is there once, the database is whole`,
  { timeout: 120_000 + rounds * 20_000 },
  async () => {
    const chance = new SeededRandom(seed);
    const folder = await temporaryFolder();
    const node = new Mortal(folder);
    await node.start();
    onTestFinished(async () => void (await node.stop()));
    const callers = new Callers([node], await ownerKey(folder));
    const chapters: Ledger[] = [];
    for (let round = 0; round < rounds; round++) {
      if (round % roundsOfChapter === 0) {
        await finish(callers, chapters.at(-1));
        chapters.push(new Ledger(callers, chance.fork(), chapters.length * wordsOfChapter));
        await chapters.at(-1)!.prepare();
      }
      const ledger = chapters.at(-1)!;
      callers.goOn();
      ledger.begin();
      // At any moment, or, so that slow machines write too, after some answers.
      if (chance.happens(0.5)) await sleep(chance.between(0, maxMs));
      else await acknowledged(ledger, 1 + chance.below(maxAnswers));
      await node.kill();
      if (chance.happens(0.2)) await node.startAndKill(chance.between(0, maxStartMs));
      await node.start();
      callers.end();
      await ledger.end();
      const wrong = [...ledger.judge(await ledger.contentsOver(node)), ...callers.violations, ...ledger.refused.keys()];
      expect(wrong.map((what) => `round ${round}: ${what}`)).toEqual([]);
    }
    await finish(callers, chapters.at(-1));
    // All of it once more: no later round has taken away what an earlier one wrote.
    for (const ledger of chapters) expect(ledger.judge(await ledger.contentsOver(node))).toEqual([]);
    expect(await node.stop()).toBe(0);
    const database = await openSqlite(join(folder, 'sheaf.db'));
    try {
      expect(await database.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
    } finally {
      await database.close();
    }
    console.log(
      `kill -9: ${rounds} rounds, ${callers.figures}; ${chapters.map(({ figures }) => figures).join(' | ')}; none lost, none twice`,
    );
  },
);

/** So many more than there are now, or as many as come within the time. */
async function acknowledged(ledger: Ledger, more: number): Promise<void> {
  const count = (): number => Object.values(ledger.acknowledged()).reduce((sum, { size }) => sum + size, 0);
  const enough = count() + more;
  for (const end = Date.now() + answersMs; count() < enough && Date.now() < end;) await sleep(5);
}

/** Jobs and the search index live through it too: every upload is read, and what was written last is found. */
async function finish(callers: Callers, ledger: Ledger | undefined): Promise<void> {
  if (!ledger) return;
  expect(await ledger.unread()).toEqual([]);
  const title = [...ledger.acknowledged().note].at(-1);
  if (title === undefined) return;
  const search = { search_type: 0, query_info: { title }, start: 0, end: 20 };
  const found = async (): Promise<unknown> => (await callers.must('note', 'search_note', search))['total_hit_num'];
  await expect.poll(found, { timeout: foundMs, interval: 200 }).toBe(1);
}
