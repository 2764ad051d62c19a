/** Calls to nodes that may be dead, frozen or cut off, and what can be known of them afterwards. */
import type { Key } from '@sheaf/tools/testing/call-client.ts';
import type { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';

/** Longer than any fault lasts together with what a node waits for: whoever waits longer was forgotten. */
const callMs = 60_000;
const retries = 200;

type Data = Record<string, any>;

/** A node as its callers know it. */
export interface Reached {
  readonly name: string;
  readonly url: string;
}

export type Outcome =
  | { readonly kind: 'done'; readonly data: Data }
  /** It was refused for a reason that has nothing to do with the faults: nothing was changed. */
  | { readonly kind: 'refused'; readonly why: string; readonly wasApplied: boolean }
  /** Nobody knows whether it was done. */
  | { readonly kind: 'unknown'; readonly why: string };

export interface CallOptions {
  readonly key?: Key;
  readonly idempotencyKey?: string;
}

export class Callers {
  readonly #nodes: readonly Reached[];
  readonly #key: Key;
  #isOver = false;
  #calls = 0;
  #unknown = 0;
  #slowestMs = 0;
  /** What no fault excuses: an internal error, or no answer at all. */
  readonly violations: string[] = [];

  constructor(nodes: readonly Reached[], key: Key) {
    this.#nodes = nodes;
    this.#key = key;
  }

  get figures(): string {
    return `${this.#calls} calls, ${this.#unknown} without an answer, the slowest ${(this.#slowestMs / 1000).toFixed(1)} s`;
  }

  /** Whether callers are to go on. */
  get isRunning(): boolean {
    return !this.#isOver;
  }

  end(): void {
    this.#isOver = true;
  }

  /** After an end: callers may begin again. */
  goOn(): void {
    this.#isOver = false;
  }

  someNode(chance: SeededRandom): Reached {
    return chance.oneOf(this.#nodes);
  }

  async call(
    node: Reached,
    module: string,
    operation: string,
    input: object,
    { key = this.#key, idempotencyKey }: CallOptions = {},
  ): Promise<Outcome> {
    const began = performance.now();
    this.#calls++;
    const outcome = await this.#send(node, module, operation, input, key, idempotencyKey);
    this.#slowestMs = Math.max(this.#slowestMs, performance.now() - began);
    if (outcome.kind === 'unknown') this.#unknown++;
    return outcome;
  }

  /** The same call again, over any node, until it is known to be done. */
  async persist(
    chance: SeededRandom,
    module: string,
    operation: string,
    input: object,
    name: string,
  ): Promise<Outcome> {
    let outcome: Outcome = { kind: 'unknown', why: 'not tried' };
    for (let turn = 0; turn < retries; turn++) {
      outcome = await this.call(this.someNode(chance), module, operation, input, { idempotencyKey: name });
      if (outcome.kind !== 'unknown') return outcome;
      await new Promise((resolve) => setTimeout(resolve, chance.between(50, 400)));
    }
    this.violations.push(
      `${operation} was tried ${retries} times in vain: ${outcome.kind === 'unknown' ? outcome.why : ''}`,
    );
    return outcome;
  }

  /** When everything is mended: must succeed. */
  async must(module: string, operation: string, input: object, node = this.#nodes[0]!): Promise<Data> {
    const outcome = await this.call(node, module, operation, input);
    if (outcome.kind !== 'done') throw new Error(`${operation} over ${node.name}: ${outcome.why}`);
    return outcome.data;
  }

  async #send(
    node: Reached,
    module: string,
    operation: string,
    input: object,
    key: Key,
    idempotencyKey: string | undefined,
  ): Promise<Outcome> {
    try {
      const response = await fetch(`${node.url}/openapi/${module}/v1/${operation}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'svc-openapi-clientid': key.clientId,
          'svc-openapi-apikey': key.apiKey,
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        body: JSON.stringify(input),
        signal: AbortSignal.timeout(callMs),
      });
      const { code, msg, data } = (await response.json()) as { code: number; msg: string; data?: Data };
      const why = `${response.status} ${code} ${msg}`;
      if (code === 0) return { kind: 'done', data: data ?? {} };
      if (response.status === 500) this.violations.push(`${operation} over ${node.name}: ${why}`);
      // Busy, whatever the module's number for it: whoever lost the database in the middle does not know what it did.
      if (response.status >= 500 || response.headers.has('retry-after')) return { kind: 'unknown', why };
      return { kind: 'refused', why, wasApplied: data?.['applied'] === true };
    } catch (error) {
      if ((error as Error).name === 'TimeoutError')
        this.violations.push(`${operation} over ${node.name} was not answered within ${callMs} ms`);
      return { kind: 'unknown', why: String((error as Error).cause ?? error) };
    }
  }
}
