import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import type { Caller } from '../../context.ts';
import { runInNextTurn } from '../../lib/background-tasks.ts';
import { Failure } from '../../kernel/errors.ts';
import type { Registry } from '../../kernel/module.ts';
import type { McpAdditions } from '../mcp/additions.ts';
import type { JsonRpcMessage } from '../mcp/json-rpc.ts';
import { McpHandler } from '../mcp/mcp-handler.ts';
import { latestVersion } from '../mcp/request-meta.ts';
import { readMcpOptions, type ToolSelection } from '../mcp/tool-list.ts';
import { HttpFailure } from './answer.ts';
import { addPreflight, allowAnyOrigin } from './cross-origin.ts';
import { authenticateCaller, readCookie, sessionCookie } from './authenticate.ts';
import { isTrustedHost, isTrustedOrigin, untrustedHostMessage } from './csrf.ts';
import { McpStream } from './event-stream.ts';
import { isJson, mayHoldNul, parseJsonBody, type JsonOptions } from './json-body.ts';
import { bearerChallenge, hasBearerToken, scopeChallenge } from './oauth/protected-resource.ts';
import { disconnectSignal, firstHeader, queryParameter } from './request.ts';
import { answerContentTooLarge, ContentTooLarge, readBody, type BodyBudget } from './request-body.ts';

const parseError = -32700;
const invalidRequest = -32600;
const unauthorized = -32001;
const serverError = -32000;
const jsonType = 'application/json';
const encodedAtOnce = 2 ** 20;
/** Path that web pages of other origins may call with a bearer token. */
export const crossOriginPath = '/mcp';

/**
 * Returns the MCP paths and the tools that each path offers. Besides our own paths, these are paths that are built into
 * clients of older services.
 */
export function mcpPaths({ modules }: Registry): ReadonlyMap<string, Partial<ToolSelection>> {
  const older = modules.flatMap(({ name, mcpAddress }): [string, Partial<ToolSelection>][] =>
    mcpAddress === undefined ? [] : [[mcpAddress, { modules: [name], dotted: true, specifiedOnly: true }]],
  );
  return new Map([[crossOriginPath, {}], ['/openapi/mcp', { tools: 'all' }], ...older]);
}

/**
 * Sends a JSON text. A long text is encoded in the next turn of the event loop, because serializing and encoding
 * megabytes in one turn would block other requests too long.
 */
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
 * Adds the MCP endpoint (stateless Streamable HTTP). A POST is normally answered with one JSON document. Subscriptions,
 * and calls that request progress and accept event streams, are answered with an event stream.
 */
export function addMcp(server: FastifyInstance, app: App, { stopping, budget, additions }: McpOptions): void {
  const maxValues = Math.max(...app.registry.entries().map(({ operation }) => operation.maxValues ?? 0)) || undefined;
  const numbers = app.registry.serverModule.errors;
  const addresses = mcpPaths(app.registry);
  const guard = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { host, origin } = request.headers;
    const publicUrl = app.config.SHEAF_PUBLIC_URL;
    if (!isTrustedHost(host, publicUrl)) return rpcError(reply, 403, invalidRequest, untrustedHostMessage(host));
    if (isTrustedOrigin(origin, host, publicUrl)) return;
    const page = `pages from the Origin ${JSON.stringify(origin!.slice(0, 100))}`;
    if (request.routeOptions.url !== crossOriginPath)
      return rpcError(
        reply,
        403,
        invalidRequest,
        `${page} may not call this address; they may call ${crossOriginPath}`,
      );
    allowAnyOrigin(reply);
    if (hasBearerToken(request.raw)) return;
    if (readCookie(request.headers, sessionCookie) !== undefined)
      return rpcError(reply, 403, invalidRequest, `${page} may not use a session; they need a bearer token`);
    // This WWW-Authenticate header tells a client in a browser where to get a token.
    reply.header('www-authenticate', bearerChallenge(app, request.raw, crossOriginPath));
    rpcError(reply, 401, unauthorized, `${page} need the header "Authorization: Bearer <token>"`);
  };
  const callerOf = async (request: FastifyRequest): Promise<Caller> =>
    authenticateCaller(app, request.raw, {
      bearerKeys: true,
      resource: request.routeOptions.url,
      expected: 'the header "Authorization: Bearer <API key>"',
    });
  const refuseCaller = (error: unknown, request: FastifyRequest, reply: FastifyReply): undefined => {
    if (!(error instanceof Failure)) throw error;
    if (error instanceof HttpFailure) return rpcError(reply, error.status, invalidRequest, error.message);
    const limited = error.word === 'rate_limited';
    if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter));
    if (!limited) reply.header('www-authenticate', bearerChallenge(app, request.raw, request.routeOptions.url!));
    rpcError(
      reply,
      limited ? 429 : 401,
      unauthorized,
      `${numbers[limited ? 'rate_limited' : 'unauthenticated'].code}: ${error.message}`,
    );
  };

  const handlerFor = (
    request: FastifyRequest,
    caller: Caller,
    stream: McpStream,
    found: { mayHoldNul: boolean },
  ): McpHandler => {
    const options = readMcpOptions((name) => queryParameter(request, name));
    const version = firstHeader(request, 'mcp-protocol-version');
    const isModern = version === latestVersion;
    return new McpHandler(app, {
      ...options,
      caller,
      requestId: request.id,
      // Cancel calls when a client of version 2026-07-28 or later disconnects. Earlier protocol versions do not allow
      // this.
      signal: isModern ? disconnectSignal(stream.response, stopping) : stopping,
      listed: { ...options.listed, ...addresses.get(request.routeOptions.url!) },
      headers: { version, method: firstHeader(request, 'mcp-method'), name: firstHeader(request, 'mcp-name') },
      notify: (message) => stream.send(message),
      acceptsStreams: request.headers.accept?.includes('text/event-stream') ?? false,
      reauthenticate: () => callerOf(request),
      additions,
      // Use a getter, because the value is known only after the body has been parsed.
      get holdsNul() {
        return found.mayHoldNul;
      },
    });
  };

  // Use promise callbacks instead of an async function. An async function would keep the body in memory while the call
  // runs, which may take minutes.
  const receive = (request: FastifyRequest, reply: FastifyReply, caller: Caller, bytes: Buffer): void => {
    const contentType = request.headers['content-type'];
    if (contentType !== undefined && !isJson(contentType))
      return rpcError(reply, 415, invalidRequest, `send content-type application/json (got ${contentType})`);
    const stream = new McpStream(reply);
    // Accept NUL characters when parsing the message. Tool calls reject them later, when the tool and therefore the
    // right error code are known.
    const found = { mayHoldNul: mayHoldNul(bytes) };
    const handler = handlerFor(request, caller, stream, found);
    readMessage(bytes, { nulAllowed: true, maxValues, found })
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
          reply.header('www-authenticate', scopeChallenge(app, request.raw, request.routeOptions.url!, handler.scope));
        reply.statusCode = handler.status;
        if (answer === undefined) reply.code(202).send();
        else sendJson(reply, JSON.stringify(answer));
      })
      .catch((error: unknown) => reply.send(error));
  };
  const receiveFrom = (request: FastifyRequest, reply: FastifyReply, caller: Caller): Promise<void> =>
    readBody(request, { reserve: budget.reserve(caller.userId, reply.raw) }).then((bytes) =>
      receive(request, reply, caller, bytes),
    );
  const answer = (path: string) =>
    server.post(
      path,
      { onRequest: [guard], errorHandler: (error, _request, reply) => refuseBody(app, error, reply) },
      (request, reply): void => {
        callerOf(request)
          .catch((error: unknown) => refuseCaller(error, request, reply))
          .then((caller) => caller && receiveFrom(request, reply, caller))
          .catch((error: unknown) => reply.send(error));
      },
    );

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
  addPreflight(server, crossOriginPath, 'POST');
}

function readMessage(bytes: Buffer, options: JsonOptions): Promise<unknown> {
  return new Promise((resolve) => resolve(parseJsonBody(bytes, options)));
}

/**
 * Answers a request whose body was refused because it is too long or because too little memory is free. Throws any
 * other error again.
 */
function refuseBody(app: App, error: Error, reply: FastifyReply): void {
  if (!(error instanceof HttpFailure)) throw error;
  const { errors } = app.registry.serverModule;
  if (error.retryAfter !== undefined)
    return rpcError(
      reply.header('retry-after', String(error.retryAfter)),
      error.status,
      serverError,
      `${(errors[error.word] ?? errors.rate_limited).code}: ${error.message}`,
    );
  if (!(error instanceof ContentTooLarge) || !error.isDeclared)
    return rpcError(reply, error.status, invalidRequest, error.message);
  reply.hijack();
  answerContentTooLarge(reply.request.raw, reply.raw, rpcErrorBody(invalidRequest, error.message), reply.request.id);
}

function rpcError(reply: FastifyReply, status: number, code: number, message: string): undefined {
  const isModern = firstHeader(reply.request, 'mcp-protocol-version') === latestVersion;
  reply
    .code(status)
    .header('content-type', jsonType)
    .send(rpcErrorBody(code, message, isModern));
}

/**
 * Builds the body of a JSON-RPC error. An unknown request id is null before protocol version 2026-07-28 and omitted
 * since then.
 */
function rpcErrorBody(code: number, message: string, isModern = false): string {
  return JSON.stringify({ jsonrpc: '2.0', ...(isModern ? {} : { id: null }), error: { code, message } });
}
