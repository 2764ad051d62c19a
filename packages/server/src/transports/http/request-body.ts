import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { runDelayed } from '../../lib/background-tasks.ts';
import { HttpFailure } from './answer.ts';
import type { IncomingRequest } from './incoming-request.ts';

export const bodyLimit = 16 * 2 ** 20;

/**
 * Thrown when a body is longer than the limit. `isDeclared` is true if the Content-Length exceeds the limit, and false
 * if the received bytes do.
 */
export class ContentTooLarge extends HttpFailure {
  readonly isDeclared: boolean;

  constructor(limit: number, isDeclared: boolean) {
    super(413, 'invalid_parameter', `the request body is larger than ${limit} bytes`);
    this.isDeclared = isDeclared;
  }
}

/**
 * Function that reserves memory for a request body. `bytes` is the total, including bytes reserved earlier. Throws an
 * HttpFailure if too little memory is free.
 */
export type ReserveBytes = (bytes: number) => void;

interface BodyOptions {
  readonly limit?: number;
  readonly reserve?: ReserveBytes;
}

/**
 * Throws if the Content-Length is over the limit. Otherwise, if `reserve` is given, reserves memory for the body before
 * it is read.
 */
export function checkDeclaredLength(request: IncomingMessage, { limit = bodyLimit, reserve }: BodyOptions): void {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) throw new ContentTooLarge(limit, true);
  reserve?.(declared);
}

const nothing = Buffer.alloc(0);

/**
 * Collects a body as bytes. Calls `done` with them or `refuse` with an error, once. Calls neither if the client
 * disconnects.
 */
export function collectBody(
  request: IncomingRequest,
  { limit = bodyLimit, reserve }: BodyOptions,
  done: (bytes: Buffer) => void,
  refuse: (error: unknown) => void,
): void {
  let pieces: Buffer[] = [];
  let size = 0;
  // Detach the body handler, because the request object lives until the answer and must not keep the bytes in memory.
  const stop = (): void => {
    pieces = [];
    request.detachBodyHandler();
  };
  request.onBodyChunk((piece) => {
    if (piece === null) {
      const bytes = pieces.length > 1 ? Buffer.concat(pieces, size) : (pieces[0] ?? nothing);
      stop();
      return done(bytes);
    }
    size += piece.length;
    try {
      if (size > limit) throw new ContentTooLarge(limit, false);
      reserve?.(size);
      pieces.push(piece);
    } catch (error) {
      stop();
      refuse(error);
    }
  });
}

/** Reads the body of a Fastify request. Fastify itself reads no bodies; each route calls this after authentication. */
export function readBody({ raw }: FastifyRequest, options: BodyOptions = {}): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    checkDeclaredLength(raw, options);
    collectBody(raw as IncomingRequest, options, resolve, reject);
  });
}

/**
 * Answers 413 while the body is still arriving. If the connection were closed while the client is sending, the client
 * would lose the answer. The connection therefore stays open until the body is read or a limit is reached.
 */
export function answerContentTooLarge(
  request: IncomingMessage,
  response: ServerResponse,
  body: string | Buffer,
  requestId: string,
): void {
  response.writeHead(413, {
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  response.write(body);
  drainBody(request, () => response.end());
}

/**
 * Maximum number of bytes of a refused body to read. Reading it lets the client receive the answer instead of a
 * connection reset.
 */
const maxDrainedBytes = 32 * 2 ** 20;
const maxDrainMs = 5_000;

/**
 * Discards the rest of a body. Closes the connection if the rest exceeds a size or a time limit. Always calls
 * `whenDone` at the end.
 */
export function drainBody(request: IncomingMessage, whenDone: () => void = () => undefined): void {
  let left = maxDrainedBytes;
  let isDone = false;
  const timer = runDelayed('ending an unwanted body', maxDrainMs, () => request.destroy());
  const done = (): void => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    whenDone();
  };
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  request.on('error', () => undefined);
  request.on('end', done).on('close', done);
  request.resume();
}

/**
 * Maximum total number of bytes of the large request bodies in memory. It keeps bodies and their parsed values far
 * below a typical server's memory.
 */
const totalBytes = 128 * 2 ** 20;
/**
 * Size in bytes up to which bodies do not count towards the memory limit and are not refused because of it. Nearly all
 * bodies are this small.
 */
const uncountedBytes = 64 * 1024;
const retrySeconds = 1;

/**
 * Limits the memory used by large request bodies from the first byte until the answer is sent. A caller gets at most
 * half of the memory that other callers leave free, so that another caller always gets some.
 */
export class BodyBudget {
  readonly #total: number;
  readonly #held = new Map<string, number>();
  #sum = 0;

  constructor(total: number = totalBytes) {
    this.#total = total;
  }

  open(caller: string): BodyClaim {
    return new BodyClaim((bytes) => this.#take(caller, bytes));
  }

  /**
   * Returns a function that reserves memory for a body. It must be called with the total number of bytes received so
   * far. The memory stays reserved until the answer is sent or the connection closes. Short bodies need no reservation.
   */
  reserve(caller: string, response: ServerResponse): ReserveBytes {
    let claim: BodyClaim | undefined;
    return (bytes) => {
      if (bytes <= uncountedBytes) return;
      if (claim === undefined) {
        const opened = this.open(caller);
        response.once('close', () => opened.release());
        claim = opened;
      }
      claim.grow(bytes);
    };
  }

  get reservedBytes(): number {
    return this.#sum;
  }

  #take(caller: string, bytes: number): void {
    const own = this.#held.get(caller) ?? 0;
    if (bytes > 0) {
      const share = Math.floor((this.#total - (this.#sum - own)) / 2);
      if (own + bytes > share) {
        const isOwn = share >= bytes;
        const told = `${isOwn ? 'your request bodies' : 'the request bodies of others'} fill the memory reserved for them`;
        // Answer 429 if the caller's own bodies use up its share, and 503 if other callers' bodies do.
        throw new HttpFailure(
          isOwn ? 429 : 503,
          isOwn ? 'rate_limited' : 'busy',
          `${told} (${bytes} bytes asked for); try again in ${retrySeconds} s`,
          retrySeconds,
        );
      }
    }
    this.#sum += bytes;
    if (own + bytes > 0) this.#held.set(caller, own + bytes);
    else this.#held.delete(caller);
  }
}

class BodyClaim {
  readonly #take: (bytes: number) => void;
  #held = 0;

  constructor(take: (bytes: number) => void) {
    this.#take = take;
  }

  /**
   * Reserves memory for a request body: `bytes` in total, including the bytes reserved before. Throws an HttpFailure
   * if too little memory is free.
   */
  grow(bytes: number): void {
    if (bytes <= uncountedBytes || bytes <= this.#held) return;
    this.#take(bytes - this.#held);
    this.#held = bytes;
  }

  release(): void {
    if (this.#held > 0) this.#take(-this.#held);
    this.#held = 0;
  }
}
