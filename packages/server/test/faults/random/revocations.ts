/** Keys that are made, used and revoked all the time: once revoking is acknowledged, no node lets the key in. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';
import type { Callers, Reached } from './callers.ts';

export class Revocations {
  readonly #callers: Callers;
  readonly #cluster: { readonly nodes: readonly Reached[] };
  readonly #chance: SeededRandom;
  #loop: Promise<void> | undefined;
  count = 0;

  constructor(callers: Callers, cluster: { readonly nodes: readonly Reached[] }, chance: SeededRandom) {
    this.#callers = callers;
    this.#cluster = cluster;
    this.#chance = chance;
  }

  begin(): void {
    this.#loop = this.#run();
  }

  async end(): Promise<void> {
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (this.#callers.isRunning) {
      await this.#round();
      await sleep(100);
    }
  }

  async #round(): Promise<void> {
    const callers = this.#callers;
    const some = () => callers.someNode(this.#chance);
    const made = await callers.call(some(), 'account', 'create_key', { name: 'soon gone' });
    if (made.kind !== 'done') return;
    const { key, api_key: apiKey } = made.data as { key: { key_id: string; client_id: string }; api_key: string };
    const own = { userId: '', clientId: key.client_id, apiKey };
    // Every node has let it in and remembers it.
    await Promise.all(this.#cluster.nodes.map((node) => callers.call(node, 'account', 'get_me', {}, { key: own })));
    const revoked = await callers.call(some(), 'account', 'revoke_key', { key_id: key.key_id });
    if (revoked.kind !== 'done') return;
    this.count++;
    for (const node of this.#cluster.nodes) {
      const after = await callers.call(node, 'account', 'get_me', {}, { key: own });
      if (after.kind === 'done') callers.violations.push(`${node.name} let a key in that had been revoked`);
    }
  }
}
