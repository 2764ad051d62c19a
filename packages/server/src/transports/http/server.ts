import { setMaxListeners } from 'node:events';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { runDelayed, reportBackgroundError } from '../../lib/background-tasks.ts';
import { fail } from '../../kernel/errors.ts';
import type { Answer } from '../../kernel/invoker.ts';
import { basePath, unsupportedReason, type Module } from '../../kernel/module.ts';
import { bodyOf, failureBody, statusOf } from './answer.ts';
import { bodyLimit } from './json-body.ts';
import { BodyBudget, BodyBudgetExceeded } from './body-memory-budget.ts';
import { networkOf } from './client-address.ts';
import { ConnectionLimits } from './connection-limits.ts';
import type { McpAdditions } from '../mcp/additions.ts';
import { addCoverImages } from './cover-images.ts';
import { collectBody, discardBody, routeAcceptsBody, acceptsBody } from './fastify-body-parser.ts';
import { drainBody } from './drain-body.ts';
import { addEventStreams } from './server-sent-events.ts';
import { addBatchCalls } from './batch-calls.ts';
import { answerContentTooLarge, declaresTooLarge, contentTooLargeMessage } from './content-too-large.ts';
import { addMcp, contentTooLargeRpcBody, mcpPaths } from './mcp-endpoint.ts';
import { createNodeServer } from './node-server.ts';
import { rejectMalformedRequest } from './malformed-request.ts';
import { authenticateCaller, OperationsHandler, errorStatus } from './operations-handler.ts';
import { addOAuth } from './oauth/index.ts';
import { addWebApp } from './web-app.ts';
import { addHealthAndDocs } from './health-and-docs.ts';
import { addPublicLinkEndpoint } from './public-link-endpoint.ts';
import { requestIdOf } from './request-id.ts';
import { addSignIn } from './sign-in.ts';
import { addSingleSignOn } from './single-sign-on.ts';
import { addSignedLinkDownloads } from './storage/signed-link-downloads.ts';
import { addImportUploads } from './storage/import-uploads.ts';
import { createS3Endpoint } from './storage/s3-endpoint.ts';

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
  const takenByStorage = createS3Endpoint(app);
  const budget = new BodyBudget();
  const operations = new OperationsHandler(app, stopping.signal, budget);
  const proxies = app.config.SHEAF_TRUSTED_PROXIES;
  const connections = new ConnectionLimits(
    app.registry.serverModule.errors.rate_limited.code,
    ({ remoteAddress = '' }) => (proxies.has(remoteAddress) ? undefined : networkOf(remoteAddress)),
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
    if (!request.raw.complete) drainBody(request.raw);
    done();
  });

  server.addHook('preParsing', (request, reply, payload, done) => {
    const limit = request.routeOptions.bodyLimit ?? bodyLimit;
    if (!routeAcceptsBody(request)) return done(null, discardBody(request.raw));
    if (!declaresTooLarge(request.raw, limit)) return done(null, payload);
    reply.hijack();
    const answer = app.invoker.toErrorAnswer(
      moduleOf(app, request.url),
      fail('invalid_parameter', contentTooLargeMessage(limit)),
      request.id,
    );
    answerContentTooLarge(
      request.raw,
      reply.raw,
      mcpPaths(app.registry).has(request.routeOptions.url ?? '') ? contentTooLargeRpcBody : bodyOf(answer, request.id),
      request.id,
    );
  });

  addEventStreams(server, app, stopping.signal);
  addPublicLinkEndpoint(server, app, stopping.signal);
  addBatchCalls(server, app, stopping.signal);
  for (const module of app.registry.modules) addUnknownOperations(server, app, module);
  server.post('/openapi/check_skill_update', { ...acceptsBody, bodyLimit: 64 * 1024 }, async (_request, reply) =>
    reply.send({ code: 0, msg: 'success', data: {} }),
  );
  addHealthAndDocs(server, app);
  addCoverImages(server);
  addMcp(server, app, { stopping: stopping.signal, budget, additions });
  addSignIn(server, app);
  addSingleSignOn(server, app);
  addSignedLinkDownloads(server, app);
  addImportUploads(server, app);

  const page = addWebApp(server);
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
      server.server.on('error', (error) => reportBackgroundError('accepting connections', error));
      const address = server.server.address();
      const actual = typeof address === 'object' && address ? address.port : port;
      const url = `http://${host.includes(':') ? `[${host}]` : host}:${actual}`;
      app.publicUrl.setListeningUrl(url);
      return url;
    },
    async close() {
      stopping.abort();
      connections.stop();
      const forced = runDelayed('closing the last connections', graceMs, () => server.server.closeAllConnections());
      await server.close();
      clearTimeout(forced);
    },
  };
}

/** Answers requests that `OperationsHandler` does not handle: unknown names and methods other than POST. */
function addUnknownOperations(server: FastifyInstance, app: App, module: Module): void {
  const base = basePath(module);
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    try {
      await authenticateCaller(app, module, request.raw);
    } catch (error) {
      const answer = app.invoker.toErrorAnswer(module, error, request.id);
      return send(reply, errorStatus(answer, error), answer);
    }
  };
  server.all(`${base}/*`, { onRequest }, async (request, reply) => {
    const name = request.url.split('?')[0]!.slice(base.length + 1, base.length + 101);
    const message = module.operations[name]
      ? `${name} is called with POST, not ${request.method}`
      : (unsupportedReason(module, name) ?? `there is no operation ${JSON.stringify(name)} in ${module.name}`);
    return send(reply, 404, app.invoker.toErrorAnswer(module, fail('unknown_operation', message), request.id));
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
  return app.registry.findByPath(url) ?? app.registry.serverModule;
}

/** Converts errors that Fastify raises before a handler runs. */
function transportFailure(
  app: App,
  module: Module,
  error: { statusCode?: number; code?: string; message: string },
  requestId: string,
  limit?: number,
): { status: number; answer: Answer } {
  if (error instanceof BodyBudgetExceeded)
    return { status: error.status, answer: app.invoker.toErrorAnswer(module, error, requestId) };
  if (error.statusCode === 413) {
    return {
      status: 413,
      answer: app.invoker.toErrorAnswer(module, fail('invalid_parameter', contentTooLargeMessage(limit)), requestId),
    };
  }
  if (error.statusCode === 415) {
    return {
      status: 415,
      answer: app.invoker.toErrorAnswer(
        module,
        fail('invalid_parameter', 'the request body must be JSON: send content-type application/json'),
        requestId,
      ),
    };
  }
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return {
      status: error.statusCode,
      answer: app.invoker.toErrorAnswer(module, fail('invalid_parameter', error.message), requestId),
    };
  }
  const answer = app.invoker.toErrorAnswer(module, error, requestId);
  return { status: statusOf(answer), answer };
}
