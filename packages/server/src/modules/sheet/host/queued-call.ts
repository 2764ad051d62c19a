import type { Progress } from '../../../context.ts';
import { RawJson } from '../../../kernel/raw-json.ts';
import type { DocumentCaller } from '../../../ports/spreadsheet-service.ts';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import type { DocumentLease } from '../../../ports/document-leases.ts';
import type { DocumentRole } from '../../../ports/sheet-store.ts';
import { maxCallSteps } from './call-budget.ts';
import type { AnswerJson } from './protocol.ts';

export interface QueuedCall {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly stamp: Stamp;
  /**
   * Object that receives the answer of a write; undefined if the call has no idempotency key. The answer is stored in
   * the same transaction as the write, so that a retry with the same key gets the same answer.
   */
  readonly stored?: DocumentCaller['reply']['stored'];
  readonly isOwner: boolean;
  readonly isAtPage: boolean;
  /** Version that the document had in the database when the call arrived. The call must see it or a later version. */
  atLeast: number;
  /**
   * True if `atLeast` is known to be the newest version. If not, the newest version may be looked up after a read, and
   * the read runs again if it saw an older version.
   */
  isCurrent: boolean;
  /** Role on the document that the caller must have. */
  readonly need: DocumentRole;
  /** Lease for a call that another node forwarded. The call commits nothing after the lease is lost. */
  readonly lease?: DocumentLease;
  /**
   * True if the forwarding node, not the client, generated the stamp's idempotency key. No other call can then have the
   * same key.
   */
  readonly isKeyMade?: boolean;
  readonly resolve: (result: CallResult) => void;
  readonly reject: (error: unknown) => void;
  readonly progress: ((progress: Progress) => void) | undefined;
  retries: number;
  /**
   * True if the call must run alone, not together with other queued calls: it may have made the thread time out, or its
   * idempotency key may already be used.
   */
  isAlone?: boolean;
}

export interface CallResult {
  readonly data: RawJson | Record<string, unknown>;
  /** Version that the call created; undefined for reads. */
  readonly version?: number;
  /** Remark for the caller of a write, for information that has no field in the answer. */
  readonly notice?: string | undefined;
}

/**
 * Returns a function that reports calculation steps to the calls' progress listeners; undefined if no call has a
 * listener.
 */
export function createProgressReporter(calls: readonly QueuedCall[]): ((done: number) => void) | undefined {
  const listening = calls.flatMap(({ progress }) => progress ?? []);
  if (listening.length === 0) return undefined;
  return (done) => {
    const message = `calculating: ${done} of at most ${maxCallSteps} steps`;
    if (done > 0) for (const progress of listening) progress({ done, total: maxCallSteps, message });
  };
}

export function decodeAnswer(json: AnswerJson): RawJson | Record<string, unknown> {
  return typeof json === 'string' ? (JSON.parse(json) as Record<string, unknown>) : new RawJson(json);
}
