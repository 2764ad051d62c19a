import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyLimit } from './json-body.ts';
import { drainBody } from './drain-body.ts';

export const contentTooLargeMessage = (limit: number = bodyLimit): string =>
  `the request body is larger than ${limit} bytes`;

export function declaresTooLarge(request: IncomingMessage, limit: number = bodyLimit): boolean {
  return Number(request.headers['content-length'] ?? 0) > limit;
}

/**
 * Answers 413 while the body is still arriving. The answer is sent at once, but the connection stays open until the
 * body is read or a limit is reached: closing it while the client is sending would lose the answer.
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
