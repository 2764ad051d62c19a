import type { BodyLink, Caller, Context, Picture, Progress, Reply, Services } from '../context.ts';
import { IdempotencyKeyConflict, type IdempotencyStore, type StoredAnswer } from '../ports/idempotency-store.ts';
import type { Stamp } from '../ports/audit-stamp.ts';
import { NotWritable } from '../ports/availability-errors.ts';
import { ChangeSignal } from './change-signal.ts';
import { mayWrite } from './access-changes.ts';
import { Failure, fail } from './errors.ts';
import { fingerprintCall } from './call-fingerprint.ts';
import { ignoresUnknownFields, type OperationEntry, type Module } from './module.ts';
import type { Metrics } from './metrics.ts';
import { explainIssue, parseInput, formatValue } from './parse-input.ts';
import type { TokenBucketLimit, RateLimit } from './rate-limit.ts';
import { RawJson } from './raw-json.ts';
import { requiredScope } from './oauth-scopes.ts';
import { replaceTitles, titleReferences, type TitleReference } from './title-references.ts';
import { serializeAnswer, deserializeAnswer, secretAnswerMarker, createAnswerRecorder } from './idempotent-answer.ts';

/** The result of a call, which each transport converts to its own format. */
export interface Answer {
  /** Result of the call as a word: 'ok', or the name of the error. */
  readonly word: string;
  readonly code: number;
  readonly msg: string;
  readonly data: Record<string, unknown> | RawJson;
  readonly retryAfter?: number;
  readonly version?: number;
  readonly notice?: string;
  readonly link?: BodyLink;
  readonly picture?: Picture;
  /** OAuth scopes, separated by spaces, that an app must request to be allowed the refused call. */
  readonly scope?: string;
}

export interface Call {
  readonly caller: Caller;
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly idempotencyKey?: string;
  /** Reason for the write, in the caller's own words. */
  readonly reason?: string;
  /** W3C `traceparent` header of the caller, for the log. */
  readonly trace?: string;
  /** Name of the calling program, as the program states it, for the log. */
  readonly client?: string;
  readonly progress?: (progress: Progress) => void;
}

interface IdempotencyKey {
  readonly key: string;
  /** Hash of the operation and its input. It distinguishes a retry from a different request with the same key. */
  readonly fingerprint: string;
}

function ignoreProgress(): void {}

export type ContextOf = new (call: Call, stamp: Stamp, stored: Reply['stored']) => Context;

/**
 * Builds a class for call contexts that inherits the services through its prototype. Copying the services for every
 * call would cost more than most calls.
 */
export function contextClass(services: Services): ContextOf {
  class CallContext {
    readonly caller: Caller;
    readonly stamp: Stamp;
    readonly requestId: string;
    readonly signal: AbortSignal;
    readonly reply: Reply;
    readonly progress: Context['progress'];
    readonly wantsProgress: boolean;

    constructor(call: Call, stamp: Stamp, stored: Reply['stored']) {
      this.caller = call.caller;
      this.stamp = stamp;
      this.reply = { version: undefined, stored };
      this.requestId = call.requestId;
      this.signal = call.signal;
      this.wantsProgress = call.progress !== undefined;
      this.progress = call.progress ?? ignoreProgress;
    }
  }
  Object.setPrototypeOf(CallContext.prototype, services);
  return CallContext as unknown as ContextOf;
}

const firstCallWaitMs = 10_000;
/**
 * Seconds after which callers may retry while the database refuses writes. Longer than the delay for a database
 * restart, because a full disk or a read-only standby lasts longer than a restart.
 */
const refusedSeconds = 10;
const maxKeyLength = 200;
const maxReasonLength = 500;
const maxSecretAnswers = 1000;
const maxUsedKeys = 10_000;

/** Returns the rate limit per API key: the configured number of calls per second, and four times as many in a burst. */
export function callRateLimit(config: Services['config']): TokenBucketLimit {
  return { rate: config.SHEAF_RATE_LIMIT, burst: config.SHEAF_RATE_LIMIT * 4 };
}

/**
 * Runs every call of every transport: checks the rate limit, authorizes, parses the input, checks the Idempotency-Key,
 * runs the operation, checks the answer, logs and measures.
 */
export class Invoker {
  readonly #services: Services;
  readonly #calls: IdempotencyStore;
  readonly #metrics: Metrics;
  readonly #limit: RateLimit;
  readonly #signal: ChangeSignal;
  readonly #Context: ContextOf;
  readonly #inFlight = new Map<string, Promise<Answer>>();
  /**
   * Idempotency keys, each with its user, that this node has seen recently. Before a call with one of these keys runs,
   * its stored answer is looked up.
   */
  readonly #usedKeys = new Set<string>();
  readonly #secretAnswers = new Map<string, Answer>();

  constructor(services: Services, calls: IdempotencyStore, metrics: Metrics, limit: RateLimit) {
    this.#services = services;
    this.#calls = calls;
    this.#metrics = metrics;
    this.#Context = contextClass(services);
    this.#limit = limit;
    this.#signal = new ChangeSignal(services);
  }

  /**
   * Runs a call. The input is parsed first and the raw input is then no longer referred to, so that a large request
   * body does not stay in memory during a long call.
   */
  invoke(entry: OperationEntry, raw: unknown, call: Call): Promise<Answer> {
    const started = performance.now();
    try {
      this.enforceRateLimit(call.caller);
      this.#authorize(entry, call.caller);
      refuseInvalidReason(call.reason);
      const key = entry.operation.effect === 'read' ? undefined : call.idempotencyKey;
      if (key !== undefined) refuseMalformedKey(key);
      const references = titleReferences(entry, raw);
      if (references.length > 0)
        return this.#observe(entry, call, started, this.#runByTitle(entry, raw, call, { key, references }));
      if (key === undefined)
        return this.#observe(
          entry,
          call,
          started,
          afterParsing(this.#parse(entry, raw), (input) => this.#run(entry, input, call)),
        );
      const fingerprint = fingerprintCall(entry.name, raw);
      const run = (found: string): Promise<Answer> =>
        afterParsing(this.#parse(entry, raw), (input) =>
          this.#runOnce(entry, input, call, { key, fingerprint: found }),
        );
      return this.#observe(
        entry,
        call,
        started,
        typeof fingerprint === 'string' ? run(fingerprint) : fingerprint.then(run),
      );
    } catch (error) {
      return this.#observe(entry, call, started, Promise.reject(error));
    }
  }

  /**
   * Runs a call whose input has titles in place of ids. The answer's notice says which object each title stands for.
   */
  async #runByTitle(
    entry: OperationEntry,
    raw: unknown,
    call: Call,
    { key, references }: { readonly key: string | undefined; readonly references: readonly TitleReference[] },
  ): Promise<Answer> {
    const { input, taken } = await replaceTitles(references, raw as Record<string, unknown>, {
      caller: call.caller,
      titles: this.#services.titles,
    });
    const parsed = (await this.#parse(entry, input)) as never;
    // Compute the fingerprint from the input as sent, in which titles stand in place of ids. A retry is then recognized
    // even if an object was renamed meanwhile.
    const answer =
      key === undefined
        ? await this.#run(entry, parsed, call)
        : await this.#runOnce(entry, parsed, call, { key, fingerprint: await fingerprintCall(entry.name, raw) });
    if (taken === '') return answer;
    return { ...answer, notice: answer.notice === undefined ? taken : `${taken}; ${answer.notice}` };
  }

  #parse(entry: OperationEntry, raw: unknown): unknown {
    return parseInput(entry.operation, raw, !ignoresUnknownFields(entry));
  }

  /**
   * Charges one call to the rate limit of the caller's key, or throws if the limit is used up. Callers on the server
   * itself (`local`) have no limit.
   */
  enforceRateLimit(caller: Caller): void {
    const wait = caller.via === 'local' ? 0 : this.#limit.take(caller.keyId);
    if (wait > 0)
      throw fail(
        'rate_limited',
        `more than ${this.#services.config.SHEAF_RATE_LIMIT} requests per second; try again in ${wait} s`,
        { retryAfter: wait },
      );
  }

  /**
   * Returns whether the caller's key and role permit the operation. Access to the objects in the input is checked by
   * the operation itself.
   */
  mayCall(entry: OperationEntry, caller: Caller): boolean {
    try {
      this.#authorize(entry, caller);
      return true;
    } catch (error) {
      if (error instanceof Failure) return false;
      throw error;
    }
  }

  async #observe(entry: OperationEntry, call: Call, started: number, running: Promise<Answer>): Promise<Answer> {
    const answer = await running.catch((error: unknown) => this.toErrorAnswer(entry.module, error, call.requestId));
    const seconds = (performance.now() - started) / 1000;
    this.#metrics.observe(entry.name, answer.word, seconds);
    const fields = {
      requestId: call.requestId,
      userId: call.caller.userId,
      keyId: call.caller.keyId,
      operation: entry.name,
      code: answer.code,
      seconds,
      ...(call.trace === undefined ? {} : { trace: call.trace }),
      ...(call.client === undefined ? {} : { client: call.client }),
    };
    if (entry.operation.effect === 'read') this.#services.log.debug(fields, 'call');
    else this.#services.log.info(fields, 'call');
    return answer;
  }

  /**
   * Converts a thrown error to an answer with the module's error code. Any error other than a Failure is a server
   * fault: it is logged, and the caller gets no internal details.
   */
  toErrorAnswer(module: Pick<Module, 'errors' | 'name'>, error: unknown, requestId: string): Answer {
    const failed = error instanceof Failure ? error : this.#toFault(error, requestId);
    const entry = module.errors[failed.word] ?? module.errors.internal;
    return {
      word: module.errors[failed.word] ? failed.word : 'internal',
      code: entry.code,
      msg: failed.message,
      data: { ...failed.data },
      retryAfter: failed.retryAfter,
      ...(failed.scope === undefined ? {} : { scope: failed.scope }),
    };
  }

  #toFault(error: unknown, requestId: string): Failure {
    this.#services.log.error({ requestId, err: error }, 'fault');
    if (error instanceof NotWritable)
      return fail('busy', `nothing can be written: ${error.message}; try again later`, { retryAfter: refusedSeconds });
    if ((error as { retryable?: boolean } | undefined)?.retryable)
      return fail('busy', 'an upstream service did not respond; try again', { retryAfter: 1 });
    return fail('internal', `internal error; the server log has details under request id ${requestId}`);
  }

  #authorize(entry: OperationEntry, caller: Caller): void {
    const { operation, module } = entry;
    const effect = operation.effect === 'read' ? 'read' : 'write';
    const wanted = caller.via === 'app' ? { scope: requiredScope(caller, module, effect) } : {};
    if (!caller.modules.includes('*') && !caller.modules.includes(module.name) && !operation.anyKey) {
      throw fail(
        'no_permission',
        `this ${credentialName(caller)} has no access to the module ${module.name} (it has access to ${caller.modules.join(', ')})`,
        wanted,
      );
    }
    if (operation.effect !== 'read' && !mayWrite(caller, module.name))
      throw fail(
        'no_permission',
        `this ${credentialName(caller)} is read-only${caller.access === 'write' ? ` in the module ${module.name}` : ''}; ` +
          `${operation.name} requires write access`,
        wanted,
      );
    if (operation.ownerOnly && caller.role !== 'owner')
      throw fail('no_permission', `only the owner of this installation may call ${operation.name}`);
  }

  async #run(entry: OperationEntry, input: never, call: Call, key?: IdempotencyKey): Promise<Answer> {
    const { operation } = entry;
    const stamp: Stamp = {
      at: this.#services.clock.now(),
      userId: call.caller.userId,
      keyId: call.caller.keyId,
      operation: entry.name,
      requestId: call.requestId,
      idempotencyKey: key?.key,
      fingerprint: key?.fingerprint,
      reason: call.reason,
    };
    const isChecked = this.#services.config.checkOutput;
    const isStored = operation.effect !== 'read' && (isChecked || key !== undefined);
    const stored = isStored ? { isSecret: operation.secretAnswer === true } : undefined;
    const context = new this.#Context(call, stamp, stored);
    const data = (await operation.run(input, context)) as Record<string, unknown> | RawJson;
    if (isChecked) checkOutput(entry, data);
    const { version, notice, link, picture } = context.reply;
    if (operation.effect !== 'read') {
      this.#signal.noteWrite();
      if (isChecked) this.#checkStored(entry, stamp, context.reply, data);
      if (!this.#calls.isRecorded(stamp)) {
        stamp.answer = createAnswerRecorder(context.reply, () => data);
        await this.#calls.record(stamp);
      }
    }
    return {
      word: 'ok',
      code: 0,
      msg: 'success',
      data,
      version,
      ...(notice === undefined ? {} : { notice }),
      ...(link ? { link } : {}),
      ...(picture ? { picture } : {}),
    };
  }

  /**
   * Throws if the answer that was stored for retries of a write is missing or differs from the answer that the caller
   * gets. Finds faults in the code of operations. Called only if `checkOutput` is set (in tests and development).
   */
  #checkStored(
    entry: OperationEntry,
    stamp: Stamp,
    { stored, version }: Reply,
    data: Record<string, unknown> | RawJson,
  ): void {
    if (stored?.text === undefined && !this.#calls.isRecorded(stamp)) return;
    if (stored?.text !== (stored?.isSecret ? secretAnswerMarker : serializeAnswer(data, version)))
      throw new Error(`${entry.name} must give the answer that it stores with its effect (see writeAndAnswer())`);
  }

  /** Runs a write with an Idempotency-Key at most once. Concurrent and later retries get the same answer. */
  async #runOnce(
    entry: OperationEntry,
    input: never,
    call: Call,
    { key, fingerprint }: IdempotencyKey,
  ): Promise<Answer> {
    const slot = idempotencySlot(call.caller.userId, key);
    const first = this.#inFlight.get(slot);
    if (first) await first.catch(() => undefined);
    // Look up a stored answer only if there may be one, because nearly every key is new. For an operation with a single
    // write, look it up only if this node has seen the key, because the write itself fails if the key was used.
    if (!entry.operation.isOneWrite || first || this.#usedKeys.has(slot)) {
      const stored = await this.#calls.findAnswer(call.caller.userId, key);
      if (stored) return this.#replayAnswer(stored, fingerprint, call.caller.userId, key);
    }
    const again = this.#inFlight.get(slot);
    if (again) return this.#runOnce(entry, input, call, { key, fingerprint });
    const turn = this.#runFirst(entry, input, call, { key, fingerprint });
    this.#inFlight.set(slot, turn);
    try {
      return await turn;
    } finally {
      this.#inFlight.delete(slot);
    }
  }

  async #runFirst(entry: OperationEntry, input: never, call: Call, key: IdempotencyKey): Promise<Answer> {
    const slot = idempotencySlot(call.caller.userId, key.key);
    try {
      const answer = await this.#run(entry, input, call, key);
      this.#rememberKey(slot);
      if (entry.operation.secretAnswer) this.#cacheSecretAnswer(slot, answer);
      return answer;
    } catch (error) {
      // Look for a stored answer, because the error may only mean that an earlier attempt of this call succeeded, on
      // this or another node.
      if (!(error instanceof IdempotencyKeyConflict) && !(error instanceof Failure)) throw error;
      const stored = await this.#calls.findAnswer(call.caller.userId, key.key);
      if (!stored) throw error;
      this.#rememberKey(slot);
      return this.#replayAnswer(stored, key.fingerprint, call.caller.userId, key.key);
    }
  }

  #rememberKey(slot: string): void {
    this.#usedKeys.add(slot);
    if (this.#usedKeys.size > maxUsedKeys) this.#usedKeys.delete(this.#usedKeys.keys().next().value!);
  }

  /**
   * Caches an answer that contains a secret, so that retries get it too. It stays in memory only, so that neither the
   * database nor its backups contain the secret.
   */
  #cacheSecretAnswer(slot: string, answer: Answer): void {
    if (this.#secretAnswers.size >= maxSecretAnswers) this.#secretAnswers.clear();
    this.#secretAnswers.set(slot, answer);
  }

  async #replayAnswer(stored: StoredAnswer, fingerprint: string, userId: string, key: string): Promise<Answer> {
    if (stored.fingerprint !== fingerprint)
      throw fail(
        'conflict',
        `Idempotency-Key ${formatValue(key)} was used before for another request (${stored.operation})`,
      );
    const until = performance.now() + firstCallWaitMs;
    let found: StoredAnswer | undefined = stored;
    while (found && found.answer === null && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      found = await this.#calls.findAnswer(userId, key);
    }
    if (!found?.answer)
      throw fail(
        'conflict',
        `the first call with Idempotency-Key ${formatValue(key)} was applied, but its response was lost when the server stopped`,
        { data: { applied: true } },
      );
    if (found.answer === secretAnswerMarker) {
      const kept = this.#secretAnswers.get(idempotencySlot(userId, key));
      if (!kept)
        throw fail(
          'conflict',
          `the first call with Idempotency-Key ${formatValue(key)} was applied; its response contained a secret, ` +
            'which is not stored: revoke what the first call created and call again with another key',
        );
      return kept;
    }
    const { data, version } = deserializeAnswer(found.answer);
    return { word: 'ok', code: 0, msg: 'success', data, version };
  }
}

/**
 * Calls `run` with the parsed input. If `input` is a promise, because a large input is parsed asynchronously, it is
 * awaited first.
 */
function afterParsing(input: unknown, run: (input: never) => Promise<Answer>): Promise<Answer> {
  return input instanceof Promise ? input.then(run as (read: unknown) => Promise<Answer>) : run(input as never);
}

/** Returns the name for the kind of credential that the caller used, for error messages. */
function credentialName(caller: Caller): string {
  return caller.via === 'app' ? 'app' : 'API key';
}

function refuseMalformedKey(key: string): void {
  if (key === '' || key.length > maxKeyLength)
    throw fail('invalid_parameter', `Idempotency-Key: must be 1 to ${maxKeyLength} characters (got ${key.length})`);
}

function refuseInvalidReason(reason: string | undefined): void {
  if (reason === undefined) return;
  if (reason.length > maxReasonLength)
    throw fail('invalid_parameter', `reason: must be at most ${maxReasonLength} characters (got ${reason.length})`);
  if (/\p{Surrogate}/u.test(reason))
    throw fail('invalid_parameter', `reason: must not contain half a surrogate pair (got ${formatValue(reason)})`);
}

function idempotencySlot(userId: string, key: string): string {
  return `${userId}\n${key}`;
}

function checkOutput(entry: OperationEntry, data: Record<string, unknown> | RawJson): void {
  const plain = data instanceof RawJson ? data.parse() : data;
  const checked = entry.operation.output.safeParse(plain);
  if (!checked.success) {
    throw new Error(
      `${entry.name} returned a result that violates its own schema: ${explainIssue(checked.error.issues[0]!, plain)}`,
    );
  }
}
