import type { Progress } from '../../context.ts';
import { RawJson } from '../../operation/raw-json.ts';
import type { DocumentCaller } from '../../ports/documents.ts';
import type { Stamp } from '../../ports/stamp.ts';
import { callSteps } from './allowance.ts';
import type { AnswerJson } from './protocol.ts';

export interface QueuedCall {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly stamp: Stamp;
  /** Where a write's answer is stored for repeats of the call. */
  readonly stored?: DocumentCaller['reply']['stored'];
  readonly isOwner: boolean;
  readonly isAtPage: boolean;
  /** The document's version in the store when the call came in: the call must see at least that. */
  atLeast: number;
  /** Whether `atLeast` was the newest version then. If not, an answer that commits nothing is looked at once more. */
  isCurrent: boolean;
  readonly resolve: (result: CallResult) => void;
  readonly reject: (error: unknown) => void;
  /** Where somebody hears how far the calculation is. */
  readonly progress?: (progress: Progress) => void;
  retries: number;
  /** It may be the call of its round that ended the thread, or the one whose key is taken: it runs by itself. */
  isAlone?: boolean;
}

export interface CallResult {
  readonly data: RawJson | Record<string, unknown>;
  /** Set for writes. */
  readonly version?: number;
}

/** Tells those who listen what the calculation has used of its budget; undefined where nobody does. */
export function stepTeller(calls: readonly QueuedCall[]): ((done: number) => void) | undefined {
  const listening = calls.flatMap(({ progress }) => progress ?? []);
  if (listening.length === 0) return undefined;
  return (done) => {
    const message = `calculating: ${done} of at most ${callSteps} steps`;
    if (done > 0) for (const progress of listening) progress({ done, total: callSteps, message });
  };
}

export function dataOf(json: AnswerJson): RawJson | Record<string, unknown> {
  return typeof json === 'string' ? (JSON.parse(json) as Record<string, unknown>) : new RawJson(json);
}
