import { setMaxListeners } from 'node:events';
import { fastify, type FastifyInstance } from 'fastify';
import type { App } from '../../app.ts';
import { runDelayed, reportBackgroundError } from '../../lib/background-tasks.ts';
import { fail } from '../../kernel/errors.ts';
import { basePath, unsupportedReason, type Module } from '../../kernel/module.ts';
import type { McpAdditions } from '../mcp/additions.ts';
import { bodyOf, errorStatus, failureBody, HttpFailure, sendAnswer } from './answer.ts';
import { authenticateCaller } from './authenticate.ts';
import { addBatchCalls } from './batch-calls.ts';
import { ConnectionLimits } from './connection-limits.ts';
import { addHealthAndDocs } from './health-and-docs.ts';
import { rejectMalformedRequest } from './malformed-request.ts';
import { addMcp } from './mcp-endpoint.ts';
import { addNodeCalls } from './node-calls.ts';
import { createNodeServer } from './node-server.ts';
import { addAuthorizationEndpoint } from './oauth/authorization-endpoint.ts';
import { addMetadataEndpoints } from './oauth/metadata-endpoints.ts';
import { addServerCard } from './server-card.ts';
import { addTokenEndpoints } from './oauth/token-endpoints.ts';
import { OperationsHandler } from './operations-handler.ts';
import { addPublicLinkEndpoint } from './public-link-endpoint.ts';
import { networkOf, requestIdOf } from './request.ts';
import { answerContentTooLarge, BodyBudget, bodyLimit, ContentTooLarge, drainBody, readBody } from './request-body.ts';
import { addLiveUpdateEndpoints } from './live-update-endpoints.ts';
import { addSignInEndpoints } from './sign-in-endpoints.ts';
import { addSingleSignOn } from './single-sign-on.ts';
import { addImportUploads } from './storage/import-uploads.ts';
import { createS3Endpoint } from './storage/s3-endpoint.ts';
import { addSignedLinkDownloads } from './storage/signed-link-downloads.ts';
import { addWebApp } from './web-app.ts';

/**
 * Maximum wait in milliseconds for pending answers at shutdown. Many process managers kill a process after ten seconds.
 */
const graceMs = 9_000;

export interface HttpServerOptions {
  readonly additions?: McpAdditions;
}

export interface HttpServer {
  readonly fastify: FastifyInstance;
  listen(): Promise<string>;
  close(): Promise<void>;
}

export function createHttpServer(app: App, { additions }: HttpServerOptions = {}): HttpServer {
  const stopping = new AbortController();
  // Allow any number of listeners, because every open stream and every long read adds one.
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
    serverFactory: (rest) => createNodeServer({ operations, takenByStorage, connections, tracer: app.tracer }, rest),
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 2048 },
    return503OnClosing: false,
    clientErrorHandler: rejectMalformedRequest,
  });
  server.removeAllContentTypeParsers();
  // Leave bodies unread, because each route reads its body after authentication. Naming the usual content type lets
  // Fastify find this parser without parsing the header.
  for (const type of ['*', 'application/json'])
    server.addContentTypeParser(type, (_request, _payload, done) => done(null));
  server.addHook('onRequest', (request, reply, done) => {
    reply
      .header('x-request-id', request.id)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer');
    done();
  });

  // Discard a body that no route has read, up to the size and time limits of drainBody.
  server.addHook('onResponse', (request, _reply, done) => {
    if (!request.raw.complete) drainBody(request.raw);
    done();
  });

  addLiveUpdateEndpoints(server, app, stopping.signal);
  addPublicLinkEndpoint(server, app, stopping.signal);
  addBatchCalls(server, app, stopping.signal);
  for (const module of app.registry.modules) addUnknownOperations(server, app, module);
  server.post('/openapi/check_skill_update', async (request, reply) => {
    await readBody(request, { limit: 64 * 1024 });
    return reply.send({ code: 0, msg: 'success', data: {} });
  });
  addNodeCalls(server, app);
  addHealthAndDocs(server, app);
  addMcp(server, app, { stopping: stopping.signal, budget, additions });
  addSignInEndpoints(server, app);
  addSingleSignOn(server, app);
  addSignedLinkDownloads(server, app);
  addImportUploads(server, app);

  const page = addWebApp(server);
  addMetadataEndpoints(server, app);
  addServerCard(server, app);
  addAuthorizationEndpoint(server, app, page);
  addTokenEndpoints(server, app);
  server.setNotFoundHandler(async (request, reply) => {
    if (await page.answer(request, reply)) return reply;
    const place = `${request.method} ${request.url.split('?')[0]!.slice(0, 200)}`;
    return reply
      .code(404)
      .send(failureBody(404, `there is nothing at ${place}; GET /docs lists the operations`, request.id));
  });
  server.setErrorHandler((error: { statusCode?: number; message: string }, request, reply) => {
    const failure = fastifyFailure(error);
    const answer = app.invoker.toErrorAnswer(moduleOf(app, request.url), failure, request.id);
    if (!(failure instanceof ContentTooLarge) || !failure.isDeclared)
      return sendAnswer(reply, errorStatus(answer, failure), answer);
    reply.hijack();
    answerContentTooLarge(request.raw, reply.raw, bodyOf(answer, request.id), request.id);
  });

  return {
    fastify: server,
    async listen() {
      const { SHEAF_HOST: host, SHEAF_PORT: port } = app.config;
      await server.listen({ host, port });
      // Report errors of the listening socket. Node emits one when no file descriptor is left for a new connection.
      server.server.on('error', (error) => reportBackgroundError('accepting connections', error));
      const address = server.server.address();
      const actual = typeof address === 'object' && address ? address.port : port;
      const url = `http://${host.includes(':') ? `[${host}]` : host}:${actual}`;
      app.publicUrl.setListeningUrl(url);
      app.nodeAddress.setListeningUrl(url);
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

/**
 * Answers requests below a module's path that `OperationsHandler` does not handle: unknown operations and methods other
 * than POST.
 */
function addUnknownOperations(server: FastifyInstance, app: App, module: Module): void {
  const base = basePath(module);
  server.all(`${base}/*`, async (request) => {
    await authenticateCaller(app, request.raw, module);
    const name = request.url.split('?')[0]!.slice(base.length + 1, base.length + 101);
    const message = module.operations[name]
      ? `${name} is called with POST, not ${request.method}`
      : (unsupportedReason(module, name) ?? `there is no operation ${JSON.stringify(name)} in ${module.name}`);
    throw fail('unknown_operation', message);
  });
}

function moduleOf(app: App, url: string): Module {
  return app.registry.findByPath(url) ?? app.registry.serverModule;
}

/**
 * Converts an error that Fastify raises itself, such as for an invalid request, to an HttpFailure. Returns any other
 * error, including server faults, unchanged.
 */
function fastifyFailure(error: { statusCode?: number; message: string }): unknown {
  const { statusCode: status = 500, message } = error;
  if (status >= 500) return error;
  return new HttpFailure(
    status,
    'invalid_parameter',
    status === 415 ? 'the request body must be JSON: send content-type application/json' : message,
  );
}
