import { expect } from 'vitest';
import type { Answer, Callable, Key } from '@sheaf/tools/testing/call-client.ts';
import { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';
import { IpAddressSet } from '../../src/lib/ip-address-set.ts';
import { Model, type ModelLink, type Thing } from './model.ts';

export const people = 5;

/** Configuration by which visitors of public links have addresses of their own. */
export const manyVisitors = { SHEAF_TRUSTED_PROXIES: new IpAddressSet(['127.0.0.0/8', '::1']) };

/** Operations whose answers may hold ids of what the caller once wrote and may no longer see. */
const ownRecords: ReadonlySet<string> = new Set(['account.list_audit']);

/**
 * A random program on the nodes of one installation. Every call goes to any node, over HTTP or MCP, and no answer may
 * hold a word, a title or an id that the model hides from the caller.
 */
export class Program {
  readonly nodes: readonly Callable[];
  readonly owner: Key;
  readonly seed: number;
  readonly model = new Model();
  readonly users: Key[] = [];
  readonly userNames = new Map<string, string>();
  readonly log: string[] = [];
  /** Ids that stand in the texts of notes, as addresses. */
  readonly writtenIds = new Set<string>();
  calls = 0;
  readonly #random: SeededRandom;

  constructor(nodes: readonly Callable[], owner: Key, seed: number) {
    this.nodes = nodes;
    this.owner = owner;
    this.seed = seed;
    this.#random = new SeededRandom(seed);
  }

  fraction(): number {
    return this.#random.fraction();
  }

  pick<One>(list: readonly One[]): One {
    return this.#random.oneOf(list);
  }

  chance(probability: number): boolean {
    return this.#random.happens(probability);
  }

  /** A word far from every other, so that search does not take it for a misspelling of one. */
  newWord(): string {
    return Array.from({ length: 14 }, () => this.pick([...'bcdfghjklmnpqrtvwxz'])).join('');
  }

  /** Returns the key of a user, also of one whose account is closed. */
  userOf(id: string): Key {
    return this.users.find(({ userId }) => userId === id)!;
  }

  get active(): Key[] {
    return this.users.filter(({ userId }) => !this.model.closed.has(userId));
  }

  isActive(id: string): boolean {
    return !this.model.closed.has(id);
  }

  say(line: string): void {
    this.log.push(line);
    if (this.log.length > 40) this.log.shift();
  }

  where(): string {
    return `seed ${this.seed}; the last steps:\n${this.log.slice(-14).join('\n')}`;
  }

  call(name: string, input: object, as: Key, node: Callable = this.pick(this.nodes)): Promise<Answer> {
    return this.callOver(this.chance(0.3) ? 'mcp' : 'http', name, input, as, node);
  }

  async callOver(
    surface: 'http' | 'mcp',
    name: string,
    input: object,
    as: Key,
    node: Callable = this.pick(this.nodes),
  ): Promise<Answer> {
    const [module, operation] = name.split('.') as [string, string];
    this.calls += 1;
    const answer = await node.call(surface, module, operation, input, as);
    this.check(`${name} over ${surface}`, input, JSON.stringify(answer), as, {
      isRefused: answer.code !== 0,
      withIds: !ownRecords.has(name),
    });
    return answer;
  }

  async done(name: string, input: object, as: Key): Promise<any> {
    const answer = await this.call(name, input, as);
    expect([name, answer.code, answer.msg], this.where()).toEqual([name, 0, 'success']);
    return answer.data;
  }

  /** Fails if a text that a user was sent holds what the model hides from the user. A refusal may repeat the input. */
  check(
    what: string,
    input: object,
    text: string,
    { userId }: Pick<Key, 'userId'>,
    { isRefused = false, withIds = true } = {},
  ): void {
    const sent = JSON.stringify(input);
    const isNew = (secret: string): boolean => !(isRefused && sent.includes(secret));
    const foreign = this.model.memories.filter((one) => one.userId !== userId && !sent.includes(one.word));
    const told = foreign.filter(({ id, word }) => text.includes(word) || (withIds && text.includes(id)));
    expect(told, `${what} of ${sent} shows ${userId} what somebody else noted; ${this.where()}`).toEqual([]);
    for (const thing of this.model.things) {
      const leaked = [
        ...(text.includes(thing.word) && isNew(thing.word) && !this.model.mayKnowWord(userId, thing)
          ? [thing.word]
          : []),
        ...thing.names.filter((name) => text.includes(name) && isNew(name) && !this.model.mayKnowName(userId, thing)),
        ...(withIds &&
        text.includes(thing.id) &&
        !sent.includes(thing.id) &&
        !this.writtenIds.has(thing.id) &&
        !this.model.mayKnowName(userId, thing)
          ? [thing.id]
          : []),
      ];
      expect(leaked, `${what} of ${sent} shows ${userId} the ${thing.kind} ${nameOf(thing)}; ${this.where()}`).toEqual(
        [],
      );
    }
  }

  /** Reads by a link from an address of its own, which no limit on requests stops. */
  async visit(link: ModelLink, read: string, input: object): Promise<{ code: number; text: string }> {
    const module = { note: 'note', notebook: 'note', base: 'wiki', sheet: 'sheet' }[link.thing.kind];
    const address = `10.${this.pick(bytes)}.${this.pick(bytes)}.${this.pick(bytes)}`;
    this.calls += 1;
    const response = await fetch(`${this.pick(this.nodes).url}/public/${module}/v1/${read}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-sheaf-link': link.secret, 'x-forwarded-for': address },
      body: JSON.stringify(input),
    });
    const text = await response.text();
    const message = `${read} of ${JSON.stringify(input)} by a link to ${nameOf(link.thing)}; ${this.where()}`;
    expect(response.status, `${text.slice(0, 300)}: ${message}`).not.toBe(429);
    for (const one of this.model.things) {
      if (text.includes(one.word)) expect(this.model.shows(link, one), `${one.word}: ${message}`).toBe(true);
      for (const name of one.names)
        if (text.includes(name)) expect(this.model.showsName(link, one), `${name}: ${message}`).toBe(true);
    }
    return { code: (JSON.parse(text) as { code: number }).code, text };
  }
}

const bytes = Array.from({ length: 256 }, (_, byte) => byte);

export function nameOf({ names }: Thing): string {
  return names.at(-1)!;
}
