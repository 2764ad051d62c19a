import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import type { Caller } from '../../context.ts';
import { randomText } from '../../lib/ids.ts';
import { fail } from '../../operation/errors.ts';
import type { Answer } from '../../operation/invoke.ts';
import { basePath, type Entry, type Module } from '../../operation/module.ts';
import { RawJson } from '../../operation/raw-json.ts';
import { bodyLimit, isJson, parseJson } from './body.ts';
import { credentialsOf } from './credentials.ts';
import { addEvents } from './events.ts';
import { addMcp } from './mcp.ts';
import { addPage } from './page.ts';
import { addPages } from './pages.ts';
import { refuseForeignSite } from './same-site.ts';
import { addSignIn } from './sign-in.ts';
import { addFiles } from './storage/add-files.ts';
import { addImports } from './storage/add-imports.ts';
import { storageEndpoint } from './storage/add-storage.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
  }
}

/** Unique across nodes and restarts by its random part, and cheap: drawing random bytes for every request is not. */
const requestIdPart = randomText(10);
let requests = 0;
function nextRequestId(): string {
  return requestIdPart + (++requests).toString(36).padStart(6, '0');
}

/** How long a stop waits for answers that are under way. */
const graceMs = 10_000;

export interface HttpServer {
  readonly fastify: FastifyInstance;
  listen(): Promise<string>;
  close(): Promise<void>;
}

export function createHttpServer(app: App): HttpServer {
  const server = fastify({
    logger: false,
    bodyLimit,
    genReqId: (request) => {
      const sent = request.headers['x-request-id'];
      return typeof sent === 'string' && /^[\w.-]{1,64}$/.test(sent) ? sent : nextRequestId();
    },
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 2048 },
    return503OnClosing: false,
  });
  server.decorateRequest('caller', undefined);
  // Every body arrives as bytes, whatever its declared type: each route decides, after authentication.
  server.removeAllContentTypeParsers();
  // The usual type is named as well: fastify then finds its parser without taking the header apart.
  for (const type of ['*', 'application/json']) server.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const takenByStorage = storageEndpoint(app);
  server.addHook('onRequest', (request, reply, done) => {
    if (takenByStorage(request, reply)) return;
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer');
    done();
  });
  const stopping = new AbortController();

  if (app.registry.module('sheet')) addEvents(server, app, stopping.signal);
  for (const module of app.registry.modules) addModule(server, app, module, stopping.signal);
  server.post('/openapi/check_skill_update', async (_request, reply) => reply.send({ code: 0, msg: 'success', data: {} }));
  addPages(server, app);
  addMcp(server, app, stopping.signal);
  addSignIn(server, app);
  addFiles(server, app);
  addImports(server, app);

  const page = addPage(server);
  server.setNotFoundHandler(async (request, reply) => {
    if (await page.answer(request, reply)) return reply;
    return reply.code(404).send({ code: 404, msg: `there is nothing at ${request.method} ${request.url.split('?')[0]!.slice(0, 200)}; GET /docs lists the operations`, data: {} });
  });
  server.setErrorHandler((error: { statusCode?: number; code?: string; message: string }, request, reply) => {
    const answer = transportFailure(app, moduleOf(app, request.url), error, request.id);
    send(reply, answer.status, answer.answer);
  });

  return {
    fastify: server,
    async listen() {
      const { SHEAF_HOST: host, SHEAF_PORT: port } = app.config;
      await server.listen({ host, port });
      const address = server.server.address();
      const actual = typeof address === 'object' && address ? address.port : port;
      const url = `http://${host.includes(':') ? `[${host}]` : host}:${actual}`;
      app.address.listening(url);
      return url;
    },
    async close() {
      stopping.abort();
      const forced = setTimeout(() => server.server.closeAllConnections(), graceMs);
      await server.close();
      clearTimeout(forced);
    },
  };
}

function addModule(server: FastifyInstance, app: App, module: Module, stopping: AbortSignal): void {
  const base = basePath(module);
  const onRequest = (request: FastifyRequest, reply: FastifyReply, done: () => void) => authenticate(app, module, request, reply, done);
  for (const name of Object.keys(module.operations)) {
    const entry = app.registry.get(module.name, name)!;
    server.post(`${base}/${name}`, { onRequest }, (request, reply) => handle(app, entry, request, reply, stopping));
  }
  server.all(`${base}/*`, { onRequest }, (request, reply) => {
    const name = request.url.split('?')[0]!.slice(base.length + 1, base.length + 101);
    const message = module.operations[name] ? `${name} is called with POST, not ${request.method}` : `there is no operation ${JSON.stringify(name)} in ${module.name}`;
    send(reply, 404, app.invoker.failure(module, fail('unknown_operation', message), request.id));
  });
}

/** Before the body is read: nobody without a key makes the server read or parse anything. */
function authenticate(app: App, module: Module, request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const accept = (caller: Caller): void => {
    if (caller.via === 'session') refuseForeignSite(app, request);
    request.caller = caller;
    done();
  };
  const refuse = (error: unknown): void => {
    const answer = app.invoker.failure(module, error, request.id);
    send(reply, statusOf(answer), answer);
  };
  try {
    const bearer = module.name === 'sheet' || module.name === 'manage';
    const caller = app.authenticator.caller(credentialsOf(request.headers, app.config.SHEAF_HEADER_PREFIXES, request.ip, bearer));
    // Not awaited when it is known: fastify then reads the body as it comes in, without keeping it first.
    if (caller instanceof Promise) caller.then(accept).catch(refuse);
    else accept(caller);
  } catch (error) {
    refuse(error);
  }
}

/** Answers itself and returns nothing: fastify waits for a returned reply to end, which costs as much as the call. */
async function handle(app: App, entry: Entry, request: FastifyRequest, reply: FastifyReply, stopping: AbortSignal): Promise<void> {
  const { module } = entry;
  const bytes = (request.body as Uint8Array | undefined) ?? new Uint8Array();
  if (bytes.length > 0 && !isJson(request.headers['content-type'])) {
    const error = fail('invalid_parameter', `the request body must be JSON: send content-type application/json (got ${request.headers['content-type'] ?? 'none'})`);
    send(reply, 415, app.invoker.failure(module, error, request.id));
    return;
  }
  let raw: unknown;
  try {
    raw = parseJson(bytes);
  } catch (error) {
    send(reply, 200, app.invoker.failure(module, error, request.id));
    return;
  }
  const idempotencyKey = request.headers['idempotency-key'];
  const answer = await app.invoker.invoke(entry, raw, {
    caller: request.caller!,
    requestId: request.id,
    signal: stopping,
    idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : undefined,
  });
  send(reply, statusOf(answer), answer);
}

export function statusOf(answer: Answer): number {
  switch (answer.word) {
    case 'unauthenticated':
      return 401;
    case 'rate_limited':
      return 429;
    case 'unknown_operation':
      return 404;
    case 'internal':
      return 500;
    default:
      return 200;
  }
}

const jsonType = 'application/json; charset=utf-8';
const before = '{"code":0,"msg":"success","data":';
const bytesBefore = Buffer.from(before);
const bytesAfter = Buffer.from('}');

function send(reply: FastifyReply, status: number, answer: Answer): FastifyReply {
  if (answer.retryAfter !== undefined) reply.header('retry-after', String(answer.retryAfter));
  if (answer.version !== undefined) reply.header('x-sheaf-version', String(answer.version));
  reply.code(status).header('content-type', jsonType);
  const { code, msg, data } = answer;
  if (data instanceof RawJson) return reply.send(Buffer.concat([bytesBefore, data.bytes, bytesAfter]));
  return reply.send(code === 0 ? `${before}${JSON.stringify(data)}}` : JSON.stringify({ code, msg, data }));
}

function moduleOf(app: App, url: string): Module {
  const name = /^\/openapi\/([a-z]+)\//.exec(url)?.[1] ?? '';
  return app.registry.module(name) ?? app.registry.modules[0]!;
}

/** Failures that fastify itself raises before a handler runs. */
function transportFailure(app: App, module: Module, error: { statusCode?: number; code?: string; message: string }, requestId: string): { status: number; answer: Answer } {
  if (error.statusCode === 413) {
    return { status: 413, answer: app.invoker.failure(module, fail('invalid_parameter', `the request body is larger than ${bodyLimit} bytes`), requestId) };
  }
  if (error.statusCode === 415) {
    return { status: 415, answer: app.invoker.failure(module, fail('invalid_parameter', 'the request body must be JSON: send content-type application/json'), requestId) };
  }
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return { status: error.statusCode, answer: app.invoker.failure(module, fail('invalid_parameter', error.message), requestId) };
  }
  const answer = app.invoker.failure(module, error, requestId);
  return { status: statusOf(answer), answer };
}
