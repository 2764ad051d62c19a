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
   * Receives the answer of a write, which is stored with the commit so that a retry of the call gets the same answer.
   */
  readonly stored?: DocumentCaller['reply']['stored'];
  readonly isOwner: boolean;
  readonly isAtPage: boolean;
  /** Version in the database when the call arrived. The call must see at least this version. */
  atLeast: number;
  /**
   * True if `atLeast` is known to be the newest version. If false and none of the calls run together commits a write,
   * the newest version is looked up and the call may run again.
   */
  isCurrent: boolean;
  /** Role that the caller needs. */
  readonly need: DocumentRole;
  /** Set for a call that another node handed over: it commits nothing once that lease is lost. */
  readonly lease?: DocumentLease;
  /** True if the key in the stamp was made by the node that handed the call over, so that no other call can have it. */
  readonly isKeyMade?: boolean;
  readonly resolve: (result: CallResult) => void;
  readonly reject: (error: unknown) => void;
  readonly progress?: (progress: Progress) => void;
  retries: number;
  /**
   * True if the call must not run together with others, because it may have made the thread time out, or because its
   * idempotency key may already be used.
   */
  isAlone?: boolean;
}

export interface CallResult {
  readonly data: RawJson | Record<string, unknown>;
  /** Version that a write made; undefined for reads. */
  readonly version?: number;
  /** Remark for the caller of a write that the answer's fields cannot express. */
  readonly notice?: string | undefined;
}

/** Returns a function that reports calculation steps to the calls' progress listeners; undefined if there are none. */
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
