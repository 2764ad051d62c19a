import { answerRecorder } from '../../../kernel/idempotent-answer.ts';
import type { DocumentLease } from '../../../ports/document-leases.ts';
import type { AppendEntry, RevisionId } from '../../../ports/sheet-store.ts';
import { cellsOnlyEffect } from '../calls/revision-effect.ts';
import { formatRevisionMetadata } from '../calls/revision-metadata.ts';
import type { ToolAnswer } from './protocol.ts';
import { decodeAnswer, type QueuedCall } from './queued-call.ts';

/**
 * Calls that ran together in one round, with their answers and random seeds. They ran on the document version `before`,
 * which the revision `mark` created.
 */
export interface AnsweredRound {
  readonly calls: QueuedCall[];
  readonly answers: ToolAnswer[];
  readonly seeds: number[];
  readonly before: number;
  readonly mark: RevisionId | undefined;
}

type WriteAnswer = Extract<ToolAnswer, { kind: 'write' }>;

/**
 * Returns the revisions that a round of calls creates, each with the stamp of its call: who called, when, and with
 * which key. A round is the calls that are run and committed together.
 */
export function appendEntries({ calls, answers, seeds, before }: AnsweredRound): AppendEntry[] {
  const entries: AppendEntry[] = [];
  let version = before;
  answers.forEach((answer, index) => {
    if (answer.kind !== 'write') return;
    const { stamp, stored, tool, input } = calls[index]!;
    const revision = {
      version: ++version,
      userId: stamp.userId,
      at: stamp.at,
      tool: formatRevisionMetadata(tool, input, answer.range, stamp.keyId, stamp.reason),
      seed: seeds[index]!,
      mutations: answer.mutations,
      inverse: answer.inverse,
    };
    stamp.answer = answerRecorder({ version, stored }, () => decodeAnswer(answer.json));
    entries.push({ stamp, revision });
  });
  return entries;
}

/**
 * Returns the lease needed to commit a round (calls that ran together). A lease is needed only if another node
 * forwarded one of the writes; returns undefined otherwise.
 */
export function leaseOf({ calls, answers }: AnsweredRound): DocumentLease | undefined {
  return calls.find((call, index) => call.lease && answers[index]?.kind === 'write')?.lease;
}

/** Returns the event that reports a revision to subscribers. */
export function revisionNews({ stamp, tool }: QueuedCall, { range, effect }: WriteAnswer, version: number): object {
  const { scope, shifts } = effect ?? cellsOnlyEffect;
  return {
    version,
    user_id: stamp.userId,
    key_id: stamp.keyId,
    tool,
    range,
    scope,
    shifts: shifts?.map(({ sheet, ...shift }) => ({ sheet_id: sheet, ...shift })),
    at: stamp.at,
  };
}
