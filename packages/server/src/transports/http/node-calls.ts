import type { FastifyInstance } from 'fastify';
import { Readable } from 'node:stream';
import type { App } from '../../app.ts';
import { maxCallBytes } from '../../ports/node-calls.ts';
import { failureBody } from './answer.ts';
import { readBody } from './request-body.ts';

/**
 * Adds the endpoint for calls that other nodes of this installation forward: `POST /node/v1/<kind>`. A request without
 * a valid signature is answered with 404, as if the path did not exist, before its body is read.
 */
export function addNodeCalls(server: FastifyInstance, app: App): void {
  server.post('/node/v1/:kind', async (request, reply) => {
    const { kind } = request.params as { kind: string };
    const header = request.headers['x-sheaf-node'];
    const refuse = () =>
      reply.code(404).send(failureBody(404, `there is nothing at POST /node/v1/${kind.slice(0, 100)}`, request.id));
    const bodyHash = app.nodeCalls.authenticate(kind, typeof header === 'string' ? header : undefined);
    if (bodyHash === undefined) return refuse();
    const answer = await app.nodeCalls.receive(kind, bodyHash, await readBody(request, { limit: maxCallBytes }));
    if (answer === undefined) return refuse();
    const [type, body] =
      typeof answer === 'string' ? ['application/json', answer] : ['application/x-ndjson', Readable.from(answer)];
    return reply.header('cache-control', 'no-store').type(`${type}; charset=utf-8`).send(body);
  });
}
