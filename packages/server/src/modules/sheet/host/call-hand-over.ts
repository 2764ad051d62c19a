import { runInBackground } from '../../../lib/background-tasks.ts';
import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import { newId } from '../../../lib/ids.ts';
import { createAnswerRecorder, deserializeAnswer } from '../../../kernel/idempotent-answer.ts';
import { RawJson } from '../../../kernel/raw-json.ts';
import type { LeaseHolder } from '../../../ports/document-leases.ts';
import { IdempotencyKeyConflict, type IdempotencyStore } from '../../../ports/idempotency-store.ts';
import { maxCallBytes, NodeUnavailable, type NodeCalls } from '../../../ports/node-calls.ts';
import type { DocumentHomes } from './document-homes.ts';
import { callKind, encodeCalls, resultOf, type AnswerPart, type HandedOverCall } from './handed-over-call.ts';
import type { HostServices } from './host-services.ts';
import type { CallResult, QueuedCall } from './queued-call.ts';

const maxCallsPerHandOver = 128;
/**
 * Maximum number of concurrent requests per document with which this server node forwards calls to the node that holds
 * the document. With two requests, that node has calls to run while it still sends the answers of the first request.
 */
const maxHandOversAtOnce = 2;
const maxAttempts = 3;

interface Outbox {
  readonly file: string;
  readonly waiting: QueuedCall[];
  senders: number;
}

interface HandOverServices extends Pick<HostServices, 'sheets' | 'log'> {
  readonly homes: DocumentHomes;
  readonly nodeCalls: NodeCalls;
  readonly answers: Pick<IdempotencyStore, 'findAnswer' | 'markRecorded'>;
  /** Name by which this node identifies itself to the nodes that hold documents. */
  readonly node: string;
}

/** Functions that run or check a call on this server node. */
interface LocalCalls {
  run(file: string, call: QueuedCall): void;
  /** Checks again that the caller may make the call; throws otherwise. */
  checkAccess(file: string, call: QueuedCall): Promise<void>;
}

/**
 * A call that is being forwarded to another server node. For a write, `key` is the idempotency key under which that
 * node stores the answer. For a read, `key` is undefined.
 */
interface SentCall {
  readonly call: QueuedCall;
  readonly key: string | undefined;
}

/**
 * Forwards calls to the server node that holds their document (has its lease); waiting calls are sent together. If the
 * holder does not answer, this node takes the lease, so that the holder can commit nothing more. The idempotency key of
 * each write then shows whether the holder committed it. Calls that were not committed are run again.
 */
export class CallHandOver {
  readonly #services: HandOverServices;
  readonly #here: LocalCalls;
  readonly #outboxes = new Map<string, Outbox>();
  readonly #attempts = new WeakMap<QueuedCall, number>();
  /** Version at which this node last forwarded a read, by document id. */
  readonly #readAt = new Map<string, number>();

  constructor(services: HandOverServices, here: LocalCalls) {
    this.#services = services;
    this.#here = here;
  }

  /**
   * Returns whether to forward a read to the node that holds the document. `version` is the document's newest version,
   * and `held` is the version in this node's memory (undefined if none). True for the first read for which this node
   * would have to load newer revisions. A second read at the same version means that editing has paused, so this node
   * then loads the revisions itself.
   */
  saves(file: string, version: number, held: number | undefined): boolean {
    if ((held ?? -1) >= version || this.#readAt.get(file) === version) return false;
    this.#readAt.delete(file);
    this.#readAt.set(file, version);
    if (this.#readAt.size > 1000) this.#readAt.delete(this.#readAt.keys().next().value!);
    return true;
  }

  send(file: string, calls: readonly QueuedCall[]): void {
    const box = this.#outboxes.get(file) ?? { file, waiting: [], senders: 0 };
    this.#outboxes.set(file, box);
    box.waiting.push(...calls);
    if (box.senders === maxHandOversAtOnce) return;
    box.senders++;
    void runInBackground('handing calls over', () => this.#sendAll(box));
  }

  async #sendAll(box: Outbox): Promise<void> {
    const { file, waiting } = box;
    await yieldToEventLoop();
    while (waiting.length > 0) {
      const calls = waiting.splice(0, maxCallsPerHandOver);
      const holder = this.#services.homes.holderOf(file);
      try {
        if (holder) await this.#handOver(file, holder, calls);
        else for (const call of calls) this.#here.run(file, call);
      } catch (error) {
        for (const call of calls) call.reject(error);
      }
    }
    if (--box.senders === 0) this.#outboxes.delete(file);
  }

  async #handOver(file: string, holder: LeaseHolder, calls: readonly QueuedCall[]): Promise<void> {
    const sent = calls.map((call): SentCall => {
      const isWrite = call.need !== 'viewer';
      return { call, key: isWrite ? (call.stamp.idempotencyKey ?? newId('handed')) : undefined };
    });
    const body = encodeCalls({ file, from: this.#services.node, calls: sent.map(toHandedOver) });
    if (body.length > maxCallBytes) return this.#split(file, holder, calls);
    const open = new Map(sent.entries());
    let isUnbegun = false;
    try {
      const parts = this.#services.nodeCalls.stream(holder.address, callKind, body) as AsyncIterable<AnswerPart>;
      for await (const part of parts) {
        if (!('isRefused' in part)) this.#take(file, part, open);
        else {
          this.#services.homes.forget(file, holder);
          return this.#repeat(file, calls);
        }
      }
    } catch (error) {
      isUnbegun = error instanceof NodeUnavailable && error.isUnbegun;
      this.#services.log.warn({ file, err: error }, 'the node that holds a document did not answer');
    }
    if (open.size > 0) await this.#recover(file, holder, { lost: [...open.values()], isUnbegun });
  }

  /**
   * Forwards the calls in two halves, because together they are too large for a request. A single call that is too
   * large runs on this node.
   */
  async #split(file: string, holder: LeaseHolder, calls: readonly QueuedCall[]): Promise<void> {
    const half = calls.length >> 1;
    if (half === 0) return this.#here.run(file, calls[0]!);
    await this.#handOver(file, holder, calls.slice(0, half));
    await this.#handOver(file, holder, calls.slice(half));
  }

  #take(file: string, part: Exclude<AnswerPart, { isRefused: true }>, open: Map<number, SentCall>): void {
    for (const [index, progress] of part.progress) open.get(index)?.call.progress?.(progress);
    for (const [index, outcome] of part.ended) {
      const call = open.get(index)?.call;
      if (!call) continue;
      open.delete(index);
      if ('isUndone' in outcome) this.#repeat(file, [call]);
      else {
        try {
          this.#resolve(call, resultOf(outcome));
        } catch (error) {
          call.reject(error);
        }
      }
    }
  }

  /**
   * Resolves a forwarded call with its result. The node that ran a write has already stored the write's audit row, and
   * the idempotency key with the answer. Marks both as stored, so that this node does not store them again.
   */
  #resolve(call: QueuedCall, result: CallResult): void {
    if (result.version !== undefined) {
      this.#services.answers.markRecorded(call.stamp);
      createAnswerRecorder({ version: result.version, stored: call.stored }, () => result.data)?.(undefined);
    }
    call.resolve(result);
  }

  async #recover(
    file: string,
    holder: LeaseHolder,
    { lost, isUnbegun }: { lost: readonly SentCall[]; isUnbegun: boolean },
  ): Promise<void> {
    try {
      await this.#services.homes.takeFrom(file, holder);
      // Wait until all writes that the former holder of the lease had begun to commit are committed or refused.
      if (!isUnbegun) await this.#services.sheets.settle(file);
    } catch (error) {
      for (const { call } of lost) call.reject(error);
      return;
    }
    await Promise.all(
      lost.map(async ({ call, key }) => {
        try {
          if (!isUnbegun && key !== undefined && (await this.#wasCommitted(call, key))) return;
          // Check the caller's access again: it may have been revoked while this node waited for the former holder of
          // the lease.
          await this.#here.checkAccess(file, call);
          this.#repeat(file, [call]);
        } catch (error) {
          call.reject(error);
        }
      }),
    );
  }

  /**
   * Returns whether the call was committed by the node to which it was forwarded and that does not answer. If so, also
   * answers the call.
   */
  async #wasCommitted(call: QueuedCall, key: string): Promise<boolean> {
    const stored = await this.#services.answers.findAnswer(call.stamp.userId, key);
    if (!stored) return false;
    // If the client chose the idempotency key, the stored answer may be that of another call with the same key. Throw
    // IdempotencyKeyConflict, so that the code that handles idempotency keys compares the two calls.
    if (call.stamp.idempotencyKey !== undefined || stored.answer === null) throw new IdempotencyKeyConflict();
    const { data, version } = deserializeAnswer(stored.answer);
    this.#resolve(call, {
      data: new RawJson(Buffer.from(JSON.stringify(data))),
      ...(version === undefined ? {} : { version }),
    });
    return true;
  }

  /**
   * Repeats calls that had no effect, by sending them to the node that now holds the document. After several attempts,
   * or if no other node holds the document, runs them on this node.
   */
  #repeat(file: string, calls: readonly QueuedCall[]): void {
    for (const call of calls) {
      const attempts = (this.#attempts.get(call) ?? 0) + 1;
      this.#attempts.set(call, attempts);
      if (attempts < maxAttempts && this.#services.homes.holderOf(file)) this.send(file, [call]);
      else this.#here.run(file, call);
    }
  }
}

function toHandedOver({ call, key }: SentCall): HandedOverCall {
  const { tool, input, isOwner, isAtPage, atLeast, isCurrent, stored, progress } = call;
  const { answer: _answer, ...stamp } = call.stamp;
  return {
    tool,
    input,
    isOwner,
    isAtPage,
    atLeast,
    isCurrent,
    stamp: key === undefined ? stamp : { ...stamp, idempotencyKey: key },
    isKeyMade: key !== undefined && stamp.idempotencyKey === undefined,
    isSecret: stored?.isSecret === true,
    wantsProgress: progress !== undefined,
  };
}
