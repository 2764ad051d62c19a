import { Store } from '../../ui/store.ts';
import { RetryTimer } from '../retry-timer.ts';
import { UnreachableError } from '../unreachable-error.ts';
import { isKeyExpired, type FailureKind } from '../request-retries.ts';
import type { PendingEditStore, PendingEdit } from './pending-edit-store.ts';

export interface OutboxState {
  /**
   * `saved`: the server has confirmed all edits. `saving`: edits are being sent. `away`: the server does not respond,
   * and unconfirmed edits are queued.
   */
  readonly kind: 'saved' | 'saving' | 'away';
  readonly pendingCount: number;
  /**
   * True if all unconfirmed edits that can be sent later are in the browser's storage, so that they survive a reload.
   */
  readonly isPersisted: boolean;
}

export interface OutboxOptions<Call, Answer> {
  readonly entries: PendingEditStore<Call>;
  /** Sends one edit. The entry's id is the idempotency key. */
  send(entry: PendingEdit<Call>): Promise<Answer>;
  classifyError(error: unknown): FailureKind;
  /** Returns whether the edit can be queued while the server is unreachable. Other edits are then rejected. */
  canSendLater(call: Call): boolean;
  /** Enables sending several edits in one request; undefined if the server does not support it. */
  readonly batch?: BatchOptions<Call, Answer>;
  now(): number;
}

export interface BatchOptions<Call, Answer> {
  /** Returns how many of the first entries fit into one request. */
  count(entries: readonly PendingEdit<Call>[]): number;
  /**
   * Sends the entries; the id of each entry is its idempotency key. Returns the outcomes in the order of the entries.
   * There may be fewer outcomes than entries; the server did not try the remaining entries.
   */
  send(entries: readonly PendingEdit<Call>[]): Promise<readonly PushOutcome<Answer>[]>;
}

export type PushOutcome<Answer> = { readonly answer: Answer } | { readonly error: unknown };

export interface RejectedEdit<Call> {
  readonly entry: PendingEdit<Call>;
  /** The server's error message. Empty if the edit is so old that it is unknown whether it was applied. */
  readonly message: string;
  /** The error with which `push` rejected; undefined for an edit from an earlier page load. */
  readonly error?: unknown;
}

export type OutboxEvent<Call, Answer> =
  | { readonly kind: 'added'; readonly entry: PendingEdit<Call> }
  | { readonly kind: 'dropped'; readonly entry: PendingEdit<Call> }
  | { readonly kind: 'sent'; readonly entry: PendingEdit<Call>; readonly answer: Answer };

interface QueueItem<Call> {
  readonly work: () => Promise<unknown>;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** The edit to send. Undefined for other work in the queue, which `runExclusive` adds. */
  entry: PendingEdit<Call> | undefined;
  readonly canWait: boolean;
  isSafe: boolean;
  tries: number;
}

const maxUncertainTries = 5;

/**
 * Sends edits to the server in order. Retries use the same idempotency key, so that no edit is applied twice.
 *
 * Edits made during a request are sent together in the next request, if batches are supported. An edit that can be sent
 * later is stored in the browser from before the first attempt until the server responds. If the server rejects it, it
 * is stored with the reason until the user decides about it.
 */
export class Outbox<Call, Answer> {
  readonly state = new Store<OutboxState>({ kind: 'saved', pendingCount: 0, isPersisted: true });
  readonly rejected = new Store<readonly RejectedEdit<Call>[]>([]);
  readonly #options: OutboxOptions<Call, Answer>;
  readonly #items: QueueItem<Call>[] = [];
  readonly #listeners = new Set<(event: OutboxEvent<Call, Answer>) => void>();
  readonly #retry = new RetryTimer(() => void this.#run());
  #isRunning = false;
  /** Number of edits that must be sent individually, because the server rejected them as a batch. */
  #alone = 0;

  constructor(options: OutboxOptions<Call, Answer>) {
    this.#options = options;
  }

  /**
   * Queues the unconfirmed edits of earlier page loads and lists the rejected ones. The caller must call this once,
   * before it adds any edit.
   */
  resume(): void {
    for (const entry of this.#options.entries.all()) {
      if (entry.refused === undefined) this.#add(entry, true, ignore, ignore);
      else this.rejected.set([...this.rejected.get(), { entry, message: entry.refused }]);
    }
    void this.#run();
  }

  /**
   * Queues an edit. Resolves when the server confirms it. Rejects when the server rejects it, or if the server is
   * unreachable and the edit cannot be sent later.
   */
  push(call: Call): Promise<Answer> {
    const { entries, canSendLater, now } = this.#options;
    const waits = canSendLater(call);
    if (!waits && this.#isAway) return Promise.reject(new UnreachableError('the server cannot be reached'));
    const entry = entries.create(call, now(), this.#items.length === 0);
    const isSafe = waits && entries.put(entry);
    return new Promise<unknown>((resolve, reject) => {
      this.#add(entry, isSafe, resolve, reject);
      void this.#run();
    }) as Promise<Answer>;
  }

  /**
   * Runs `work` after the server has responded to all queued edits, and before any later edit is sent. Rejects if the
   * server is unreachable.
   */
  runExclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isAway) return Promise.reject(new UnreachableError('the server cannot be reached'));
    return new Promise<unknown>((resolve, reject) => {
      this.#items.push({ work, resolve, reject, entry: undefined, canWait: false, isSafe: false, tries: 0 });
      void this.#run();
    }) as Promise<Result>;
  }

  /**
   * Removes the newest edit from the queue and returns it. Returns undefined if this edit may already have been sent or
   * cannot be withdrawn. The promise that `push` returned for a removed edit never settles.
   */
  withdraw(): Call | undefined {
    const last = this.#items.at(-1);
    if (!last?.entry || !last.canWait || last.tries > 0 || last.entry.tried) return undefined;
    this.#items.pop();
    this.#options.entries.remove(last.entry);
    this.#emit({ kind: 'dropped', entry: last.entry });
    this.#tell();
    return last.entry.call;
  }

  /** Sends the queued edits immediately instead of waiting until the delay after a failed attempt has passed. */
  retryNow(): void {
    this.#retry.runNow();
  }

  /** Unconfirmed edits, oldest first. */
  get pending(): readonly PendingEdit<Call>[] {
    return this.#items.flatMap(({ entry }) => entry ?? []);
  }

  listen(listener: (event: OutboxEvent<Call, Answer>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Queues a rejected edit again as a new edit. Returns undefined if there is no rejected edit with this id. */
  resend(id: string): Promise<Answer> | undefined {
    const found = this.discard(id);
    return found && this.push(found.entry.call);
  }

  /** Deletes a rejected edit and returns it. Returns undefined if there is no rejected edit with this id. */
  discard(id: string): RejectedEdit<Call> | undefined {
    const found = this.rejected.get().find(({ entry }) => entry.id === id);
    if (!found) return undefined;
    this.#options.entries.remove(found.entry);
    this.rejected.set(this.rejected.get().filter((one) => one !== found));
    return found;
  }

  /** Deletes the rejected edit that failed with this error. Called when its text has been reopened for editing. */
  discardByError(error: unknown): void {
    const found = this.rejected.get().find((one) => one.error === error);
    if (found) this.discard(found.entry.id);
  }

  get #isAway(): boolean {
    return this.#retry.isWaiting || (this.#isRunning && this.#retry.hasFailed);
  }

  #add(
    entry: PendingEdit<Call>,
    isSafe: boolean,
    resolve: QueueItem<Call>['resolve'],
    reject: QueueItem<Call>['reject'],
  ): void {
    const item: QueueItem<Call> = {
      work: () => this.#options.send(item.entry!),
      resolve,
      reject,
      entry,
      canWait: this.#options.canSendLater(entry.call),
      isSafe,
      tries: 0,
    };
    this.#items.push(item);
    this.#emit({ kind: 'added', entry });
    this.#tell();
  }

  async #run(): Promise<void> {
    if (this.#isRunning || this.#retry.isWaiting) return;
    this.#isRunning = true;
    while (this.#items.length > 0) if (!(await this.#try(this.#next()))) break;
    this.#isRunning = false;
    this.#tell();
  }

  /**
   * Returns the queue items of the next request. After a failed request this is a single item, which tests whether the
   * server is reachable again. After `retryNow` it is as many items as one request takes.
   */
  #next(): readonly QueueItem<Call>[] {
    const { batch } = this.#options;
    const first = this.#items.slice(0, 1);
    if (!batch || this.#retry.hasFailed) return first;
    if (this.#alone > 0) {
      this.#alone -= 1;
      return first;
    }
    const end = this.#items.findIndex((item) => item.entry === undefined || this.#isTooOld(item));
    const edits = end < 0 ? this.#items.slice() : this.#items.slice(0, end);
    return edits.length < 2 ? first : edits.slice(0, Math.max(1, batch.count(edits.map(({ entry }) => entry!))));
  }

  /**
   * Sends queue items and handles their outcomes. Returns false if no further items may be sent for now, for example
   * because the server is unreachable.
   */
  async #try(items: readonly QueueItem<Call>[]): Promise<boolean> {
    if (this.#isTooOld(items[0]!)) {
      this.#refuse(items[0]!, '', new Error('kept for too long'));
      return true;
    }
    for (const item of items) this.#markTried(item);
    this.#tell();
    for (const [index, outcome] of (await this.#outcomes(items)).entries())
      if (!this.#settle(items[index]!, outcome)) return false;
    return true;
  }

  async #outcomes(items: readonly QueueItem<Call>[]): Promise<readonly PushOutcome<unknown>[]> {
    try {
      if (items.length === 1) return [{ answer: await items[0]!.work() }];
      return await this.#options.batch!.send(items.map(({ entry }) => entry!));
    } catch (error) {
      if (items.length === 1 || this.#options.classifyError(error) !== 'refused') return [{ error }];
      // The server rejected the batch. Send each edit individually to find the one that causes the rejection.
      this.#alone = items.length;
      return [];
    }
  }

  /** Handles the outcome of one edit. Returns false if the queue must wait before it continues. */
  #settle(item: QueueItem<Call>, outcome: PushOutcome<unknown>): boolean {
    if ('answer' in outcome) {
      this.#retry.succeed();
      this.#items.splice(this.#items.indexOf(item), 1);
      if (item.entry) {
        this.#options.entries.remove(item.entry);
        this.#emit({ kind: 'sent', entry: item.entry, answer: outcome.answer as Answer });
      }
      item.resolve(outcome.answer);
      return true;
    }
    const { error } = outcome;
    const verdict = item.canWait ? this.#options.classifyError(error) : 'refused';
    if (verdict === 'refused' || (verdict === 'unsure' && item.tries >= maxUncertainTries)) {
      this.#refuse(item, error instanceof Error ? error.message : String(error), error);
      return true;
    }
    this.#wait(error);
    return false;
  }

  #markTried(item: QueueItem<Call>): void {
    item.tries += 1;
    if (!item.entry || item.entry.tried) return;
    item.entry = { ...item.entry, tried: true };
    if (item.isSafe) item.isSafe = this.#options.entries.put(item.entry);
  }

  #isTooOld({ entry, canWait }: QueueItem<Call>): boolean {
    return entry !== undefined && canWait && entry.tried && isKeyExpired(entry.at, this.#options.now());
  }

  #refuse(item: QueueItem<Call>, message: string, error: unknown): void {
    this.#items.splice(this.#items.indexOf(item), 1);
    if (item.entry) {
      // Store the rejection before reporting it, so that nothing is lost if the page is closed now.
      if (item.canWait) {
        const entry = { ...item.entry, refused: message };
        this.#options.entries.put(entry);
        this.rejected.set([...this.rejected.get(), { entry, message, error }]);
      }
      this.#emit({ kind: 'dropped', entry: item.entry });
    }
    item.reject(error);
  }

  #wait(error: unknown): void {
    this.#retry.schedule();
    // Reject the edits that must not be applied later, because the user continues to edit while the queue waits for the
    // server. For example, a row inserted later would move the cells that the user edits now.
    for (const item of this.#items.filter((one) => !one.canWait)) this.#refuse(item, '', error);
  }

  #emit(event: OutboxEvent<Call, Answer>): void {
    for (const listener of this.#listeners) listener(event);
  }

  #tell(): void {
    const edits = this.#items.filter(({ entry }) => entry !== undefined);
    const kind = this.#items.length === 0 ? 'saved' : this.#isAway ? 'away' : 'saving';
    const next: OutboxState = {
      kind,
      pendingCount: edits.length,
      isPersisted: edits.every(({ isSafe, canWait }) => isSafe || !canWait),
    };
    const now = this.state.get();
    if (now.kind !== next.kind || now.pendingCount !== next.pendingCount || now.isPersisted !== next.isPersisted)
      this.state.set(next);
  }
}

function ignore(): void {
  // Used for edits from earlier page loads. No code waits for the promises of these edits, and events report their
  // outcomes.
}
