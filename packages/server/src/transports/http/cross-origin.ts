import type { FastifyInstance, FastifyReply } from 'fastify';

/** Seconds for which a browser may remember a preflight answer; Chromium allows no more. */
const preflightSeconds = '7200';
const requestHeaders =
  'accept, authorization, content-type, idempotency-key, last-event-id, mcp-method, mcp-name, mcp-protocol-version, ' +
  'mcp-session-id';
const readableHeaders = 'mcp-protocol-version, retry-after, www-authenticate';

/**
 * Lets a page of any origin read the answer. It allows no credentials, so that a browser neither sends cookies nor
 * shows the page an answer to a request with cookies.
 */
export function allowAnyOrigin(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', readableHeaders);
}

/** Answers the preflight requests that browsers send before a page of another origin may use the path. */
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
