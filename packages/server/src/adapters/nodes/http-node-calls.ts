import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { NodeAddress } from '../../lib/node-address.ts';
import { runDelayed } from '../../lib/background-tasks.ts';
import { sha256 } from '../../lib/hash.ts';
import { splitJsonLines } from '../../lib/json-lines.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  NodeUnavailable,
  type NodeCallHandler,
  type NodeCallReceiver,
  type NodeCalls,
  type NodeStreamHandler,
} from '../../ports/node-calls.ts';
import { derivePurposeKey } from '../crypto/derive-key.ts';

const timeoutMs = 5000;
/** Time in milliseconds without data after which a node that streams its answer counts as lost. */
const silentMs = 4000;
const graceMs = 300;
/**
 * Heartbeat interval in milliseconds of a node that streams its answer. The node sends an empty line if it has sent
 * nothing else.
 */
const beatMs = 1000;
const maxAnswerBytes = 8 * 2 ** 20;
/**
 * Maximum difference in milliseconds between the time in a call's signature and the receiver's clock. It covers both
 * the age of the call and the clock difference between the nodes.
 */
const maxAgeMs = 60_000;
const maxNonces = 200_000;

/**
 * Sends calls to other nodes (servers of the same installation) over HTTP and receives theirs. Each call is signed with
 * a key derived from the installation's secret. The signature covers the time, a nonce, the target node's address, the
 * kind of call and the hash of the body. A node accepts each nonce only once, so that calls cannot be replayed.
 */
export class HttpNodeCalls implements NodeCalls, NodeCallReceiver {
  readonly #key: Buffer;
  readonly #clock: Clock;
  readonly #address: NodeAddress;
  readonly #handlers = new Map<string, NodeCallHandler>();
  readonly #streams = new Map<string, NodeStreamHandler>();
  /**
   * Maps the nonce of each accepted call to the time after which a replay of the call is refused because of its age
   * alone.
   */
  readonly #accepted = new Map<string, number>();

  constructor(secret: Uint8Array, clock: Clock, address: NodeAddress) {
    this.#key = derivePurposeKey(secret, 'node call');
    this.#clock = clock;
    this.#address = address;
  }

  handle(kind: string, handler: NodeCallHandler): void {
    this.#handlers.set(kind, handler);
  }

  handleStream(kind: string, handler: NodeStreamHandler): void {
    this.#streams.set(kind, handler);
  }

  async call(address: string, kind: string, body: unknown): Promise<unknown> {
    const response = await this.#post({ address, kind }, JSON.stringify(body), AbortSignal.timeout(timeoutMs));
    return answerOf(address, async () => JSON.parse(await readLimited(response)) as unknown);
  }

  async *stream(address: string, kind: string, body: Uint8Array): AsyncGenerator {
    const silence = new AbortController();
    let grace: NodeJS.Timeout | undefined;
    // Wait a grace period before giving up. This node may have been too busy to read data that it has already received.
    const timer = runDelayed('listening for a silent node', silentMs, () => {
      grace = runDelayed('giving up a silent node', graceMs, () => silence.abort());
    });
    const hear = (): void => {
      clearTimeout(grace);
      timer.refresh();
    };
    try {
      const response = await this.#post({ address, kind }, body, silence.signal);
      const chunks = heard(response, hear);
      const lines = splitJsonLines(chunks);
      for (;;) {
        const { done, value } = await answerOf(address, () => lines.next());
        if (done) return;
        if (value !== '') yield JSON.parse(value) as unknown;
      }
    } finally {
      clearTimeout(timer);
      clearTimeout(grace);
      silence.abort();
    }
  }

  async #post(
    { address, kind }: { address: string; kind: string },
    body: string | Uint8Array,
    signal: AbortSignal,
  ): Promise<Response> {
    const parts = { at: this.#clock.now(), nonce: randomBytes(16).toString('hex'), bodyHash: sha256(body) };
    const signature = this.#sign(parts, address, kind);
    const response = await answerOf(address, () =>
      fetch(`${address}/node/v1/${kind}`, {
        method: 'POST',
        headers: {
          'content-type': typeof body === 'string' ? 'application/json' : 'application/octet-stream',
          'x-sheaf-node': [parts.at, parts.nonce, parts.bodyHash, signature].join('.'),
        },
        body: body as string | Uint8Array<ArrayBuffer>,
        redirect: 'error',
        signal,
      }),
    );
    if (response.status === 200) return response;
    await response.body?.cancel();
    throw new NodeUnavailable(`${address} answered ${response.status}`, { isUnbegun: response.status === 404 });
  }

  authenticate(kind: string, header: string | undefined): string | undefined {
    const [at = '', nonce = '', bodyHash = '', signature = '', ...rest] = (header ?? '').split('.');
    if (rest.length > 0 || !/^\d{1,16}$/.test(at) || !/^[\da-f]{32}$/.test(nonce)) return undefined;
    if (!this.#handlers.has(kind) && !this.#streams.has(kind)) return undefined;
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

  async receive(kind: string, bodyHash: string, body: Uint8Array): Promise<string | AsyncIterable<string> | undefined> {
    if (sha256(body) !== bodyHash) return undefined;
    const streams = this.#streams.get(kind);
    if (streams) return linesOf(streams(body));
    const handler = this.#handlers.get(kind);
    return handler && JSON.stringify(await handler(JSON.parse(Buffer.from(body).toString('utf8'))));
  }

  #sign(parts: { at: number; nonce: string; bodyHash: string }, address: string, kind: string): string {
    const signed = JSON.stringify([parts.at, parts.nonce, parts.bodyHash, address, kind]);
    return createHmac('sha256', this.#key).update(signed).digest('hex');
  }
}

/** Runs a step of a call to another node. Converts a failure to NodeUnavailable. */
async function answerOf<Result>(address: string, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof NodeUnavailable) throw error;
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    throw new NodeUnavailable(`${address} did not answer`, { cause: error, isUnbegun: code === 'ECONNREFUSED' });
  }
}

async function* heard(response: Response, hear: () => void): AsyncGenerator<Uint8Array> {
  for await (const piece of response.body ?? []) {
    hear();
    yield piece as Uint8Array;
  }
}

/**
 * Yields each part of a streamed answer as a line of JSON. Yields an empty line as a heartbeat while no part is ready.
 */
async function* linesOf(parts: AsyncIterable<unknown>): AsyncGenerator<string> {
  const iterator = parts[Symbol.asyncIterator]();
  let next = iterator.next();
  for (;;) {
    const part = await orBeat(next);
    if (part === undefined) yield '\n';
    else if (part.done) return;
    else {
      yield `${JSON.stringify(part.value)}\n`;
      next = iterator.next();
    }
  }
}

/** Awaits the next part of an answer. Returns undefined if a heartbeat is due first. */
async function orBeat<Part>(next: Promise<Part>): Promise<Part | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const beat = new Promise<undefined>((resolve) => {
    timer = runDelayed('telling that a call is worked on', beatMs, () => resolve(undefined));
  });
  try {
    return await Promise.race([next, beat]);
  } finally {
    clearTimeout(timer);
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
