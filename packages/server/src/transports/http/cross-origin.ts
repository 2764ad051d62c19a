import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Time in seconds for which a browser may cache a preflight answer. Chromium allows no more. */
const preflightSeconds = '7200';
const requestHeaders =
  'accept, authorization, content-type, idempotency-key, last-event-id, mcp-method, mcp-name, mcp-protocol-version, ' +
  'mcp-session-id';
const readableHeaders = 'mcp-protocol-version, retry-after, www-authenticate';

/**
 * Allows pages of any origin to read the answer. Credentials are not allowed, so browsers hide the answer from the page
 * if they sent cookies with the request.
 */
export function allowAnyOrigin(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', readableHeaders);
}

/** Answers the CORS preflight requests for a path that pages of other origins may call. */
export function addPreflight(server: FastifyInstance, path: string, method: 'GET' | 'POST'): void {
  server.options(path, (_request, reply) => {
    allowAnyOrigin(reply);
    return reply
      .code(204)
      .header('access-control-allow-methods', method)
      .header('access-control-allow-headers', requestHeaders)
      .header('access-control-max-age', preflightSeconds)
      .send();
  });
}

/** Adds a document that needs no authentication and that pages of any origin may read. */
export function addPublicDocument(
  server: FastifyInstance,
  path: string,
  answer: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): void {
  server.get(path, { onRequest: async (_request, reply) => allowAnyOrigin(reply) }, answer);
  addPreflight(server, path, 'GET');
}
