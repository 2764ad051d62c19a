import type { App } from '../../app.ts';
import type { Caller } from '../../context.ts';
import { mcpTool } from '../../operation/describe.ts';
import { Failure } from '../../operation/errors.ts';
import type { Answer } from '../../operation/invoke.ts';
import { RawJson } from '../../operation/raw-json.ts';
import { version } from '../../version.ts';
import { refuseNul } from '../nul.ts';
import { listResources, readResource } from './resources.ts';

/** The Model Context Protocol, as a function from message to answer; HTTP and stdio share it. */

export interface JsonRpcMessage {
  jsonrpc?: string;
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
}

export interface McpSession {
  readonly caller: Caller;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Only the tools of these modules; all when undefined. */
  readonly modules?: readonly string[];
  /** False where it is known already that no text of the message holds NUL. */
  readonly holdsNul?: boolean;
  /** List tools as `module.name` instead of `module_name`. */
  readonly dotted?: boolean;
}

const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const maxBatchLength = 50;

const codes = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  resourceNotFound: -32002,
  rateLimited: -32000,
};

class RpcError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export class McpHandler {
  readonly #app: App;
  readonly #session: McpSession;
  /** Seconds to wait, once a message was refused because the key is over its rate. */
  retryAfter: number | undefined;

  constructor(app: App, session: McpSession) {
    this.#app = app;
    this.#session = session;
  }

  /** The answer to send, or undefined when there is none (notifications). */
  handle(message: JsonRpcMessage | JsonRpcMessage[]): Promise<unknown> {
    return Array.isArray(message) ? this.#batch(message) : this.#one(message);
  }

  async #batch(message: JsonRpcMessage[]): Promise<unknown> {
    if (message.length === 0 || message.length > maxBatchLength)
      return errorAnswer(
        null,
        codes.invalidRequest,
        `a batch holds 1 to ${maxBatchLength} messages (got ${message.length})`,
      );
    const answers: unknown[] = [];
    while (message.length > 0) {
      const answer = await this.#one(message.shift()!);
      if (answer !== undefined) answers.push(answer);
    }
    return answers.length > 0 ? answers : undefined;
  }

  /** Takes what it needs out of the message before anything waits: a call may take minutes, and must not keep it for so long. */
  #one(message: JsonRpcMessage): Promise<unknown> {
    if (typeof message !== 'object' || message === null || typeof message.method !== 'string') {
      // An answer to a request of ours: we send none, so there is nothing to do with it.
      if (typeof message === 'object' && message !== null && ('result' in message || 'error' in message))
        return Promise.resolve(undefined);
      return Promise.resolve(
        errorAnswer(null, codes.invalidRequest, 'not a JSON-RPC 2.0 request: "method" must be a string'),
      );
    }
    const { id, method, params } = message;
    return this.#answer(id, this.#begin(method, params ?? {}));
  }

  /** Whatever is thrown at once is answered like what is thrown later. */
  #begin(method: string, params: Record<string, unknown>): Promise<unknown> {
    try {
      return this.#method(method, params);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }

  async #answer(id: JsonRpcMessage['id'], running: Promise<unknown>): Promise<unknown> {
    const isNotification = id === undefined || id === null;
    try {
      const result = await running;
      return isNotification ? undefined : { jsonrpc: '2.0', id, result };
    } catch (error) {
      if (isNotification) return undefined;
      if (error instanceof RpcError) return errorAnswer(id, error.code, error.message);
      if (error instanceof Failure && error.word === 'rate_limited') {
        this.retryAfter = error.retryAfter;
        return errorAnswer(
          id,
          codes.rateLimited,
          `${this.#app.registry.server.errors.rate_limited.code}: ${error.message}`,
        );
      }
      this.#app.services.log.error({ requestId: this.#session.requestId, err: error }, 'fault');
      return errorAnswer(
        id,
        codes.internal,
        `internal error; the server log has details under request id ${this.#session.requestId}`,
      );
    }
  }

  #method(method: string, params: Record<string, unknown>): Promise<unknown> {
    if (method === 'tools/call') return this.#call(params);
    // A call takes from the limit by itself.
    this.#app.invoker.refuseOverLimit(this.#session.caller);
    return Promise.resolve(this.#answerOf(method, params));
  }

  #answerOf(method: string, params: Record<string, unknown>): unknown {
    if (method.startsWith('notifications/')) return undefined;
    switch (method) {
      case 'initialize':
        return this.#initialize(params);
      case 'ping':
        return {};
      case 'logging/setLevel':
        return {};
      case 'tools/list':
        return { tools: this.#tools() };
      case 'resources/list':
        return { resources: listResources(this.#app) };
      case 'resources/read':
        return this.#read(params);
      case 'resources/templates/list':
        return { resourceTemplates: [] };
      // What can be subscribed to never changes while the server runs, so there is never news to send.
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return {};
      case 'prompts/list':
        return { prompts: [] };
      case 'completion/complete':
        return { completion: { values: [], total: 0, hasMore: false } };
      default:
        throw new RpcError(codes.methodNotFound, `method not found: ${method.slice(0, 100)}`);
    }
  }

  #initialize(params: Record<string, unknown>): unknown {
    const asked = params['protocolVersion'];
    return {
      protocolVersion: protocolVersions.find((known) => known === asked) ?? protocolVersions[0],
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false, subscribe: true },
        prompts: { listChanged: false },
        completions: {},
        logging: {},
      },
      serverInfo: { name: 'sheaf', title: 'sheaf', version },
      instructions: this.#instructions(),
    };
  }

  /** What the modules say of themselves: fields that nearly every tool has are explained here and not with each tool. */
  #instructions(): string {
    const { modules } = this.#session;
    const told = this.#app.registry.modules.filter((one) => !modules || modules.includes(one.name));
    return [
      'Start with account_get_me to see who you are.',
      ...told.map((one) => `${one.name}_*: ${one.summary}`),
    ].join('\n');
  }

  #tools(): unknown[] {
    const { modules, dotted } = this.#session;
    return this.#app.registry
      .entries()
      .filter((entry) => !modules || modules.includes(entry.module.name))
      .map((entry) => mcpTool(entry, dotted));
  }

  #read(params: Record<string, unknown>): unknown {
    const uri = String(params['uri'] ?? '');
    const found = readResource(this.#app, uri);
    if (!found) throw new RpcError(codes.resourceNotFound, `resource not found: ${uri.slice(0, 200)}`);
    return found;
  }

  #call(params: Record<string, unknown>): Promise<unknown> {
    const name = params['name'];
    if (typeof name !== 'string') throw new RpcError(codes.invalidParams, 'params.name must be the name of a tool');
    const entry = this.#app.registry.find(name);
    if (!entry) throw new RpcError(codes.invalidParams, `tool not found: ${name.slice(0, 100)}`);
    const given = params['arguments'] ?? {};
    let idempotencyKey: string | undefined;
    let input: unknown = given;
    if (typeof given === 'object' && given !== null && 'idempotency_key' in given) {
      const { idempotency_key: key, ...rest } = given as Record<string, unknown>;
      if (typeof key === 'string') idempotencyKey = key;
      input = rest;
    }
    const { caller, requestId, signal } = this.#session;
    try {
      if (this.#session.holdsNul !== false) refuseNul(input);
    } catch (error) {
      return Promise.resolve(toolResult(this.#app.invoker.failure(entry.module, error, requestId)));
    }
    return this.#app.invoker.invoke(entry, input, { caller, requestId, signal, idempotencyKey }).then(toolResult);
  }
}

function toolResult(answer: Answer): unknown {
  if (answer.word !== 'ok') {
    const { code, msg } = answer;
    return { isError: true, content: [{ type: 'text', text: JSON.stringify({ code, msg }) }], _meta: { code } };
  }
  const data = answer.data instanceof RawJson ? answer.data.parse() : answer.data;
  const result = { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
  return answer.version === undefined ? result : { ...result, _meta: { version: answer.version } };
}

function errorAnswer(id: string | number | null | undefined, code: number, message: string): unknown {
  return { jsonrpc: '2.0', id: id ?? null, error: { code, message } };
}
