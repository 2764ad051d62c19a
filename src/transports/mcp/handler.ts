import type { App } from '../../app.ts';
import type { Caller } from '../../context.ts';
import { Failure } from '../../operation/errors.ts';
import { isTolerant, type Entry } from '../../operation/module.ts';
import { unknownFields } from '../../operation/unknown-fields.ts';
import { version } from '../../version.ts';
import { refuseNul } from '../nul.ts';
import { findTools, isMetaTool, targetOf, type MetaTool } from './meta-tools.ts';
import { listResources, readResource } from './resources.ts';
import { codes, errorAnswer, RpcError, type JsonRpcMessage } from './rpc.ts';
import { listTools, type ListedTools } from './tool-list.ts';
import { dataResult, toolResult } from './tool-result.ts';

/** The Model Context Protocol, as a function from message to answer; HTTP and stdio share it. */

export interface McpSession {
  readonly caller: Caller;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Which tools are listed. */
  readonly listed: ListedTools;
  /** False where it is known already that no text of the message holds NUL. */
  readonly holdsNul?: boolean;
}

const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const maxBatchLength = 50;
/** Unknown fields that an answer names. */
const mostIgnored = 10;

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
      return errorAnswer(null, {
        code: codes.invalidRequest,
        message: `a batch holds 1 to ${maxBatchLength} messages (got ${message.length})`,
      });
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
        errorAnswer(null, {
          code: codes.invalidRequest,
          message: 'not a JSON-RPC 2.0 request: "method" must be a string',
        }),
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
      if (error instanceof RpcError) return errorAnswer(id, error);
      if (error instanceof Failure && error.word === 'rate_limited') {
        this.retryAfter = error.retryAfter;
        return errorAnswer(id, {
          code: codes.rateLimited,
          message: `${this.#app.registry.server.errors.rate_limited.code}: ${error.message}`,
        });
      }
      this.#app.services.log.error({ requestId: this.#session.requestId, err: error }, 'fault');
      return errorAnswer(id, {
        code: codes.internal,
        message: `internal error; the server log has details under request id ${this.#session.requestId}`,
      });
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
      case 'tools/list':
        return { tools: listTools(this.#app.registry, this.#session.listed) };
      case 'resources/list':
        return { resources: listResources(this.#app) };
      case 'resources/read':
        return this.#read(params);
      case 'resources/templates/list':
        return { resourceTemplates: [] };
      default:
        throw new RpcError(codes.methodNotFound, `method not found: ${method.slice(0, 100)}`);
    }
  }

  #initialize(params: Record<string, unknown>): unknown {
    const asked = params['protocolVersion'];
    return {
      protocolVersion: protocolVersions.find((known) => known === asked) ?? protocolVersions[0],
      capabilities: {
        tools: {},
        resources: {},
      },
      serverInfo: { name: 'sheaf', title: 'sheaf', version },
      instructions: this.#instructions(),
    };
  }

  /** What the modules say of themselves: fields that nearly every tool has are explained here and not with each tool. */
  #instructions(): string {
    const { modules } = this.#session.listed;
    const told = this.#app.registry.modules.filter((one) => !modules || modules.includes(one.name));
    return [
      'Start with account_get_me to see who you are. find_tools finds tools that are not listed; call_read_tool and call_tool ' +
        'call them. Any tool that changes something takes idempotency_key: a repeat within 24 hours returns the first result.',
      ...told.map((one) => `${one.name}_*: ${one.summary}`),
    ].join('\n');
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
    const given = params['arguments'] ?? {};
    if (isMetaTool(name)) return this.#callMeta(name, given);
    const entry = this.#app.registry.find(name);
    if (!entry) {
      this.#app.invoker.refuseOverLimit(this.#session.caller);
      throw new RpcError(codes.invalidParams, `tool not found: ${name.slice(0, 100)}`);
    }
    return this.#callEntry(entry, given);
  }

  /** A call of another tool is that tool's call in everything: limit, scope, effect, record. */
  #callMeta(tool: MetaTool, given: unknown): Promise<unknown> {
    const { registry, invoker } = this.#app;
    const { caller, requestId } = this.#session;
    try {
      if (tool === 'find_tools') {
        invoker.refuseOverLimit(caller);
        const callable = registry.entries().filter((entry) => invoker.mayCall(entry, caller));
        return Promise.resolve(dataResult(findTools(callable, given)));
      }
      const { entry, input } = targetOf(registry, tool, given);
      return this.#callEntry(entry, input);
    } catch (error) {
      if (error instanceof Failure && error.word !== 'rate_limited') invoker.refuseOverLimit(caller);
      return Promise.resolve(toolResult(invoker.failure(registry.server, error, requestId)));
    }
  }

  #callEntry(entry: Entry, given: unknown): Promise<unknown> {
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
    // Looked at first: what was sent is not kept while the call runs.
    const ignored = isTolerant(entry) ? unknownFields(entry.operation.input, input, mostIgnored) : [];
    return this.#app.invoker
      .invoke(entry, input, { caller, requestId, signal, idempotencyKey })
      .then((answer) => toolResult(answer, ignored));
  }
}
