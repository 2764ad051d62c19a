import type { FastifyRequest } from 'fastify';

/** A query parameter; the first value if it is repeated. */
export function queryParameter(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, string | string[] | undefined>)[name];
  return Array.isArray(value) ? value[0] : value;
}
