import type { FastifyInstance } from 'fastify';
import type { App } from '../../app.ts';
import { fail } from '../../kernel/errors.ts';
import { sendAnswer, statusOf } from './answer.ts';
import { parseShortJsonBody } from './json-body.ts';
import { clientAddress } from './request.ts';
import { readBody } from './request-body.ts';

/** Header with the secret of a public link. The secret is not in the URL, because proxies log URLs. */
const linkHeader = 'x-sheaf-link';
const bodyLimit = 4 * 1024;

/**
 * Adds the read operations for visitors with a public link: `POST /public/<module>/v1/<read>`. API keys and cookies are
 * ignored.
 */
export function addPublicLinkEndpoint(server: FastifyInstance, app: App, stopping: AbortSignal): void {
  for (const module of app.registry.modules) {
    if (!module.publicReads) continue;
    server.post(`/public/${module.name}/v1/:read`, async (request, reply) => {
      const body = await readBody(request, { limit: bodyLimit });
      reply
        .header('cache-control', 'no-store')
        .header('x-robots-tag', 'noindex, nofollow, noarchive')
        .type('application/json; charset=utf-8');
      try {
        const secret = request.headers[linkHeader];
        if (typeof secret !== 'string' || secret === '')
          throw fail(
            'unauthenticated',
            `${linkHeader}: is required; it holds what follows # in the address of the link`,
          );
        const input = parseShortJsonBody(body);
        if (typeof input !== 'object' || input === null || Array.isArray(input))
          throw fail('invalid_parameter', 'the request body must be a JSON object');
        const data = await app.publicLinkInvoker.read(module, {
          secret,
          address: clientAddress(app, request.raw),
          read: (request.params as { read: string }).read,
          input: input as Record<string, unknown>,
          requestId: request.id,
          signal: stopping,
        });
        return await reply.send({ code: 0, msg: 'success', data });
      } catch (error) {
        const answer = app.invoker.toErrorAnswer(module, error, request.id);
        return sendAnswer(reply, statusOf(answer), { ...answer, data: {} });
      }
    });
  }
}
