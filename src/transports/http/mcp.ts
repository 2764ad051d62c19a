import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import type { Caller } from '../../context.ts';
import { Failure } from '../../operation/errors.ts';
import { McpHandler, type JsonRpcMessage } from '../mcp/handler.ts';
import { isJson, parseJson } from './body.ts';
import { clientAddress } from './client-address.ts';
import { credentialsOf } from './credentials.ts';
import { largeBodyMessage } from './large-body.ts';
import { queryOf } from './query.ts';
import { trustedHost, trustedOrigin, untrustedHostMessage } from './hosts.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
  }
}

const parseError = -32700;
const invalidRequest = -32600;
const unauthorized = -32001;
const jsonType = 'application/json';
export const mcpPath = '/mcp';
export const largeMcpBody = rpcErrorBody(invalidRequest, largeBodyMessage());

/** Streamable HTTP without state: each POST is answered whole, as JSON, whatever it accepts. */
export function addMcp(server: FastifyInstance, app: App, stopping: AbortSignal): void {
  server.decorateRequest('caller', undefined);
  const guard = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { host, origin } = request.headers;
    const publicUrl = app.config.SHEAF_PUBLIC_URL;
    if (!trustedHost(host, publicUrl)) rpcError(reply, 403, invalidRequest, untrustedHostMessage(host));
    else if (!trustedOrigin(origin, host, publicUrl)) rpcError(reply, 403, invalidRequest, `pages of the Origin ${JSON.stringify(origin!.slice(0, 100))} may not call this server`);
  };
  const authenticate = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    try {
      request.caller = await app.authenticator.caller(credentialsOf(request.headers, app.config.SHEAF_HEADER_PREFIXES, clientAddress(app, request.raw), true));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const limited = error.word === 'rate_limited';
      if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter));
      if (!limited) reply.header('www-authenticate', 'Bearer');
      rpcError(reply, limited ? 429 : 401, unauthorized, `${limited ? 20002 : 20004}: ${error.message}`);
    }
  };

  // Answers itself and returns nothing, because fastify would wait for a returned reply to end.
  server.post(mcpPath, { onRequest: [guard, authenticate] }, async (request, reply): Promise<void> => {
    const bytes = (request.body as Uint8Array | undefined) ?? new Uint8Array();
    const contentType = request.headers['content-type'];
    if (contentType !== undefined && !isJson(contentType)) return rpcError(reply, 415, invalidRequest, `send content-type application/json (got ${contentType})`);
    let message: unknown;
    try {
      // Arguments are checked where the tool, and so its error number, is known.
      message = parseJson(bytes, true);
    } catch (error) {
      return rpcError(reply, 400, parseError, (error as Error).message);
    }
    const modules = queryOf(request, 'modules');
    const handler = new McpHandler(app, {
      caller: request.caller!,
      requestId: request.id,
      signal: stopping,
      modules: modules ? modules.split(',') : undefined,
      dotted: queryOf(request, 'names') === 'dotted',
    });
    const answer = await handler.handle(message as JsonRpcMessage | JsonRpcMessage[]);
    if (answer === undefined) reply.code(202).send();
    else reply.header('content-type', jsonType).send(JSON.stringify(answer));
  });

  server.route({
    method: ['GET', 'DELETE', 'PUT', 'PATCH'],
    url: mcpPath,
    onRequest: [guard],
    handler: (_request, reply) => rpcError(reply.header('allow', 'POST'), 405, invalidRequest, 'this endpoint is stateless: use POST'),
  });
}

function rpcError(reply: FastifyReply, status: number, code: number, message: string): void {
  reply.code(status).header('content-type', jsonType).send(rpcErrorBody(code, message));
}

function rpcErrorBody(code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
}
