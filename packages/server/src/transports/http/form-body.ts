import type { FastifyRequest } from 'fastify';

/** The fields of an HTML form; undefined for another content type. */
export function parseForm(request: FastifyRequest): URLSearchParams | undefined {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers['content-type'] ?? '')) return undefined;
  return new URLSearchParams(Buffer.from((request.body as Uint8Array | undefined) ?? []).toString('utf8'));
}
