import type { FastifyInstance } from 'fastify';
import { renderCover } from '../../lib/cover-image.ts';

const year = 365 * 24 * 60 * 60;

/**
 * Serves generated covers for objects without a cover image. No access check: the URL contains everything that the
 * picture shows.
 */
export function addCoverImages(server: FastifyInstance): void {
  server.get('/covers/:name', async (request, reply) => {
    const picture = renderCover(request.url.split('?')[0]!);
    if (!picture) return reply.callNotFound();
    return reply.header('cache-control', `public, max-age=${year}, immutable`).type('image/png').send(picture);
  });
}
