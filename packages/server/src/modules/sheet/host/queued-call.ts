import type { Progress } from '../../../context.ts';
import { RawJson } from '../../../kernel/raw-json.ts';
import type { DocumentCaller } from '../../../ports/spreadsheet-service.ts';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import { maxCallSteps } from './call-budget.ts';
import type { AnswerJson } from './protocol.ts';

export interface QueuedCall {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly stamp: Stamp;
  /** Stores a write's answer for retries of the call. */
  readonly stored?: DocumentCaller['reply']['stored'];
  readonly isOwner: boolean;
  readonly isAtPage: boolean;
  /** The document's version in the database when the call arrived; the call must see at least this version. */
  atLeast: number;
  /** True if `atLeast` was certainly the newest version. If not, an answer without a commit is checked again. */
  isCurrent: boolean;
  readonly resolve: (result: CallResult) => void;
  readonly reject: (error: unknown) => void;
  /** Receives the progress of the calculation. */
  readonly progress?: (progress: Progress) => void;
  retries: number;
  /**
   * The call must run in a round of its own, because it may have made the thread time out, or its idempotency key may
   * be used.
   */
  isAlone?: boolean;
}

export interface CallResult {
  readonly data: RawJson | Record<string, unknown>;
  /** Only for writes. */
  readonly version?: number;
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
