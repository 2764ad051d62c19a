import { deserialize, serialize } from 'node:v8';
import { toError, toTaskFailure, type TaskFailure } from '../../../lib/task-failure.ts';
import { Failure } from '../../../kernel/errors.ts';
import { RawJson } from '../../../kernel/raw-json.ts';
import { NotWritable, Unavailable } from '../../../ports/availability-errors.ts';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import { LeaseLost } from '../../../ports/document-leases.ts';
import { IdempotencyKeyConflict } from '../../../ports/idempotency-store.ts';
import { StaleVersion } from '../calls/stale-version.ts';
import type { CallResult, QueuedCall } from './queued-call.ts';

/** Kind of the requests by which one node forwards tool calls on a document to another node. */
export const callKind = 'sheet-calls';

/** A tool call in the form that is sent to another node. The sending node has already checked the caller's access. */
export type HandedOverCall = Pick<QueuedCall, 'tool' | 'input' | 'isOwner' | 'isAtPage' | 'atLeast' | 'isCurrent'> & {
  readonly stamp: Omit<Stamp, 'answer'>;
  /** True if the forwarding node generated the idempotency key in `stamp`. False if the caller chose it. */
  readonly isKeyMade: boolean;
  readonly isSecret?: boolean;
  readonly wantsProgress: boolean;
};

export interface HandedOverCalls {
  readonly file: string;
  /** Name of the node that forwards the calls. */
  readonly from: string;
  readonly calls: readonly HandedOverCall[];
}

/**
 * Outcome of a forwarded call: its answer, or the reason why it failed. `isUndone`: the call had no effect, because the
 * node lost the document's lease or is stopping; the sending node must run the call again.
 */
export type HandedOverOutcome =
  | { readonly data: object; readonly version?: number; readonly notice?: string | undefined }
  | { readonly json: string; readonly version?: number; readonly notice?: string | undefined }
  | {
      readonly failure: {
        readonly word: string;
        readonly message: string;
        readonly retryAfter?: number | undefined;
        readonly data: object;
      };
    }
  | { readonly stale: number }
  | { readonly isKeyTaken: true }
  | { readonly isUndone: true }
  | { readonly unavailable: string; readonly isNotWritable: boolean }
  | { readonly fault: TaskFailure };

/**
 * Part of the answer to forwarded calls. `isRefused` means that the node does not hold the document and ran none of the
 * calls. Otherwise the part contains the outcomes and the progress of single calls, each identified by its index in the
 * request.
 */
export type AnswerPart =
  | { readonly isRefused: true }
  | {
      readonly ended: readonly (readonly [call: number, outcome: HandedOverOutcome])[];
      readonly progress: readonly (readonly [
        call: number,
        progress: { done: number; total?: number; message?: string },
      ])[];
    };

/**
 * Encodes calls with structured cloning instead of JSON, because large inputs contain typed arrays, which JSON cannot
 * represent.
 */
export function encodeCalls(calls: HandedOverCalls): Buffer {
  return serialize(calls);
}

export function decodeCalls(bytes: Uint8Array): HandedOverCalls {
  return deserialize(bytes) as HandedOverCalls;
}

export function toOutcome({ data, ...rest }: CallResult): HandedOverOutcome {
  if (!(data instanceof RawJson)) return { data, ...rest };
  const { buffer, byteOffset, byteLength } = data.bytes;
  return { json: Buffer.from(buffer, byteOffset, byteLength).toString('utf8'), ...rest };
}

export function toFailedOutcome(error: unknown): HandedOverOutcome {
  if (error instanceof StaleVersion) return { stale: error.version };
  if (error instanceof Failure) {
    const { word, message, retryAfter, data } = error;
    return { failure: { word, message, retryAfter, data } };
  }
  if (error instanceof IdempotencyKeyConflict) return { isKeyTaken: true };
  if (error instanceof LeaseLost) return { isUndone: true };
  if (error instanceof Unavailable) return { unavailable: error.message, isNotWritable: error instanceof NotWritable };
  return { fault: toTaskFailure(error) };
}

/**
 * Converts the outcome that another node reported: returns the call's result, or throws the error with which the call
 * ended on that node.
 */
export function resultOf(outcome: Exclude<HandedOverOutcome, { isUndone: true }>): CallResult {
  if ('data' in outcome) return { ...outcome, data: outcome.data as Record<string, unknown> };
  if ('json' in outcome) {
    const { json, ...rest } = outcome;
    return { ...rest, data: new RawJson(Buffer.from(json)) };
  }
  if ('stale' in outcome) throw new StaleVersion(outcome.stale);
  if ('isKeyTaken' in outcome) throw new IdempotencyKeyConflict();
  if ('failure' in outcome) {
    const { word, message, retryAfter, data } = outcome.failure;
    throw new Failure(word, message, { data: { ...data }, ...(retryAfter === undefined ? {} : { retryAfter }) });
  }
  if ('unavailable' in outcome)
    throw outcome.isNotWritable ? new NotWritable(outcome.unavailable) : new Unavailable(outcome.unavailable);
  throw toError(outcome.fault);
}
