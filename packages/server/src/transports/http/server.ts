import { setMaxListeners } from 'node:events';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { later, reportFailure } from '../../lib/background.ts';
import { fail } from '../../operation/errors.ts';
import type { Answer } from '../../operation/invoke.ts';
import { basePath, whyNotServed, type Module } from '../../operation/module.ts';
import { bodyOf, failureBody, statusOf } from './answer.ts';
import { bodyLimit } from './body.ts';
import { BodyBudget, NoRoom } from './body-budget.ts';
import { networkOf } from './client-address.ts';
import { Connections } from './connections.ts';
import type { McpAdditions } from '../mcp/additions.ts';
import { addCovers } from './covers.ts';
import { collectBody, ignoreUnwantedBody, takesBody, wantsBody } from './fastify-bodies.ts';
import { drain } from './drain.ts';
import { addEvents } from './events.ts';
import { addGroupedCalls } from './grouped-calls.ts';
import { answerLargeBody, declaresLargeBody, largeBodyMessage } from './large-body.ts';
import { addMcp, largeMcpBody, mcpAddresses } from './mcp.ts';
import { createNodeServer } from './node-server.ts';
import { rejectMalformedRequest } from './not-http.ts';
import { callerOf, Operations, statusOfRefusal } from './operations.ts';
import { addOAuth } from './oauth/index.ts';
import { addPage } from './page.ts';
import { addPages } from './pages.ts';
import { addPublicReads } from './public-reads.ts';
import { requestIdOf } from './request-id.ts';
import { addSignIn } from './sign-in.ts';
import { addSingleSignOn } from './single-sign-on.ts';
import { addFiles } from './storage/add-files.ts';
import { addImports } from './storage/add-imports.ts';
import { storageEndpoint } from './storage/add-storage.ts';

/** Maximum wait for pending answers at shutdown: many process managers kill a process after ten seconds. */
const graceMs = 9_000;

export interface HttpServerOptions {
  /** Additional MCP tools, prompts and resources. */
  readonly additions?: McpAdditions;
}

export interface HttpServer {
  readonly fastify: FastifyInstance;
  listen(): Promise<string>;
  close(): Promise<void>;
}

export function createHttpServer(app: App, { additions }: HttpServerOptions = {}): HttpServer {
  const stopping = new AbortController();
  // Every open stream and every long read adds a listener, so there is no limit.
  setMaxListeners(0, stopping.signal);
  const takenByStorage = storageEndpoint(app);
  const budget = new BodyBudget();
  const operations = new Operations(app, stopping.signal, budget);
  const proxies = app.config.SHEAF_TRUSTED_PROXIES;
  const connections = new Connections(app.registry.server.errors.rate_limited.code, ({ remoteAddress = '' }) =>
    proxies.has(remoteAddress) ? undefined : networkOf(remoteAddress),
  );
  const server = fastify({
    logger: false,
    bodyLimit,
    genReqId: requestIdOf,
    serverFactory: (rest) => createNodeServer({ operations, takenByStorage, connections }, rest),
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 2048 },
    return503OnClosing: false,
    clientErrorHandler: rejectMalformedRequest,
  });
  // All bodies arrive as bytes whatever their content type; each route parses them after authentication.
  server.removeAllContentTypeParsers();
  // Naming the usual type lets Fastify find the parser without parsing the header.
  for (const type of ['*', 'application/json']) server.addContentTypeParser(type, collectBody);
  server.decorateRequest('claim', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    reply
      .header('x-request-id', request.id)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer');
    done();
  });

  // Discard, within limits, the body of a request that was refused before its body was read.
  server.addHook('onResponse', (request, _reply, done) => {
    if (!request.raw.complete) drain(request.raw);
    done();
  });

  server.addHook('preParsing', (request, reply, payload, done) => {
    const limit = request.routeOptions.bodyLimit ?? bodyLimit;
    if (!takesBody(request)) return done(null, ignoreUnwantedBody(request.raw));
    if (!declaresLargeBody(request.raw, limit)) return done(null, payload);
    reply.hijack();
    const answer = app.invoker.failure(
      moduleOf(app, request.url),
      fail('invalid_parameter', largeBodyMessage(limit)),
      request.id,
    );
    answerLargeBody(
      request.raw,
      reply.raw,
      mcpAddresses(app.registry).has(request.routeOptions.url ?? '') ? largeMcpBody : bodyOf(answer, request.id),
      request.id,
    );
  });

  addEvents(server, app, stopping.signal);
  addPublicReads(server, app, stopping.signal);
  addGroupedCalls(server, app, stopping.signal);
  for (const module of app.registry.modules) addUnknownOperations(server, app, module);
  server.post('/openapi/check_skill_update', { ...wantsBody, bodyLimit: 64 * 1024 }, async (_request, reply) =>
    reply.send({ code: 0, msg: 'success', data: {} }),
  );
  addPages(server, app);
  addCovers(server);
  addMcp(server, app, { stopping: stopping.signal, budget, additions });
  addSignIn(server, app);
  addSingleSignOn(server, app);
  addFiles(server, app);
  addImports(server, app);

  const page = addPage(server);
  addOAuth(server, app, page);
  server.setNotFoundHandler(async (request, reply) => {
    if (await page.answer(request, reply)) return reply;
    const place = `${request.method} ${request.url.split('?')[0]!.slice(0, 200)}`;
    return reply
      .code(404)
      .send(failureBody(404, `there is nothing at ${place}; GET /docs lists the operations`, request.id));
  });
  server.setErrorHandler((error: { statusCode?: number; code?: string; message: string }, request, reply) => {
    const answer = transportFailure(app, moduleOf(app, request.url), error, request.id, request.routeOptions.bodyLimit);
    send(reply, answer.status, answer.answer);
  });

  return {
    fastify: server,
    async listen() {
      const { SHEAF_HOST: host, SHEAF_PORT: port } = app.config;
      await server.listen({ host, port });
      // Node emits this error when no file descriptor is left for a new connection.
      server.server.on('error', (error) => reportFailure('accepting connections', error));
      const address = server.server.address();
      const actual = typeof address === 'object' && address ? address.port : port;
      const url = `http://${host.includes(':') ? `[${host}]` : host}:${actual}`;
      app.address.listening(url);
      return url;
    },
    async close() {
      stopping.abort();
      connections.stop();
      const forced = later('closing the last connections', graceMs, () => server.server.closeAllConnections());
      await server.close();
      clearTimeout(forced);
    },
  };
}

/** Answers requests that `Operations` does not handle: unknown names and methods other than POST. */
function addUnknownOperations(server: FastifyInstance, app: App, module: Module): void {
  const base = basePath(module);
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    try {
      await callerOf(app, module, request.raw);
    } catch (error) {
      const answer = app.invoker.failure(module, error, request.id);
      return send(reply, statusOfRefusal(answer, error), answer);
    }
  };
  server.all(`${base}/*`, { onRequest }, async (request, reply) => {
    const name = request.url.split('?')[0]!.slice(base.length + 1, base.length + 101);
    const message = module.operations[name]
      ? `${name} is called with POST, not ${request.method}`
      : (whyNotServed(module, name) ?? `there is no operation ${JSON.stringify(name)} in ${module.name}`);
    return send(reply, 404, app.invoker.failure(module, fail('unknown_operation', message), request.id));
  });
}

function send(reply: FastifyReply, status: number, answer: Answer): FastifyReply {
  if (answer.retryAfter !== undefined) reply.header('retry-after', String(answer.retryAfter));
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(bodyOf(answer, reply.request.id));
}

function moduleOf(app: App, url: string): Module {
  return app.registry.at(url) ?? app.registry.server;
}

/** Converts errors that Fastify raises before a handler runs. */
function transportFailure(
  app: App,
  module: Module,
  error: { statusCode?: number; code?: string; message: string },
  requestId: string,
  limit?: number,
): { status: number; answer: Answer } {
  if (error instanceof NoRoom) return { status: error.status, answer: app.invoker.failure(module, error, requestId) };
  if (error.statusCode === 413) {
    return {
      status: 413,
      answer: app.invoker.failure(module, fail('invalid_parameter', largeBodyMessage(limit)), requestId),
    };
  }
  if (error.statusCode === 415) {
    return {
      status: 415,
      answer: app.invoker.failure(
        module,
        fail('invalid_parameter', 'the request body must be JSON: send content-type application/json'),
        requestId,
      ),
    };
  }
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return {
      status: error.statusCode,
      answer: app.invoker.failure(module, fail('invalid_parameter', error.message), requestId),
    };
  }
  const answer = app.invoker.failure(module, error, requestId);
  return { status: statusOf(answer), answer };
}
