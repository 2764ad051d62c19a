/**
 * PostgreSQL fails over and is switched over under three nodes that serve, by Patroni, etcd and HAProxy of Debian. With a
 * synchronous standby nothing acknowledged is lost; with an asynchronous one what is lost is what the database lost, every node
 * agrees on it within five seconds, and work goes on. Short in the suite; `npm run drill -- failover --seconds 600` is longer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { missingPackages, PatroniCluster } from '@sheaf/tools/testing/patroni-cluster.ts';
import { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';
import { startNode } from '@sheaf/tools/testing/node-process.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { Callers, type Reached } from '../random/callers.ts';
import { Cluster } from '../random/cluster.ts';
import { History } from '../random/history.ts';
import { Ledger } from '../random/ledger.ts';
import { Revocations } from '../random/revocations.ts';
import { Failovers, type Outage } from './failovers.ts';
import { Witness } from './witness.ts';

const seconds = Number(process.env['SHEAF_FAILOVER_SECONDS'] ?? 20);
const seed = Number(process.env['SHEAF_FAILOVER_SEED'] ?? 1);
const readyMs = 90_000;
const settledMs = 6_000;
const searched = 15;

class Drill {
  readonly cluster: Cluster<PatroniCluster>;
  readonly callers: Callers;
  readonly ledger: Ledger;
  readonly failovers: Failovers;
  readonly wrong: string[] = [];
  readonly #chance: SeededRandom;
  readonly #isSynchronous: boolean;
  #lostRows = 0;
  #slowestWorkMs = 0;

  constructor(cluster: Cluster<PatroniCluster>, callers: Callers, chance: SeededRandom, isSynchronous: boolean) {
    this.cluster = cluster;
    this.callers = callers;
    this.#chance = chance;
    this.#isSynchronous = isSynchronous;
    this.ledger = new Ledger(callers, chance.fork());
    this.failovers = new Failovers(cluster.postgres, chance.fork());
  }

  get figures(): string {
    return (
      `${this.failovers.figures}; ${this.callers.figures}; ${this.ledger.figures}; ${this.#lostRows} rows lost; ` +
      `every node wrote again within ${(this.#slowestWorkMs / 1000).toFixed(1)} s`
    );
  }

  /** One failover, with a spreadsheet of its own around it. */
  async round(): Promise<void> {
    const { nodes, postgres } = this.cluster;
    await postgres.whole();
    const witness = await Witness.begin(this.callers, nodes, this.#chance.fork());
    let last: Outage | undefined;
    await this.failovers.next(async (outage) => {
      last = outage;
      await Promise.all(nodes.map((node) => this.#works(node, outage)));
      await sleep(Math.max(0, outage.back + settledMs - performance.now()));
    });
    await postgres.whole();
    await witness.end();
    const { wrong, lost } = await witness.judge(last!, !this.#isSynchronous);
    this.#lostRows += lost;
    this.wrong.push(...wrong);
  }

  async #works(node: Reached, outage: Outage): Promise<void> {
    const input = { content_format: 1, content: 'works again' };
    for (const end = Date.now() + readyMs; Date.now() < end; await sleep(100)) {
      const outcome = await this.callers.call(node, 'note', 'import_doc', input);
      if (outcome.kind !== 'done') continue;
      this.#slowestWorkMs = Math.max(this.#slowestWorkMs, performance.now() - outage.back);
      return;
    }
    this.wrong.push(`${node.name} wrote nothing within ${readyMs} ms after ${outage.name}`);
  }

  /** A node that has seen nothing of it all has what the database has; the others must have the same. */
  async judge(): Promise<void> {
    const { cluster, ledger, callers } = this;
    const env = { ...cluster.env, SHEAF_DATABASE_CONNECTIONS: '4' };
    const fresh = await startNode({ folder: await temporaryFolder(), env });
    onTestFinished(async () => void (await fresh.stop()));
    const truth = await ledger.contentsOver({ name: 'a new node', url: fresh.url });
    const missing = ledger.missing(truth);
    const isExcused = (word: string): boolean =>
      !this.#isSynchronous &&
      this.failovers.outages.some(
        ({ from, back }) => ledger.doneAt.get(word)! >= from && ledger.doneAt.get(word)! <= back,
      );
    for (const word of missing) if (!isExcused(word)) this.wrong.push(`${word} was acknowledged and is not there`);
    for (const node of cluster.nodes) {
      const contents = await ledger.contentsOver(node);
      for (const kind of Object.keys(truth) as (keyof typeof truth)[])
        if (JSON.stringify([...contents[kind]].sort()) !== JSON.stringify([...truth[kind]].sort()))
          this.wrong.push(`${node.name} has ${contents[kind].size} ${kind}s and a new node ${truth[kind].size}`);
      this.wrong.push(
        ...ledger.judge(contents).filter((what) => !missing.some((word) => what === `${kindOf(word)} ${word} ${gone}`)),
      );
      await this.#searches(
        node,
        missing.filter((word) => word.startsWith('wnote')),
        [...truth.note.keys()],
      );
    }
    this.wrong.push(...(await ledger.unread(new Set(missing))), ...callers.violations);
    this.wrong.push(...[...ledger.refused].map(([what, count]) => `refused ${count}: ${what}`));
    this.wrong.push(...cluster.nodes.flatMap(({ died }) => died ?? []));
    console.log(`${missing.length} of the ledger's words are gone with their database`);
  }

  /** Search finds what is there and nothing that is gone. */
  async #searches(node: Reached, lost: readonly string[], kept: readonly string[]): Promise<void> {
    for (const [words, count] of [
      [lost.slice(-searched), 0],
      [kept.slice(-searched), 1],
    ] as const)
      for (const word of words) {
        let found = -1;
        for (const end = Date.now() + readyMs; Date.now() < end && found !== count; await sleep(300)) {
          const input = { search_type: 0, query_info: { title: word }, start: 0, end: 20 };
          const { search_note_infos: hits } = await this.callers.must('note', 'search_note', input, node);
          found = (hits as unknown[]).length;
        }
        if (found !== count) this.wrong.push(`${node.name} finds ${word} ${found} times instead of ${count}`);
      }
  }
}

const gone = 'was acknowledged and is not there';
const kindOf = (word: string): string => /^w([a-z]+)\d/.exec(word)![1]!;

for (const kind of ['synchronous', 'asynchronous'] as const)
  test(
    `[finding Q22] three nodes, ${kind} standby, failing over at random for ${seconds} s (seed ${seed})`,
    { timeout: 900_000 + seconds * 4000 },
    async (context) => {
      const missing = missingPackages();
      if (missing.length > 0) return context.skip(`not installed: ${missing.join(', ')} (Debian 12; apt-get install)`);
      const isSynchronous = kind === 'synchronous';
      const chance = new SeededRandom(seed);
      const postgres = await PatroniCluster.start({ isSynchronous });
      onTestFinished(() => postgres.end());
      const cluster = await Cluster.startOn(postgres);
      onTestFinished(() => cluster.end());
      const callers = new Callers(cluster.nodes, await cluster.nodes[0]!.key());
      const drill = new Drill(cluster, callers, chance.fork(), isSynchronous);
      const history = new History(callers, chance.fork());
      const revocations = new Revocations(callers, cluster, chance.fork());
      await drill.ledger.prepare();
      drill.ledger.begin();
      // What a database has lost cannot be explained by an order of all calls, and takes revocations with it.
      if (isSynchronous) {
        await history.begin();
        revocations.begin();
      }
      for (const end = Date.now() + seconds * 1000; Date.now() < end;) await drill.round();
      callers.end();
      await Promise.all([drill.ledger.end(), history.end(), revocations.end()]);
      await postgres.whole();
      for (const node of cluster.nodes) await node.ready(readyMs);
      await drill.judge();
      console.log(`${kind}, seed ${seed}, ${seconds} s: ${drill.figures}; ${revocations.count} keys revoked`);
      if (isSynchronous) {
        const verdict = await history.verdict(cluster.nodes);
        if (!verdict.isLinearizable) drill.wrong.push(`no order explains what was seen: ${JSON.stringify(verdict)}`);
      }
      if (drill.wrong.length > 0) {
        console.log(drill.wrong.join('\n'));
        for (const { name, log } of cluster.nodes) console.log(name, log.slice(-4000));
      }
      expect(drill.wrong).toEqual([]);
    },
  );
