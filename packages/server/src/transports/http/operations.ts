import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App } from '../../app.ts';
import type { Caller } from '../../context.ts';
import { fail } from '../../operation/errors.ts';
import type { Answer, Call } from '../../operation/invoke.ts';
import { basePath, type Entry, type Module } from '../../operation/module.ts';
import type { MaybePromise } from '../../ports/account-store.ts';
import { bodyOf, statusOf, writeAnswer } from './answer.ts';
import { bodyLimit, isJson, readJson } from './body.ts';
import { freeBytes, NoRoom, type BodyBudget, type BodyClaim } from './body-budget.ts';
import { clientAddress } from './client-address.ts';
import { credentialsOf } from './credentials.ts';
import { drain } from './drain.ts';
import type { Incoming } from './incoming.ts';
import { answerLargeBody, declaresLargeBody, largeBodyMessage } from './large-body.ts';
import { challengeFor, oauthBase, operationsResource, scopeChallenge } from './oauth/addresses.ts';
import { requestIdOf } from './request-id.ts';
import { ForeignSite, refuseForeignSite } from './same-site.ts';
import { untilGone } from './until-gone.ts';

/** One request on its way to its answer. */
interface Exchange {
  readonly entry: Entry;
  readonly request: Incoming;
  readonly response: ServerResponse;
  readonly requestId: string;
}

const nothing = new Uint8Array();

/** Who calls, or a failure. At once where the caller is known already. */
export function callerOf(app: App, module: Module, request: IncomingMessage): MaybePromise<Caller> {
  const credentials = credentialsOf(
    request.headers,
    app.config.SHEAF_HEADER_PREFIXES,
    clientAddress(app, request),
    module.bearerKeys === true,
    audienceOf(app, request),
  );
  const caller = app.authenticator.caller(credentials);
  return caller instanceof Promise
    ? caller.then((found) => ofOwnSite(app, request, found))
    : ofOwnSite(app, request, caller);
}

/** What a token must have been made for to be good for operations; nothing where apps cannot connect. */
export function audienceOf(app: App, request: IncomingMessage): string | undefined {
  if (request.headers.authorization === undefined) return undefined;
  return oauthBase(app, request) === undefined ? undefined : operationsResource;
}

export function statusOfRefusal(answer: Answer, error: unknown): number {
  if (error instanceof NoRoom) return error.status;
  return error instanceof ForeignSite ? 403 : statusOf(answer);
}

/** The key of a repeatable call may also stand in the body, as over MCP; the header's wins. */
function withKeyOfBody(raw: unknown, call: Call): { raw: unknown; call: Call } {
  if (typeof raw !== 'object' || raw === null || !Object.hasOwn(raw, 'idempotency_key')) return { raw, call };
  const { idempotency_key: key, ...rest } = raw as Record<string, unknown>;
  // Anything but a text is left for the operation to refuse.
  if (typeof key !== 'string') return { raw, call };
  return { raw: rest, call: { ...call, idempotencyKey: call.idempotencyKey ?? key } };
}

function ofOwnSite(app: App, request: IncomingMessage, caller: Caller): Caller {
  if (caller.via === 'session') refuseForeignSite(app, request);
  return caller;
}

/**
 * The operations, answered on Node's own server: they are nearly all of the traffic, and the hooks, parsers and replies
 * of a framework cost as much as a small operation itself. See docs/decisions/operations-over-http.md.
 */
export class Operations {
  readonly #app: App;
  readonly #stopping: AbortSignal;
  readonly #budget: BodyBudget;
  readonly #entries = new Map<string, Entry>();

  constructor(app: App, stopping: AbortSignal, budget: BodyBudget) {
    this.#budget = budget;
    this.#app = app;
    this.#stopping = stopping;
    for (const module of app.registry.modules) {
      for (const name of Object.keys(module.operations))
        this.#entries.set(`${basePath(module)}/${name}`, app.registry.get(module.name, name)!);
    }
  }

  /** Whether it is the request of an operation, which is then taken care of. */
  take(request: Incoming, response: ServerResponse): boolean {
    if (request.method !== 'POST') return false;
    const url = request.url!;
    const entry = this.#entries.get(url) ?? this.#entries.get(url.split('?', 1)[0]!);
    if (!entry) return false;
    this.#authenticate({ entry, request, response, requestId: requestIdOf(request) });
    return true;
  }

  /** Before the body is read: nobody without a key makes the server read or parse anything. */
  #authenticate(exchange: Exchange): void {
    try {
      const caller = callerOf(this.#app, exchange.entry.module, exchange.request);
      if (!(caller instanceof Promise)) return this.#readBody(exchange, caller);
      caller.then((found) => this.#readBody(exchange, found)).catch((error: unknown) => this.#refuse(exchange, error));
    } catch (error) {
      this.#refuse(exchange, error);
    }
  }

  #readBody(exchange: Exchange, caller: Caller): void {
    const { request } = exchange;
    if (declaresLargeBody(request)) return this.#refuseLargeBody(exchange);
    let claim: BodyClaim | undefined;
    const grow = (bytes: number): void => {
      if (bytes <= freeBytes) return;
      claim ??= this.#budget.openUntilAnswered(caller.userId, exchange.response);
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
      request.release();
      refuse();
    };
    // Who breaks off in the middle gets no answer: there is nobody to read it.
    request.giveTo((piece) => {
      if (piece === null) {
        const bytes = pieces.length > 1 ? Buffer.concat(pieces, size) : (pieces[0] ?? nothing);
        // The request stays until the answer, and must not hold the bytes for so long.
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
      // A repeated call is recognized by its JSON: that of another reading would look different.
      const json = (): unknown => readJson(bytes, { maxValues: entry.operation.maxValues });
      const read = idempotencyKey === undefined ? entry.operation.readBody?.(bytes) : undefined;
      raw = read instanceof Promise ? read.then((found) => found ?? json()) : (read ?? json());
    } catch (error) {
      return this.#refuse(exchange, error);
    }
    const call = {
      caller,
      requestId,
      // What only reads, and may take long, ends with the one who wanted it.
      signal:
        entry.operation.isLong && entry.operation.effect === 'read'
          ? untilGone(response, this.#stopping)
          : this.#stopping,
      idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : undefined,
    };
    if (!(raw instanceof Promise)) return this.#invoke(exchange, raw, call);
    raw.then((read) => this.#invoke(exchange, read, call)).catch((error: unknown) => this.#refuse(exchange, error));
  }

  #invoke(exchange: Exchange, sent: unknown, given: Call): void {
    const { entry, requestId } = exchange;
    const { raw, call } = withKeyOfBody(sent, given);
    this.#app.invoker
      .invoke(entry, raw, call)
      .then((answer) => {
        const { request, response } = exchange;
        if (answer.scope !== undefined)
          response.setHeader('www-authenticate', scopeChallenge(this.#app, request, operationsResource, answer.scope));
        writeAnswer(response, requestId, statusOf(answer), answer, this.#stopping.aborted);
      })
      // An answer that cannot be written as JSON is a fault of ours like any other.
      .catch((error: unknown) => this.#refuse(exchange, error));
  }

  #refuse({ entry, request, response, requestId }: Exchange, error: unknown, status?: number): void {
    if (response.headersSent) return void response.destroy();
    const answer = this.#app.invoker.failure(entry.module, error, requestId);
    const told = status ?? statusOfRefusal(answer, error);
    if (told === 401) response.setHeader('www-authenticate', challengeFor(this.#app, request, operationsResource));
    writeAnswer(response, requestId, told, answer, this.#stopping.aborted);
    if (!request.complete) drain(request);
  }

  #refuseLargeBody({ entry, request, response, requestId }: Exchange): void {
    const answer = this.#app.invoker.failure(entry.module, fail('invalid_parameter', largeBodyMessage()), requestId);
    answerLargeBody(request, response, bodyOf(answer, requestId), requestId);
  }
}
