import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App } from '../../app.ts';
import type { Caller } from '../../context.ts';
import { fail } from '../../kernel/errors.ts';
import type { Answer, Call } from '../../kernel/invoker.ts';
import { basePath, type OperationEntry, type Module } from '../../kernel/module.ts';
import type { MaybePromise } from '../../ports/account-store.ts';
import { bodyOf, statusOf, writeAnswer } from './answer.ts';
import { bodyLimit, isJson, readJson } from './json-body.ts';
import { uncountedBytes, BodyBudgetExceeded, type BodyBudget, type BodyClaim } from './body-memory-budget.ts';
import { clientAddress } from './client-address.ts';
import { readCredentials } from './credentials.ts';
import { drainBody } from './drain-body.ts';
import type { IncomingRequest } from './incoming-request.ts';
import { answerContentTooLarge, declaresTooLarge, contentTooLargeMessage } from './content-too-large.ts';
import { bearerChallenge, oauthBaseUrl, operationsResource, scopeChallenge } from './oauth/protected-resource.ts';
import { requestIdOf } from './request-id.ts';
import { CrossSiteError, refuseCrossSite } from './csrf.ts';
import { disconnectSignal } from './disconnect-signal.ts';

interface Exchange {
  readonly entry: OperationEntry;
  readonly request: IncomingRequest;
  readonly response: ServerResponse;
  readonly requestId: string;
}

const nothing = new Uint8Array();

/** Authenticates the caller or throws a Failure. Synchronous if the credentials are cached. */
export function authenticateCaller(app: App, module: Module, request: IncomingMessage): MaybePromise<Caller> {
  const credentials = readCredentials(
    request.headers,
    app.config.SHEAF_HEADER_PREFIXES,
    clientAddress(app, request),
    module.bearerKeys === true,
    tokenAudience(app, request),
  );
  const caller = app.authenticator.authenticate(credentials);
  return caller instanceof Promise
    ? caller.then((found) => refuseCrossSiteSession(app, request, found))
    : refuseCrossSiteSession(app, request, caller);
}

/** The resource that an access token must be issued for; undefined if apps cannot connect. */
export function tokenAudience(app: App, request: IncomingMessage): string | undefined {
  if (request.headers.authorization === undefined) return undefined;
  return oauthBaseUrl(app, request) === undefined ? undefined : operationsResource;
}

export function errorStatus(answer: Answer, error: unknown): number {
  if (error instanceof BodyBudgetExceeded) return error.status;
  return error instanceof CrossSiteError ? 403 : statusOf(answer);
}

/** Accepts the idempotency key in the body, as over MCP; the header takes precedence. */
function takeKeyFromBody(raw: unknown, call: Call): { raw: unknown; call: Call } {
  if (typeof raw !== 'object' || raw === null || !Object.hasOwn(raw, 'idempotency_key')) return { raw, call };
  const { idempotency_key: key, ...rest } = raw as Record<string, unknown>;
  // Leave a key of another type in the input: the operation refuses it.
  if (typeof key !== 'string') return { raw, call };
  return { raw: rest, call: { ...call, idempotencyKey: call.idempotencyKey ?? key } };
}

function refuseCrossSiteSession(app: App, request: IncomingMessage, caller: Caller): Caller {
  if (caller.via === 'session') refuseCrossSite(app, request);
  return caller;
}

/**
 * Serves the operations directly on Node's HTTP server. They are nearly all of the traffic, and a framework's hooks,
 * parsers and replies cost as much as a small operation. See docs/decisions/operations-over-http.md.
 */
export class OperationsHandler {
  readonly #app: App;
  readonly #stopping: AbortSignal;
  readonly #budget: BodyBudget;
  readonly #entries = new Map<string, OperationEntry>();

  constructor(app: App, stopping: AbortSignal, budget: BodyBudget) {
    this.#budget = budget;
    this.#app = app;
    this.#stopping = stopping;
    for (const module of app.registry.modules) {
      for (const name of Object.keys(module.operations))
        this.#entries.set(`${basePath(module)}/${name}`, app.registry.get(module.name, name)!);
    }
  }

  /** Returns true if the request is for an operation, and then handles it. */
  handle(request: IncomingRequest, response: ServerResponse): boolean {
    if (request.method !== 'POST') return false;
    const url = request.url!;
    const entry = this.#entries.get(url) ?? this.#entries.get(url.split('?', 1)[0]!);
    if (!entry) return false;
    this.#authenticate({ entry, request, response, requestId: requestIdOf(request) });
    return true;
  }

  /**
   * Authenticates before reading the body, so that callers without a key cannot make the server read or parse anything.
   */
  #authenticate(exchange: Exchange): void {
    try {
      const caller = authenticateCaller(this.#app, exchange.entry.module, exchange.request);
      if (!(caller instanceof Promise)) return this.#readBody(exchange, caller);
      caller.then((found) => this.#readBody(exchange, found)).catch((error: unknown) => this.#refuse(exchange, error));
    } catch (error) {
      this.#refuse(exchange, error);
    }
  }

  #readBody(exchange: Exchange, caller: Caller): void {
    const { request } = exchange;
    if (declaresTooLarge(request)) return this.#refuseLargeBody(exchange);
    let claim: BodyClaim | undefined;
    const grow = (bytes: number): void => {
      if (bytes <= uncountedBytes) return;
      claim ??= this.#budget.openUntilResponseEnds(caller.userId, exchange.response);
      claim.grow(bytes);
    };
    grow(Number(request.headers['content-length'] ?? 0));
    if (request.headers.expect !== undefined) exchange.response.writeContinue();
    this.#collect(exchange, grow, (bytes) => this.#run(exchange, caller, bytes));
  }

  #collect(exchange: Exchange, grow: (bytes: number) => void, whenWhole: (bytes: Uint8Array) => void): void {
    const { request } = exchange;
    let pieces: Buffer[] = [];
    let size = 0;
    const stop = (refuse: () => void): void => {
      pieces = [];
      request.detachBodyHandler();
      refuse();
    };
    // A client that disconnects gets no answer.
    request.onBodyChunk((piece) => {
      if (piece === null) {
        const bytes = pieces.length > 1 ? Buffer.concat(pieces, size) : (pieces[0] ?? nothing);
        // Detach the reader: the request lives until the answer and must not hold the bytes.
        return stop(() => whenWhole(bytes));
      }
      size += piece.length;
      if (size > bodyLimit) return stop(() => this.#refuseLargeBody(exchange));
      try {
        grow(size);
        pieces.push(piece);
      } catch (error) {
        stop(() => this.#refuse(exchange, error));
      }
    });
  }

  #run(exchange: Exchange, caller: Caller, bytes: Uint8Array): void {
    const { entry, request, response, requestId } = exchange;
    const type = request.headers['content-type'];
    if (bytes.length > 0 && !isJson(type)) {
      return this.#refuse(
        exchange,
        fail(
          'invalid_parameter',
          `the request body must be JSON: send content-type application/json (got ${type ?? 'none'})`,
        ),
        415,
      );
    }
    const idempotencyKey = request.headers['idempotency-key'];
    let raw: unknown;
    try {
      // With an idempotency key, use the JSON parser: retries are recognized by their JSON, and `readBody` gives
      // another form.
      const json = (): unknown => readJson(bytes, { maxValues: entry.operation.maxValues });
      const read = idempotencyKey === undefined ? entry.operation.readBody?.(bytes) : undefined;
      raw = read instanceof Promise ? read.then((found) => found ?? json()) : (read ?? json());
    } catch (error) {
      return this.#refuse(exchange, error);
    }
    const call = {
      caller,
      requestId,
      // A long read is aborted when the client disconnects.
      signal:
        entry.operation.isLong && entry.operation.effect === 'read'
          ? disconnectSignal(response, this.#stopping)
          : this.#stopping,
      idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : undefined,
    };
    if (!(raw instanceof Promise)) return this.#invoke(exchange, raw, call);
    raw.then((read) => this.#invoke(exchange, read, call)).catch((error: unknown) => this.#refuse(exchange, error));
  }

  #invoke(exchange: Exchange, sent: unknown, given: Call): void {
    const { entry, requestId } = exchange;
    const { raw, call } = takeKeyFromBody(sent, given);
    this.#app.invoker
      .invoke(entry, raw, call)
      .then((answer) => {
        const { request, response } = exchange;
        if (answer.scope !== undefined)
          response.setHeader('www-authenticate', scopeChallenge(this.#app, request, operationsResource, answer.scope));
        writeAnswer(response, requestId, statusOf(answer), answer, this.#stopping.aborted);
      })
      // Also catches an answer that cannot be serialized, which is a server fault.
      .catch((error: unknown) => this.#refuse(exchange, error));
  }

  #refuse({ entry, request, response, requestId }: Exchange, error: unknown, status?: number): void {
    if (response.headersSent) return void response.destroy();
    const answer = this.#app.invoker.toErrorAnswer(entry.module, error, requestId);
    const told = status ?? errorStatus(answer, error);
    if (told === 401) response.setHeader('www-authenticate', bearerChallenge(this.#app, request, operationsResource));
    writeAnswer(response, requestId, told, answer, this.#stopping.aborted);
    if (!request.complete) drainBody(request);
  }

  #refuseLargeBody({ entry, request, response, requestId }: Exchange): void {
    const answer = this.#app.invoker.toErrorAnswer(
      entry.module,
      fail('invalid_parameter', contentTooLargeMessage()),
      requestId,
    );
    answerContentTooLarge(request, response, bodyOf(answer, requestId), requestId);
  }
}
