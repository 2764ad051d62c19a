import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { bodyLimit } from './body.ts';
import type { BodyClaim } from './body-budget.ts';
import { drain } from './drain.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The memory of its body, where it may be large. */
    claim: BodyClaim | undefined;
  }
}

/** Stands with the routes that read a body; all others, those that do not exist among them, never hold one. */
export const wantsBody = { config: { wantsBody: true } } as const;

export function takesBody(request: FastifyRequest): boolean {
  return (request.routeOptions.config as { wantsBody?: boolean }).wantsBody === true;
}

/** Lets a body that nobody asked for run dry, within limits, while the answer goes out: not a byte of it is kept. */
export function ignoreUnwantedBody(request: IncomingMessage): Readable {
  if (!request.complete) drain(request);
  // Fastify compares what it read with what was announced.
  const nothing: Readable & { receivedEncodedLength?: number } = Readable.from([]);
  nothing.receivedEncodedLength = Number(request.headers['content-length'] ?? 0);
  return nothing;
}

/** Reads a body as bytes, within the route's limit and the caller's share of memory. */
export function collectBody(request: FastifyRequest, payload: Readable): Promise<Buffer> {
  if (!takesBody(request)) return Promise.resolve(Buffer.alloc(0));
  const limit = request.routeOptions.bodyLimit ?? bodyLimit;
  return new Promise((resolve, reject) => {
    let pieces: Buffer[] = [];
    let size = 0;
    const take = (piece: Buffer): void => {
      size += piece.length;
      try {
        if (size > limit) throw Object.assign(new Error('the body is too large'), { statusCode: 413 });
        request.claim?.grow(size);
        pieces.push(piece);
      } catch (error) {
        stop();
        drain(request.raw);
        reject(error as Error);
      }
    };
    const end = (): void => {
      const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, size);
      stop();
      resolve(bytes);
    };
    const stop = (): void => {
      pieces = [];
      // Whoever can still end the promise holds what it came to.
      payload.off('data', take).off('end', end).off('error', reject);
    };
    payload.on('data', take).on('end', end).on('error', reject);
    try {
      request.claim?.grow(Number(request.headers['content-length'] ?? 0));
    } catch (error) {
      stop();
      drain(request.raw);
      reject(error as Error);
    }
  });
}
