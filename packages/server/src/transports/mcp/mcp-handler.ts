import type { App } from '../../app.ts';
import type { Caller } from '../../context.ts';
import { Failure } from '../../kernel/errors.ts';
import type { Call } from '../../kernel/invoker.ts';
import { formatValue } from '../../kernel/parse-input.ts';
import type { AddedRequest, McpAdditions } from './additions.ts';
import { readView } from './app-views.ts';
import { ProgressNotifier } from './progress-notifier.ts';
import {
  readRequestMeta,
  legacyVersions,
  protocolVersions,
  type MirroredHeaders,
  type RequestMeta,
} from './request-meta.ts';
import { Resources } from './resources.ts';
import { formatResult, publicCache, privateCache, serverInfo, noCache } from './result-format.ts';
import { skills } from '../skills.ts';
import { rpcErrorCodes, errorResponse, internalError, isRpcError, RpcError, type JsonRpcMessage } from './json-rpc.ts';
import { getPrompt, getSkill, listPrompts, listSkills, readSkill, skillsExtension } from './skill-methods.ts';
import { SubscriptionStream } from './subscriptions.ts';
import { DeferrableCall, handleTaskMethod, taskMethods, tasksExtension, supportsTasks } from './tasks.ts';
import { ToolCalls } from './tool-calls.ts';
import { listTools, type ToolSelection } from './tool-list.ts';

/** Context of one MCP message. HTTP and stdio use the same handler. */
export interface McpRequestContext {
  readonly caller: Caller;
  readonly requestId: string;
  /** Signal that aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
  readonly listed: ToolSelection;
  /**
   * Set to false if no string of the message contains the character NUL (U+0000), so that the input need not be scanned
   * for it.
   */
  readonly holdsNul?: boolean;
  /** Set to false if destructive calls run without confirmation. */
  readonly confirms?: boolean;
  /** Set to false if long texts in tool results are returned in full instead of as resource links. */
  readonly links?: boolean;
  /** HTTP headers that repeat parts of the message. Undefined on stdio, which has no headers. */
  readonly headers?: MirroredHeaders;
  readonly notify?: (notification: unknown) => void;
  /** Whether the client accepts a stream as the answer of a call. Subscriptions always have a stream. */
  readonly acceptsStreams?: boolean;
  /** Authenticates the caller again, for long-lived requests. Rejects if access was revoked. */
  readonly reauthenticate?: () => Promise<Caller>;
  readonly additions?: McpAdditions;
}

type Params = Record<string, unknown>;

const maxBatchLength = 50;

export class McpHandler {
  readonly #app: App;
  readonly #session: McpRequestContext;
  /** Seconds that the client must wait if the rate limit refused a message. */
  retryAfter: number | undefined;
  status = 200;
  scope: string | undefined;
  /** Whether the client requested progress. The answer is then sent as a stream. */
  wantsProgress = false;

  constructor(app: App, session: McpRequestContext) {
    this.#app = app;
    this.#session = session;
  }

  /**
   * Handles a JSON-RPC message or a batch (array) of messages. Returns the answer, or undefined if there is none, as
   * for a notification.
   */
  handle(message: JsonRpcMessage | JsonRpcMessage[]): Promise<unknown> {
    return Array.isArray(message) ? this.#batch(message) : this.#handleOne(message);
  }

  async #batch(message: JsonRpcMessage[]): Promise<unknown> {
    if (message.length === 0 || message.length > maxBatchLength)
      return errorResponse(null, {
        code: rpcErrorCodes.invalidRequest,
        message: `a batch holds 1 to ${maxBatchLength} messages (got ${message.length})`,
      });
    const answers: unknown[] = [];
    while (message.length > 0) {
      const answer = await this.#handleOne(message.shift()!, true);
      if (answer !== undefined) answers.push(answer);
    }
    this.status = 200;
    this.scope = undefined;
    return answers.length > 0 ? answers : undefined;
  }

  /**
   * Handles one message. Reads all it needs from the message before the first await, so that a long call does not keep
   * the message in memory.
   */
  #handleOne(message: JsonRpcMessage, isOfBatch = false): Promise<unknown> {
    if (typeof message !== 'object' || message === null || typeof message.method !== 'string') {
      // Ignore a response to a request of the server, because this server sends no requests.
      if (typeof message === 'object' && message !== null && ('result' in message || 'error' in message))
        return Promise.resolve(undefined);
      return Promise.resolve(
        errorResponse(null, {
          code: rpcErrorCodes.invalidRequest,
          message: 'not a JSON-RPC 2.0 request: "method" must be a string',
        }),
      );
    }
    const { id, method, params = {} } = message;
    if (method.startsWith('notifications/'))
      return this.#answer(
        id,
        undefined,
        this.#begin(() => this.#acceptNotification()),
      );
    let meta: RequestMeta;
    try {
      meta = readRequestMeta(method, params, this.#session.headers);
      if (meta.modern && isOfBatch)
        throw new RpcError(
          rpcErrorCodes.invalidRequest,
          'a batch holds no messages of 2026-07-28 or later: send them one by one',
        );
    } catch (error) {
      return this.#answer(id, undefined, Promise.reject(error as Error));
    }
    this.wantsProgress =
      !isOfBatch &&
      method === 'tools/call' &&
      meta.progressToken !== undefined &&
      this.#session.acceptsStreams === true;
    return this.#answer(
      id,
      meta,
      this.#begin(() => this.#method({ method, params, meta, id })),
    );
  }

  /** Runs `work`. Converts an exception that it throws synchronously to a rejected promise. */
  #begin(work: () => Promise<unknown>): Promise<unknown> {
    try {
      return work();
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }

  async #answer(id: JsonRpcMessage['id'], meta: RequestMeta | undefined, running: Promise<unknown>): Promise<unknown> {
    const isNotification = id === undefined || id === null;
    try {
      const result = await running;
      return isNotification ? undefined : { jsonrpc: '2.0', id, result };
    } catch (error) {
      if (isNotification) return undefined;
      return errorResponse(id, this.#toRpcError(error, meta?.modern ?? false));
    }
  }

  #toRpcError(error: unknown, modern: boolean): { code: number; message: string; data?: unknown } {
    if (isRpcError(error)) {
      this.status = error.status ?? (modern && error.code === rpcErrorCodes.methodNotFound ? 404 : this.status);
      return error;
    }
    if (error instanceof Failure && error.word === 'rate_limited') {
      this.retryAfter = error.retryAfter;
      this.status = 429;
      const { code } = this.#app.registry.serverModule.errors.rate_limited;
      return modern
        ? { code, message: error.message, data: { retryAfter: error.retryAfter } }
        : { code: rpcErrorCodes.rateLimited, message: `${code}: ${error.message}` };
    }
    return internalError(this.#app.services.log, this.#session.requestId, error);
  }

  #acceptNotification(): Promise<undefined> {
    this.#app.invoker.enforceRateLimit(this.#session.caller);
    return Promise.resolve(undefined);
  }

  #method(request: Request): Promise<unknown> {
    const { method, params, meta } = request;
    if (method === 'tools/call') return this.#callTool(params, meta);
    // Count this request towards the rate limit. The method `tools/call` was handled before and is counted when the
    // tool runs.
    this.#app.invoker.enforceRateLimit(this.#session.caller);
    return meta.modern ? this.#modern(request) : this.#legacy(request);
  }

  async #modern(request: Request): Promise<unknown> {
    const { method, params, meta, id } = request;
    if (method === 'server/discover')
      return formatResult(
        meta,
        {
          supportedVersions: protocolVersions,
          capabilities: this.#capabilities(true),
          instructions: this.#instructions(),
        },
        publicCache,
      );
    if (taskMethods.has(method)) return formatResult(meta, await handleTaskMethod(this.#app, request, this.#session));
    if (method !== 'subscriptions/listen') return this.#shared(request);
    const { notify, signal, reauthenticate, additions, caller } = this.#session;
    if (!notify || id === undefined || id === null)
      throw new RpcError(
        rpcErrorCodes.invalidRequest,
        'subscriptions/listen is answered by a stream, which there is none for here',
      );
    const listening = new SubscriptionStream({
      app: this.#app,
      resources: this.#resources(meta),
      additions,
      id,
      meta,
      signal,
      notify,
      caller: reauthenticate ?? (() => Promise.resolve(caller)),
    });
    return formatResult(meta, await listening.run(params));
  }

  async #legacy(request: Request): Promise<unknown> {
    if (request.method === 'initialize') return this.#initialize(request.params);
    if (request.method === 'ping') return {};
    return this.#shared(request);
  }

  async #shared({ method, params, meta }: Request): Promise<unknown> {
    const { additions, listed } = this.#session;
    const { registry } = this.#app;
    switch (method) {
      case 'tools/list':
        return formatResult(meta, { tools: [...added(additions?.tools), ...listTools(registry, listed)] }, publicCache);
      case 'resources/list': {
        const page = await this.#resources(meta).list(params['cursor']);
        return formatResult(
          meta,
          { ...page, resources: [...(additions?.resources ?? []), ...(page['resources'] as unknown[])] },
          params['cursor'] === undefined ? privateCache : noCache,
        );
      }
      case 'resources/templates/list':
        return formatResult(
          meta,
          { resourceTemplates: [...(additions?.templates ?? []), ...this.#resources(meta).templates()] },
          privateCache,
        );
      case 'resources/read':
        return this.#read(params, meta);
      case 'completion/complete':
        return formatResult(meta, additions?.complete(params) ?? (await this.#resources(meta).complete(params)));
      case 'prompts/list':
        return formatResult(meta, { prompts: [...added(additions?.prompts), ...listPrompts()] }, publicCache);
      case 'prompts/get':
        return this.#prompt(params, meta);
      case 'skills/list':
        return formatResult(meta, listSkills(), publicCache);
      case 'skills/get':
        return formatResult(meta, getSkill(params));
    }
    throw new RpcError(rpcErrorCodes.methodNotFound, `method not found: ${method.slice(0, 100)}`);
  }

  #initialize(params: Params): unknown {
    const asked = params['protocolVersion'];
    return {
      protocolVersion: legacyVersions.find((known) => known === asked) ?? legacyVersions[0],
      capabilities: this.#capabilities(false),
      serverInfo,
      instructions: this.#instructions(),
    };
  }

  /**
   * Returns the server capabilities for the client. Subscriptions are offered only to clients of the newest protocol
   * version (`modern`), because older versions bind them to a session and this server has no sessions.
   */
  #capabilities(modern: boolean): Record<string, unknown> {
    const changes = this.#session.additions && modern ? { listChanged: true } : {};
    return {
      tools: changes,
      resources: modern ? { subscribe: true } : {},
      completions: {},
      extensions: { [skillsExtension]: {}, ...(modern ? { [tasksExtension]: {} } : {}) },
      prompts: changes,
    };
  }

  /**
   * Returns the instructions that an agent receives when its client connects. They include the summary of each module,
   * because it explains the fields that nearly all tools of the module have.
   */
  #instructions(): string {
    const { modules } = this.#session.listed;
    const told = this.#app.registry.modules.filter((one) => !modules || modules.includes(one.name));
    return [
      'Start with account_get_me to see who you are. find_tools finds tools that are not listed; call_read_tool and call_tool ' +
        'call them. Any tool that changes something takes idempotency_key: a repeat within 24 hours returns the first result; ' +
        'and reason: why, for the history. Where a tool wants the id of a note, notebook, knowledge base, item or spreadsheet, most ' +
        'also take its title.',
      'Answer questions about documents from wiki_search_passages and cite title, page and link. Change notes in parts: ' +
        'use note_edit_note. Files too large for a call go by HTTP PUT to the upload_url of manage_pre_import, never through you. ' +
        'Everything can be taken back: sheet_undo_revision, note_restore_note_version, the trash for 30 days; what was done, ' +
        'when, why and by whom tells account_list_changes. Times are UTC. Recipes: ' +
        skills()
          .map(({ uri }) => uri)
          .join(', '),
      ...told.map((one) => `${one.name}_*: ${one.summary}`),
    ].join('\n');
  }

  async #read(params: Params, meta: RequestMeta): Promise<unknown> {
    const { uri } = params;
    if (typeof uri !== 'string')
      throw new RpcError(rpcErrorCodes.invalidParams, 'params.uri must be the address of a resource');
    const contents = this.#session.additions?.read(uri);
    if (contents) return formatResult(meta, { contents }, noCache);
    const skill = readSkill(uri);
    if (skill) return formatResult(meta, { contents: skill }, publicCache);
    const view = readView(uri);
    if (view) return formatResult(meta, { contents: view }, publicCache);
    try {
      const { result, cache } = await this.#resources(meta).read(uri);
      return formatResult(meta, result, cache);
    } catch (error) {
      if (!(error instanceof Failure) || error.word === 'rate_limited' || error.word === 'internal') throw error;
      throw new RpcError(
        meta.modern ? rpcErrorCodes.invalidParams : rpcErrorCodes.resourceNotFound,
        `resource not found: ${error.message}`,
        { data: { uri: uri.slice(0, 1000) } },
      );
    }
  }

  async #prompt(params: Params, meta: RequestMeta): Promise<unknown> {
    const prompt =
      own(this.#session.additions?.prompts, params['name'])?.get(this.#request(params, meta)) ?? getPrompt(params);
    if (!prompt) throw new RpcError(rpcErrorCodes.invalidParams, `prompt not found: ${formatValue(params['name'])}`);
    return formatResult(meta, prompt);
  }

  /**
   * Calls a tool. It is not async and its closures do not refer to the message, because the message would otherwise
   * stay in memory while the call runs.
   */
  #callTool(params: Params, meta: RequestMeta): Promise<unknown> {
    const { notify } = this.#session;
    const teller = this.wantsProgress && notify ? new ProgressNotifier(meta.progressToken!, notify) : undefined;
    let running: Promise<Params>;
    try {
      running = this.#runTool(params, meta, teller);
    } catch (error) {
      running = Promise.reject(error as Error);
    }
    return running.then((result) => formatResult(meta, result)).finally(() => teller?.stop());
  }

  #runTool(params: Params, meta: RequestMeta, teller: ProgressNotifier | undefined): Promise<Params> {
    const tool = own(this.#session.additions?.tools, params['name']);
    if (tool) return Promise.resolve(tool.call(this.#request(params, meta, teller)));
    return new ToolCalls(this.#app, {
      call: { ...this.#call(meta), progress: teller && ((step) => teller.report(step)) },
      meta: this.#session.links === false ? { ...meta, takesLinks: false } : meta,
      holdsNul: this.#session.holdsNul !== false,
      confirms: this.#session.confirms !== false,
      lacks: (scope) => {
        this.scope = scope;
        this.status = 403;
      },
    }).run(params);
  }

  #request(params: Params, meta: RequestMeta, teller?: ProgressNotifier): AddedRequest {
    const { sealer } = this.#app.services;
    return {
      params,
      meta,
      progress: (step) => teller?.report(step),
      long: (work) => {
        if (!supportsTasks(meta)) return work(this.#session.signal);
        const deferrable = new DeferrableCall(this.#app, 'addition', this.#call(meta));
        return deferrable.answer(work(deferrable.call.signal), (result) => formatResult(meta, result));
      },
      seal: (state) => sealer.seal(state),
      unseal: (state) => sealer.unseal(state),
    };
  }

  #call({ trace, client }: RequestMeta): Call {
    const { caller, requestId, signal } = this.#session;
    return { caller, requestId, signal, trace, client };
  }

  #resources(meta: RequestMeta): Resources {
    return new Resources(this.#app, this.#call(meta));
  }
}

interface Request {
  readonly method: string;
  readonly params: Params;
  readonly meta: RequestMeta;
  readonly id: JsonRpcMessage['id'];
}

/**
 * Returns list entries for the tools or prompts that a program which embeds the server adds. Hidden ones are left out.
 */
function added(things: Readonly<Record<string, object>> | undefined): Record<string, unknown>[] {
  return Object.entries(things ?? {}).flatMap(([name, thing]) => {
    const { call: _call, get: _get, hidden, ...shown } = thing as Record<string, unknown>;
    return hidden === true ? [] : [{ name, ...shown }];
  });
}

function own<T>(things: Readonly<Record<string, T>> | undefined, name: unknown): T | undefined {
  return things && typeof name === 'string' && Object.hasOwn(things, name) ? things[name] : undefined;
}
