import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { NodeAddress } from '../../lib/node-address.ts';
import { sha256 } from '../../lib/hash.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  NodeUnavailable,
  type NodeCallHandler,
  type NodeCallReceiver,
  type NodeCalls,
} from '../../ports/node-calls.ts';
import { derivePurposeKey } from '../crypto/derive-key.ts';

const timeoutMs = 5000;
const maxAnswerBytes = 8 * 2 ** 20;
/** Greatest difference in milliseconds between the clocks of two nodes, and age of a call. */
const maxAgeMs = 60_000;
const maxNonces = 200_000;

/**
 * Calls between nodes over HTTP. A call carries a signature by a key that is derived from the secret of the installation,
 * over its time, a random number, the address of the node it is for, its kind and the hash of its body. A node accepts
 * each signature once.
 */
export class HttpNodeCalls implements NodeCalls, NodeCallReceiver {
  readonly #key: Buffer;
  readonly #clock: Clock;
  readonly #address: NodeAddress;
  readonly #handlers = new Map<string, NodeCallHandler>();
  /** Random numbers of accepted calls, with the time after which they are too old to be accepted anyway. */
  readonly #accepted = new Map<string, number>();

  constructor(secret: Uint8Array, clock: Clock, address: NodeAddress) {
    this.#key = derivePurposeKey(secret, 'node call');
    this.#clock = clock;
    this.#address = address;
  }

  handle(kind: string, handler: NodeCallHandler): void {
    this.#handlers.set(kind, handler);
  }

  async call(address: string, kind: string, body: unknown): Promise<unknown> {
    const text = JSON.stringify(body);
    const parts = { at: this.#clock.now(), nonce: randomBytes(16).toString('hex'), bodyHash: sha256(text) };
    const signature = this.#sign(parts, address, kind);
    try {
      const response = await fetch(`${address}/node/v1/${kind}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-sheaf-node': [parts.at, parts.nonce, parts.bodyHash, signature].join('.'),
        },
        body: text,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (response.status !== 200) throw new NodeUnavailable(`${address} answered ${response.status}`);
      return JSON.parse(await readLimited(response)) as unknown;
    } catch (error) {
      if (error instanceof NodeUnavailable) throw error;
      throw new NodeUnavailable(`${address} did not answer`, { cause: error });
    }
  }

  authenticate(kind: string, header: string | undefined): string | undefined {
    const [at = '', nonce = '', bodyHash = '', signature = '', ...rest] = (header ?? '').split('.');
    if (rest.length > 0 || !/^\d{1,16}$/.test(at) || !/^[\da-f]{32}$/.test(nonce) || !this.#handlers.has(kind))
      return undefined;
    const expected = Buffer.from(this.#sign({ at: Number(at), nonce, bodyHash }, this.#address.url, kind));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const now = this.#clock.now();
    if (Math.abs(now - Number(at)) > maxAgeMs || this.#accepted.has(nonce)) return undefined;
    for (const [old, until] of this.#accepted) {
      if (until > now && this.#accepted.size < maxNonces) break;
      this.#accepted.delete(old);
    }
    this.#accepted.set(nonce, now + 2 * maxAgeMs);
    return bodyHash;
  }

  async receive(kind: string, bodyHash: string, body: Uint8Array): Promise<string | undefined> {
    const text = Buffer.from(body).toString('utf8');
    if (sha256(text) !== bodyHash) return undefined;
    const handler = this.#handlers.get(kind);
    if (!handler) return undefined;
    return JSON.stringify(await handler(JSON.parse(text)));
  }

  #sign(parts: { at: number; nonce: string; bodyHash: string }, address: string, kind: string): string {
    const signed = JSON.stringify([parts.at, parts.nonce, parts.bodyHash, address, kind]);
    return createHmac('sha256', this.#key).update(signed).digest('hex');
  }
}

async function readLimited(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    const bytes = piece as Uint8Array;
    size += bytes.length;
    if (size > maxAnswerBytes) throw new NodeUnavailable('the answer of the other node is too long');
    pieces.push(bytes);
  }
  return Buffer.concat(pieces).toString('utf8');
}
