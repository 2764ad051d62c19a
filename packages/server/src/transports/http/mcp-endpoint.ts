import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import type { Caller } from '../../context.ts';
import { runInNextTurn } from '../../lib/background-tasks.ts';
import { Failure } from '../../kernel/errors.ts';
import type { Registry } from '../../kernel/module.ts';
import { McpHandler } from '../mcp/mcp-handler.ts';
import type { ToolSelection } from '../mcp/tool-list.ts';
import type { JsonRpcMessage } from '../mcp/json-rpc.ts';
import type { McpAdditions } from '../mcp/additions.ts';
import { latestVersion } from '../mcp/request-meta.ts';
import { isJson, mayHoldNul, readJson } from './json-body.ts';
import { BodyBudgetExceeded, type BodyBudget } from './body-memory-budget.ts';
import { clientAddress } from './client-address.ts';
import { readCredentials } from './credentials.ts';
import { acceptsBody } from './fastify-body-parser.ts';
import { contentTooLargeMessage } from './content-too-large.ts';
import { McpStream } from './mcp-stream.ts';
import { bearerChallenge, oauthBaseUrl, scopeChallenge } from './oauth/protected-resource.ts';
import { queryParameter } from './query-parameter.ts';
import { CrossSiteError, refuseCrossSite } from './csrf.ts';
import { isTrustedHost, isTrustedOrigin, untrustedHostMessage } from './trusted-hosts.ts';
import { disconnectSignal } from './disconnect-signal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
  }
}

const nothing = new Uint8Array();
const parseError = -32700;
const invalidRequest = -32600;
const unauthorized = -32001;
const serverError = -32000;
const jsonType = 'application/json';
const encodedAtOnce = 2 ** 20;
/** The MCP paths: our own, and those built into clients of older services. */
export function mcpPaths({ modules }: Registry): ReadonlyMap<string, Partial<ToolSelection>> {
  const older = modules.flatMap(({ name, mcpAddress }): [string, Partial<ToolSelection>][] =>
    mcpAddress === undefined ? [] : [[mcpAddress, { modules: [name], dotted: true, specifiedOnly: true }]],
  );
  return new Map([['/mcp', {}], ['/openapi/mcp', { tools: 'all' }], ...older]);
}

export const contentTooLargeRpcBody = rpcErrorBody(invalidRequest, contentTooLargeMessage());

/** Writing and encoding an answer of megabytes takes long, so the two steps run in separate turns of the event loop. */
function sendJson(reply: FastifyReply, text: string): void {
  reply.header('content-type', jsonType);
  if (text.length <= encodedAtOnce) reply.send(text);
  else runInNextTurn('sending a long answer', () => void reply.send(Buffer.from(text)));
}

export interface McpOptions {
  readonly stopping: AbortSignal;
  readonly budget: BodyBudget;
  readonly additions?: McpAdditions;
}

/**
 * Stateless Streamable HTTP: each POST is answered with one JSON document. Subscriptions, and calls that request
 * progress and accept event streams, are answered with a stream.
 */
export function addMcp(server: FastifyInstance, app: App, { stopping, budget, additions }: McpOptions): void {
  const maxValues = Math.max(...app.registry.entries().map(({ operation }) => operation.maxValues ?? 0)) || undefined;
  const numbers = app.registry.serverModule.errors;
  const addresses = mcpPaths(app.registry);
  server.decorateRequest('caller', undefined);
  const guard = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { host, origin } = request.headers;
    const publicUrl = app.config.SHEAF_PUBLIC_URL;
    if (!isTrustedHost(host, publicUrl)) rpcError(reply, 403, invalidRequest, untrustedHostMessage(host));
    else if (!isTrustedOrigin(origin, host, publicUrl))
      rpcError(
        reply,
        403,
        invalidRequest,
        `pages from the Origin ${JSON.stringify(origin!.slice(0, 100))} may not call this server`,
      );
  };
  const callerOf = async (request: FastifyRequest): Promise<Caller> => {
    const credentials = readCredentials(
      request.headers,
      app.config.SHEAF_HEADER_PREFIXES,
      clientAddress(app, request.raw),
      true,
      oauthBaseUrl(app, request.raw) === undefined ? undefined : request.routeOptions.url,
    );
    const caller = await app.authenticator.authenticate({
      ...credentials,
      expected: 'the header "Authorization: Bearer <API key>"',
    });
    if (caller.via === 'session') refuseCrossSite(app, request);
    return caller;
  };
  const authenticate = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    try {
      request.caller = await callerOf(request);
      request.claim = budget.openUntilResponseEnds(request.caller.userId, reply.raw);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error instanceof CrossSiteError) return rpcError(reply, 403, invalidRequest, error.message);
      const limited = error.word === 'rate_limited';
      if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter));
      if (!limited) reply.header('www-authenticate', bearerChallenge(app, request.raw, request.routeOptions.url!));
      rpcError(
        reply,
        limited ? 429 : 401,
        unauthorized,
        `${numbers[limited ? 'rate_limited' : 'unauthenticated'].code}: ${error.message}`,
      );
    }
  };

  const handlerFor = (request: FastifyRequest, stream: McpStream, found: { mayHoldNul: boolean }): McpHandler => {
    const modules = queryParameter(request, 'modules');
    const version = headerOf(request, 'mcp-protocol-version');
    const isModern = version === latestVersion;
    return new McpHandler(app, {
      caller: request.caller!,
      requestId: request.id,
      // In versions before 2026-07-28, a disconnect does not cancel a call.
      signal: isModern ? disconnectSignal(stream.response, stopping) : stopping,
      listed: {
        tools: queryParameter(request, 'tools'),
        modules: modules ? modules.split(',') : undefined,
        dotted: queryParameter(request, 'names') === 'dotted',
        ...addresses.get(request.routeOptions.url!),
      },
      confirms: queryParameter(request, 'confirm') !== 'never',
      links: queryParameter(request, 'links') !== 'never',
      headers: { version, method: headerOf(request, 'mcp-method'), name: headerOf(request, 'mcp-name') },
      notify: (message) => stream.send(message),
      acceptsStreams: request.headers.accept?.includes('text/event-stream') ?? false,
      reauthenticate: () => callerOf(request),
      additions,
      // A getter, because the value is known only after the body is read.
      get holdsNul() {
        return found.mayHoldNul;
      },
    });
  };

  // Not an async function: it would hold the body in memory while the call runs, which may take minutes.
  const answer = (path: string) =>
    server.post(
      path,
      {
        ...acceptsBody,
        onRequest: [guard, authenticate],
        errorHandler: (error, _request, reply) => refuseBody(app, error, reply),
      },
      (request, reply): void => {
        const contentType = request.headers['content-type'];
        if (contentType !== undefined && !isJson(contentType))
          return rpcError(reply, 415, invalidRequest, `send content-type application/json (got ${contentType})`);
        const stream = new McpStream(reply);
        const { handler, message } = begin(request, stream);
        message
          .then(
            (read) => handler.handle(read as JsonRpcMessage | JsonRpcMessage[]),
            (error: Error) => rpcError(reply, 400, parseError, error.message),
          )
          .then((answer) => {
            if (stream.isOpen) return stream.end(answer);
            if (reply.sent) return;
            if (handler.wantsProgress && handler.status === 200) return stream.end(answer);
            if (handler.retryAfter !== undefined) reply.header('retry-after', String(handler.retryAfter));
            if (handler.scope !== undefined)
              reply.header(
                'www-authenticate',
                scopeChallenge(app, request.raw, request.routeOptions.url!, handler.scope),
              );
            reply.statusCode = handler.status;
            if (answer === undefined) reply.code(202).send();
            else sendJson(reply, JSON.stringify(answer));
          })
          .catch((error: unknown) => reply.send(error));
      },
    );

  /** Takes the body out of the request and starts reading it. */
  function begin(request: FastifyRequest, stream: McpStream): { handler: McpHandler; message: Promise<unknown> } {
    const bytes = (request.body as Uint8Array | undefined) ?? nothing;
    request.body = undefined;
    // NUL is allowed here; tool calls check their arguments later, when the tool and thus its error code are known.
    const found = { mayHoldNul: mayHoldNul(bytes) };
    const handler = handlerFor(request, stream, found);
    try {
      return { handler, message: Promise.resolve(readJson(bytes, { nulAllowed: true, maxValues, found })) };
    } catch (error) {
      return { handler, message: Promise.reject(error as Error) };
    }
  }

  const refuse = (path: string) =>
    server.route({
      method: ['GET', 'DELETE', 'PUT', 'PATCH'],
      url: path,
      onRequest: [guard],
      handler: (_request, reply) =>
        rpcError(reply.header('allow', 'POST'), 405, invalidRequest, 'this endpoint is stateless: use POST'),
    });

  for (const path of addresses.keys()) {
    answer(path);
    refuse(path);
  }
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Answers a request whose body was not read: it is too long, or memory is short. */
function refuseBody(app: App, error: Error & { statusCode?: number }, reply: FastifyReply): void {
  if (error instanceof BodyBudgetExceeded)
    return rpcError(
      reply.header('retry-after', String(error.retryAfter)),
      error.status,
      serverError,
      `${app.registry.serverModule.errors.rate_limited.code}: ${error.message}`,
    );
  if (error.statusCode === 413) return rpcError(reply, 413, invalidRequest, contentTooLargeMessage());
  throw error;
}

function rpcError(reply: FastifyReply, status: number, code: number, message: string): void {
  const isModern = headerOf(reply.request, 'mcp-protocol-version') === latestVersion;
  reply
    .code(status)
    .header('content-type', jsonType)
    .send(rpcErrorBody(code, message, isModern));
}

/** Since 2026-07-28, an unknown id is left out instead of null. */
function rpcErrorBody(code: number, message: string, isModern = false): string {
  return JSON.stringify({ jsonrpc: '2.0', ...(isModern ? {} : { id: null }), error: { code, message } });
}
