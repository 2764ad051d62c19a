import type { RawAnswer } from '@sheaf/client';
import { UnreachableError, callSheet, queryClient, requireSuccess } from '../../lib/api-client.ts';
import { PendingEditStore, documentsWithPendingEdits, type PendingEdit } from '../../lib/outbox/pending-edit-store.ts';
import { classifyFailure, requestTimeoutMs } from '../../lib/request-retries.ts';
import { errorCodes } from '../../lib/error-codes.ts';
import { Outbox, type PushOutcome } from '../../lib/outbox/outbox.ts';
import { storageKeys, readStorage, writeStorage } from '../../lib/browser-storage.ts';
import { currentUserQuery } from '../../shell/current-user.ts';
import { canSendLater, type SheetCall } from './pending-calls.ts';
import type { RevisionStream } from './revision-stream.ts';

const busyCodes = [errorCodes.sheet.busy, errorCodes.sheet.internal];

/** Maximum number of edits per request, and of characters in their inputs. A larger edit is sent alone. */
const maxBatchEdits = 100;
const maxBatchChars = 200_000;

const storage = { keys: storageKeys, read: readStorage, write: writeStorage };

/**
 * Queue of a document's unconfirmed edits. Edits that can be sent later are sent even if the document was closed or the
 * page was reloaded.
 */
export class SheetOutbox extends Outbox<SheetCall, RawAnswer> {
  /** `<user id>/<document id>`, which is part of the keys of the document's edits in the browser's storage. */
  readonly name: string;
  readonly #fileId: string;
  readonly #userId: string;
  /**
   * Event stream of the document; undefined while the document is not open. It is informed about sent edits, so that it
   * recognizes the change events that they cause.
   */
  #news: RevisionStream | undefined;

  constructor(userId: string, fileId: string) {
    super({
      entries: new PendingEditStore<SheetCall>(storage, `${userId}/${fileId}`),
      send: (entry) => this.#send(entry),
      classifyError: (error) => classifyFailure(error, busyCodes),
      canSendLater,
      batch: { count: countBatch, send: (entries) => this.#sendTogether(entries) },
      now: () => Date.now(),
    });
    this.name = `${userId}/${fileId}`;
    this.#userId = userId;
    this.#fileId = fileId;
  }

  attachRevisions(news: RevisionStream): () => void {
    this.#news = news;
    return () => {
      if (this.#news === news) this.#news = undefined;
    };
  }

  /**
   * Runs a request and marks the change that it causes as made in this browser tab. Change events are delayed until the
   * response arrives, because only the response tells which version the request created.
   */
  async #asOurs<Result>(
    work: (answered: (answer: RawAnswer, tool: string) => void) => Promise<Result>,
  ): Promise<Result> {
    // If another user has signed in, these edits must not be sent in the new user's session.
    const me = queryClient.getQueryData<{ user_id: string }>(currentUserQuery.queryKey);
    if (me && me.user_id !== this.#userId) throw new UnreachableError('signed in as somebody else');
    const sent = this.#news?.beginWrite();
    try {
      return await work(({ version }, tool) => sent?.answered(version, tool));
    } finally {
      sent?.done();
    }
  }

  #send({ id, call }: PendingEdit<SheetCall>): Promise<RawAnswer> {
    return this.#asOurs(async (answered) => {
      const answer = await callSheet(call.tool, this.#inputOf(call), {
        idempotencyKey: canSendLater(call) ? id : undefined,
        signal: AbortSignal.timeout(requestTimeoutMs),
      });
      answered(answer, call.tool);
      return answer;
    });
  }

  #sendTogether(entries: readonly PendingEdit<SheetCall>[]): Promise<PushOutcome<RawAnswer>[]> {
    return this.#asOurs(async (answered) => {
      const calls = entries.map(({ id, call }) => ({
        operation: call.tool,
        arguments: this.#inputOf(call),
        idempotency_key: canSendLater(call) ? id : undefined,
      }));
      const { data, requestId } = await callSheet(
        'calls',
        { calls },
        { signal: AbortSignal.timeout(requestTimeoutMs) },
      );
      const answers = data['answers'] as Omit<RawAnswer, 'requestId'>[];
      const outcomes = answers.map((one) => outcomeOf({ ...one, requestId }));
      for (const [index, outcome] of outcomes.entries())
        if ('answer' in outcome) answered(outcome.answer, entries[index]!.call.tool);
      return outcomes;
    });
  }

  /**
   * Returns the input to send. The order of its properties must stay the same, because the server compares the
   * serialized input of a retry with that of the first attempt.
   */
  #inputOf(call: SheetCall): Record<string, unknown> {
    return { ...call.input, file_id: this.#fileId };
  }
}

function outcomeOf(answer: RawAnswer): PushOutcome<RawAnswer> {
  try {
    return { answer: requireSuccess(answer) };
  } catch (error) {
    return { error };
  }
}

function countBatch(entries: readonly PendingEdit<SheetCall>[]): number {
  let letters = 0;
  const end = entries.findIndex(({ call }, index) => {
    letters += JSON.stringify(call.input).length;
    return index >= maxBatchEdits || letters > maxBatchChars;
  });
  return end < 0 ? entries.length : end;
}

const openOutboxes = new Map<string, SheetOutbox>();

/**
 * Returns the outbox (queue of unconfirmed edits) of a document. Each document has only one outbox, even if it is
 * opened several times.
 */
export function outboxOf(userId: string, fileId: string): SheetOutbox {
  const name = `${userId}/${fileId}`;
  let found = openOutboxes.get(name);
  if (!found) {
    found = new SheetOutbox(userId, fileId);
    openOutboxes.set(name, found);
    found.resume();
  }
  return found;
}

/** Sends the edits that earlier visits left in the browser's storage, for all documents of the user. */
export function resumePendingEdits(userId: string): void {
  for (const fileId of documentsWithPendingEdits(storage, userId)) outboxOf(userId, fileId);
}
