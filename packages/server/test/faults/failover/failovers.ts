/** What becomes of the database in the failover drill: one thing after the other, each after the standby is whole again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PatroniCluster } from '@sheaf/tools/testing/patroni-cluster.ts';
import { leaseSeconds, type PatroniMember } from '@sheaf/tools/testing/patroni-member.ts';
import type { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';

/** Until another primary must serve: the old one's lease, the election, the promotion, on a machine that is busy. */
const servesMs = 120_000;
/** What an asynchronous standby may lag behind though nothing is in its way. */
const lagMs = 2_000;

/** From when on an asynchronous standby may have missed writes, and when the address led to a primary again. */
export interface Outage {
  readonly name: string;
  readonly from: number;
  readonly back: number;
}

interface Kind {
  readonly name: string;
  readonly weight: number;
  /** Whether the other member must take over. */
  readonly isTakenOver: boolean;
  run(primary: PatroniMember): Promise<void>;
  /** When the other member has taken over. */
  mend(primary: PatroniMember): Promise<void>;
}

export class Failovers {
  readonly #database: PatroniCluster;
  readonly #chance: SeededRandom;
  readonly #kinds: readonly Kind[];
  readonly outages: Outage[] = [];

  constructor(database: PatroniCluster, chance: SeededRandom) {
    this.#database = database;
    this.#chance = chance;
    const restart = async (primary: PatroniMember): Promise<void> => {
      await sleep(chance.between(0, 4000));
      primary.start();
    };
    const nothing = (): Promise<void> => Promise.resolve();
    this.#kinds = [
      {
        name: 'switchover',
        weight: 3,
        isTakenOver: true,
        run: (primary) => database.switchOver(primary),
        mend: nothing,
      },
      { name: 'machine dies', weight: 3, isTakenOver: true, run: (primary) => primary.kill(), mend: restart },
      { name: 'agent dies', weight: 1, isTakenOver: true, run: (primary) => primary.killAgent(), mend: restart },
      {
        name: 'machine freezes',
        weight: 2,
        isTakenOver: true,
        run: (primary) => primary.freeze(),
        mend: (primary) => primary.wake(),
      },
      {
        name: 'database crashes',
        weight: 1,
        isTakenOver: false,
        run: (primary) => primary.killDatabase(),
        mend: nothing,
      },
    ];
  }

  get figures(): string {
    const counts = new Map<string, number>();
    for (const { name } of this.outages) counts.set(name, (counts.get(name) ?? 0) + 1);
    const longest = Math.max(0, ...this.outages.map(({ from, back }) => back - from));
    return `${[...counts].map(([name, count]) => `${name} ${count}`).join(', ')}; the longest ${(longest / 1000).toFixed(1)} s`;
  }

  /** The next one. The old primary is mended, and may still be catching up, when this resolves. */
  async next(afterwards: (outage: Outage) => Promise<void>): Promise<void> {
    const primary = await this.#database.whole();
    await sleep(this.#chance.between(1500, 5000));
    const kind = this.#chance.oneOf(this.#kinds.flatMap((one) => Array.from({ length: one.weight }, () => one)));
    const isCutOff = kind.name !== 'switchover' && this.#chance.happens(0.6);
    const from = performance.now() - lagMs;
    // Replication goes through the primary's link: what is written from here on is with the primary alone.
    if (isCutOff) {
      primary.link.fail('silent');
      await sleep(this.#chance.between(300, leaseSeconds * 250));
    }
    await kind.run(primary);
    await this.#serves(kind, primary);
    const outage = { name: `${kind.name}${isCutOff ? ' (cut off)' : ''}`, from, back: performance.now() };
    this.outages.push(outage);
    primary.link.breakConnections();
    primary.link.mend();
    await kind.mend(primary);
    await afterwards(outage);
  }

  async #serves(kind: Kind, before: PatroniMember): Promise<void> {
    for (const end = Date.now() + servesMs; Date.now() < end; await sleep(50)) {
      const isTakenOver = !kind.isTakenOver || (await this.#isPrimary(this.#database.other(before)));
      if (isTakenOver && (await this.#database.isServing())) return;
    }
    throw new Error(
      `${kind.name}: nobody serves within ${servesMs} ms\n${this.#database.members.map(({ log }) => log.slice(-1500)).join('\n')}`,
    );
  }

  async #isPrimary({ restPort }: PatroniMember): Promise<boolean> {
    return fetch(`http://127.0.0.1:${restPort}/primary`, { signal: AbortSignal.timeout(1_500) }).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}
