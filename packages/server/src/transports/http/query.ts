import type { FastifyRequest } from 'fastify';

/** A parameter of the address; of one that stands there twice, the first. */
export function queryOf(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, string | string[] | undefined>)[name];
  return Array.isArray(value) ? value[0] : value;
}
