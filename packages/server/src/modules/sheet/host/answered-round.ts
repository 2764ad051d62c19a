import { createAnswerRecorder } from '../../../kernel/idempotent-answer.ts';
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
 * Returns the revisions to commit for a round (calls that ran together): one for each write that changed something.
 * Each has the stamp of its call: who called, when, and with which API key or session. Also prepares each stamp so that
 * the call's answer is stored with the commit.
 */
export function toAppendEntries({ calls, answers, seeds, before }: AnsweredRound): AppendEntry[] {
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
    stamp.answer = createAnswerRecorder({ version, stored }, () => decodeAnswer(answer.json));
    entries.push({ stamp, revision });
  });
  return entries;
}

/**
 * Returns the lease with which to commit a round (calls that ran together), or undefined if none is needed. The commit
 * needs this node's lease on the document only if the round contains a write that another server node forwarded.
 */
export function commitLeaseOf({ calls, answers }: AnsweredRound): DocumentLease | undefined {
  return calls.find((call, index) => call.lease && answers[index]?.kind === 'write')?.lease;
}

/** Returns the event that reports a revision to subscribers. */
export function toRevisionEvent({ stamp, tool }: QueuedCall, { range, effect }: WriteAnswer, version: number): object {
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
