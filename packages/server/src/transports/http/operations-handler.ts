import type { ServerResponse } from 'node:http';
import type { App } from '../../app.ts';
import type { Caller } from '../../context.ts';
import { takeCommonFields } from '../../kernel/common-fields.ts';
import type { Answer, Call } from '../../kernel/invoker.ts';
import { basePath, type OperationEntry } from '../../kernel/module.ts';
import { bodyOf, errorStatus, HttpFailure, statusOf, writeAnswer } from './answer.ts';
import { accountHeader, authenticateCaller } from './authenticate.ts';
import { failureStatusOf } from './failure-status.ts';
import type { IncomingRequest } from './incoming-request.ts';
import { isJson, notJsonMessage, parseJsonBody } from './json-body.ts';
import { bearerChallenge, operationsResource, scopeChallenge } from './oauth/protected-resource.ts';
import { disconnectSignal, requestIdOf } from './request.ts';
import {
  answerContentTooLarge,
  checkDeclaredLength,
  collectBody,
  ContentTooLarge,
  drainBody,
  type BodyBudget,
} from './request-body.ts';

interface Exchange {
  readonly entry: OperationEntry;
  readonly request: IncomingRequest;
  readonly response: ServerResponse;
  readonly requestId: string;
}

/**
 * Serves the operations directly on Node's HTTP server. Nearly all requests are operations, and a framework would cost
 * as much as a small operation (docs/decisions/operations-over-http.md).
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

  /** Handles a request if its path is an operation. Returns whether it handled the request. */
  handle(request: IncomingRequest, response: ServerResponse): boolean {
    if (request.method !== 'POST') return false;
    const url = request.url!;
    const entry = this.#entries.get(url) ?? this.#entries.get(url.split('?', 1)[0]!);
    if (!entry) return false;
    this.#authenticate({ entry, request, response, requestId: requestIdOf(request) });
    return true;
  }

  /**
   * Authenticates the caller before reading the body, so that callers without a key cannot make the server read or
   * parse a body.
   */
  #authenticate(exchange: Exchange): void {
    try {
      const caller = authenticateCaller(this.#app, exchange.request, exchange.entry.module);
      if (!(caller instanceof Promise)) return this.#readBody(exchange, caller);
      caller.then((found) => this.#readBody(exchange, found)).catch((error: unknown) => this.#refuse(exchange, error));
    } catch (error) {
      this.#refuse(exchange, error);
    }
  }

  #readBody(exchange: Exchange, caller: Caller): void {
    const { request, response } = exchange;
    const options = { reserve: this.#budget.reserve(caller.userId, response) };
    checkDeclaredLength(request, options);
    if (request.headers.expect !== undefined) response.writeContinue();
    const run = (bytes: Uint8Array): void => this.#run(exchange, caller, bytes);
    collectBody(request, options, this.#app.tracer?.bind(run) ?? run, (error) => this.#refuse(exchange, error));
  }

  #run(exchange: Exchange, caller: Caller, bytes: Uint8Array): void {
    const { entry, request, response, requestId } = exchange;
    if (bytes.length > 0 && !isJson(request.headers['content-type']))
      return this.#refuse(exchange, new HttpFailure(415, 'invalid_parameter', notJsonMessage(request)));
    const idempotencyKey = request.headers['idempotency-key'];
    let raw: unknown;
    try {
      // If there is an idempotency key, use the general JSON parser instead of the operation's own `readBody`. A retry
      // is recognized by a hash of the parsed JSON, but `readBody` returns another form.
      const json = (): unknown => parseJsonBody(bytes, { maxValues: entry.operation.maxValues });
      const read = idempotencyKey === undefined ? entry.operation.readBody?.(bytes) : undefined;
      raw = read instanceof Promise ? read.then((found) => found ?? json()) : (read ?? json());
    } catch (error) {
      return this.#refuse(exchange, error, caller);
    }
    const call = {
      caller,
      requestId,
      // Abort a long read when the client disconnects.
      signal:
        entry.operation.isLong && entry.operation.effect === 'read'
          ? disconnectSignal(response, this.#stopping)
          : this.#stopping,
      idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : undefined,
    };
    if (!(raw instanceof Promise)) return this.#invoke(exchange, raw, call);
    raw
      .then((read) => this.#invoke(exchange, read, call))
      .catch((error: unknown) => this.#refuse(exchange, error, caller));
  }

  #invoke(exchange: Exchange, sent: unknown, given: Call): void {
    const { entry, requestId } = exchange;
    const { raw, call } = takeCommonFields(entry.operation, sent, given);
    this.#app.invoker
      .invoke(entry, raw, call)
      .then((answer) => {
        const { request, response } = exchange;
        if (answer.scope !== undefined)
          response.setHeader('www-authenticate', scopeChallenge(this.#app, request, operationsResource, answer.scope));
        if (call.caller.via === 'session') response.setHeader(accountHeader, call.caller.userId);
        writeAnswer(response, requestId, this.#statusOf(answer, call.caller), answer, this.#stopping.aborted);
      })
      // Also handle an error from writing the answer. It means that the answer cannot be serialized, which is a fault
      // of the server.
      .catch((error: unknown) => this.#refuse(exchange, error));
  }

  #statusOf(answer: Answer, caller: Caller): number {
    return this.#app.config.SHEAF_FAILURE_STATUS === 'http' ? failureStatusOf(answer, caller) : statusOf(answer);
  }

  #refuse({ entry, request, response, requestId }: Exchange, error: unknown, caller?: Caller): void {
    if (response.headersSent) return void response.destroy();
    const answer = this.#app.invoker.toErrorAnswer(entry.module, error, requestId);
    if (error instanceof ContentTooLarge)
      return answerContentTooLarge(request, response, bodyOf(answer, requestId), requestId);
    const status =
      caller === undefined || error instanceof HttpFailure
        ? errorStatus(answer, error)
        : this.#statusOf(answer, caller);
    if (status === 401) response.setHeader('www-authenticate', bearerChallenge(this.#app, request, operationsResource));
    writeAnswer(response, requestId, status, answer, this.#stopping.aborted);
    if (!request.complete) drainBody(request);
  }
}
