import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { bodyLimit } from './json-body.ts';
import type { BodyClaim } from './body-memory-budget.ts';
import { drainBody } from './drain-body.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Memory claim of the body, if the body may be large. */
    claim: BodyClaim | undefined;
  }
}

/** Marks routes that read a body; requests to all other paths are never buffered. */
export const acceptsBody = { config: { wantsBody: true } } as const;

export function routeAcceptsBody(request: FastifyRequest): boolean {
  return (request.routeOptions.config as { wantsBody?: boolean }).wantsBody === true;
}

/** Discards an unexpected body, within limits, while the answer is sent; none of it is buffered. */
export function discardBody(request: IncomingMessage): Readable {
  if (!request.complete) drainBody(request);
  // Fastify compares the received length with Content-Length.
  const nothing: Readable & { receivedEncodedLength?: number } = Readable.from([]);
  nothing.receivedEncodedLength = Number(request.headers['content-length'] ?? 0);
  return nothing;
}

/** Reads a body as bytes, within the route's limit and the caller's memory budget. */
export function collectBody(request: FastifyRequest, payload: Readable): Promise<Buffer> {
  if (!routeAcceptsBody(request)) return Promise.resolve(Buffer.alloc(0));
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
        drainBody(request.raw);
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
      // Remove the listeners: their closures hold the promise and thereby the body.
      payload.off('data', take).off('end', end).off('error', reject);
    };
    payload.on('data', take).on('end', end).on('error', reject);
    try {
      request.claim?.grow(Number(request.headers['content-length'] ?? 0));
    } catch (error) {
      stop();
      drainBody(request.raw);
      reject(error as Error);
    }
  });
}
