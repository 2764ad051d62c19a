/** What goes wrong in the random drill: several things at once, each for a few seconds, mended before its next turn. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';
import type { Outage } from '@sheaf/tools/testing/network-link.ts';
import type { Cluster, ClusterNode, Links } from './cluster.ts';

const atOnce = 3;
/** As when a cable is pulled, a route is lost, or answers are. */
const outages: readonly Outage[] = ['cut', 'silent', 'answers lost'];

interface Fault {
  readonly name: string;
  /** How often it is drawn. */
  readonly weight: number;
  /** Faults with a place in common wait for each other. */
  place(node: ClusterNode): string;
  run(node: ClusterNode, chance: SeededRandom): Promise<void>;
}

export class Faults {
  readonly #cluster: Cluster;
  readonly #chance: SeededRandom;
  readonly #busy = new Set<string>();
  readonly #table: readonly Fault[];
  #isRunning = false;
  #loops: Promise<void>[] = [];
  readonly counts = new Map<string, number>();
  /** What a fault itself found: a node that did not stop cleanly, or did not come back. */
  readonly violations: string[] = [];

  constructor(cluster: Cluster, chance: SeededRandom) {
    this.#cluster = cluster;
    this.#chance = chance;
    this.#table = [
      this.#process('kill', 3, async (node, own) => {
        await node.kill();
        await sleep(own.between(0, 2000));
        await node.start();
      }),
      this.#process('stop', 1, async (node, own) => {
        const ended = await node.stop();
        if (ended !== 0)
          this.violations.push(`${node.name} was asked to stop and ended with ${ended}: ${node.log.slice(-1000)}`);
        await sleep(own.between(0, 500));
        await node.start();
      }),
      this.#process('freeze', 3, async (node, own) => {
        node.freeze();
        await sleep(own.between(300, 8000));
        node.wake();
      }),
      {
        name: 'clock',
        weight: 2,
        place: (node) => `${node.name} clock`,
        async run(node, own) {
          await node.skew(Math.round(own.between(-600_000, 600_000)));
          await sleep(own.between(1000, 8000));
          await node.skew(0);
        },
      },
      this.#link('database', 3),
      this.#link('events', 2),
      this.#link('store', 1),
      this.#link('callers', 2),
      {
        name: 'database restarts',
        weight: 1,
        place: () => 'database',
        run: async (_, own) => {
          const { postgres } = this.#cluster;
          await (own.happens(0.5) ? postgres.goAway() : postgres.crash());
          await sleep(own.between(0, 3000));
          await postgres.comeBack();
        },
      },
      {
        name: 'store away',
        weight: 1,
        place: () => 'store',
        run: async (_, own) => {
          await this.#cluster.storeGoesAway();
          await sleep(own.between(500, 5000));
          await this.#cluster.storeComesBack();
        },
      },
    ];
  }

  begin(): void {
    this.#isRunning = true;
    this.#loops = Array.from({ length: atOnce }, () => this.#loop(this.#chance.fork()));
  }

  /** Everything is mended when this resolves. */
  async end(): Promise<void> {
    this.#isRunning = false;
    await Promise.all(this.#loops);
  }

  #process(name: string, weight: number, run: Fault['run']): Fault {
    return { name, weight, place: (node) => `${node.name} process`, run };
  }

  #link(link: keyof Links, weight: number): Fault {
    return {
      name: `link to ${link}`,
      weight,
      place: (node) => `${node.name} ${link}`,
      async run(node, own) {
        node.links[link].fail(own.oneOf(outages));
        await sleep(own.between(200, 7000));
        // What was sent into the silence is delivered, or lost with its connection.
        if (own.happens(0.3)) node.links[link].breakConnections();
        node.links[link].mend();
      },
    };
  }

  async #loop(chance: SeededRandom): Promise<void> {
    const drawn = this.#table.flatMap((fault) => Array.from({ length: fault.weight }, () => fault));
    while (this.#isRunning) {
      const fault = chance.oneOf(drawn);
      const node = chance.oneOf(this.#cluster.nodes);
      const own = chance.fork();
      const place = fault.place(node);
      if (!this.#busy.has(place)) {
        this.#busy.add(place);
        this.counts.set(fault.name, (this.counts.get(fault.name) ?? 0) + 1);
        try {
          await fault.run(node, own);
        } catch (error) {
          this.violations.push(
            `${fault.name} of ${node.name}: ${String(error)} ${String((error as Error).cause ?? '')}`,
          );
        }
        this.#busy.delete(place);
      }
      await sleep(chance.between(0, 1500));
    }
  }
}
