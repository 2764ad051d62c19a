import type { RawAnswer } from '@sheaf/client';
import { SheafError, Unreachable, callSheet, queries, succeeded } from '../lib/client.ts';
import { KeptEntries, namesKept, type KeptEntry } from '../lib/outbox/kept-entries.ts';
import { Outbox, type Outcome, type Verdict } from '../lib/outbox/outbox.ts';
import { keys, read, write } from '../lib/settings.ts';
import { meQuery } from '../shell/me.ts';
import { canWait, type SheetCall } from './kept-calls.ts';
import type { News } from './news.ts';

/** Request timeout, longer than the server spends on any edit: past it the server counts as unreachable. */
const answerMs = 60_000;
const unauthenticated = 401;
const rateLimited = 429;
/** Error codes of a busy or failing server: a retry may succeed. */
const passing = new Set([310_010, 310_012]);

/** Limits of a request with several edits; a larger edit is sent alone. */
const maxTogether = 100;
const maxLetters = 200_000;

const storage = { keys, read, write };

/** The unconfirmed edits of a document. They are still sent after the document is closed or the page reloaded. */
export class SheetOutbox extends Outbox<SheetCall, RawAnswer> {
  /** `<user>/<document>`: prefix of the keys in the browser's storage. */
  readonly name: string;
  readonly #fileId: string;
  readonly #userId: string;
  /** The event stream of the open document, which recognizes the sent edits as the page's own. */
  #news: News | undefined;

  constructor(userId: string, fileId: string) {
    super({
      entries: new KeptEntries<SheetCall>(storage, `${userId}/${fileId}`),
      send: (entry) => this.#send(entry),
      judge,
      canWait,
      together: { count: countTogether, send: (entries) => this.#sendTogether(entries) },
      now: () => Date.now(),
    });
    this.name = `${userId}/${fileId}`;
    this.#userId = userId;
    this.#fileId = fileId;
    window.addEventListener('online', () => this.wake());
  }

  hearWith(news: News): () => void {
    this.#news = news;
    return () => {
      if (this.#news === news) this.#news = undefined;
    };
  }

  /**
   * Runs a request and marks its revisions as the page's own. Events are held back until the response says which
   * revision it is.
   */
  async #asOurs<Result>(
    work: (answered: (answer: RawAnswer, tool: string) => void) => Promise<Result>,
  ): Promise<Result> {
    // If another user has signed in, these edits must not be sent with that session.
    const me = queries.getQueryData<{ user_id: string }>(meQuery.queryKey);
    if (me && me.user_id !== this.#userId) throw new Unreachable('signed in as somebody else');
    const sent = this.#news?.sending();
    try {
      return await work(({ version }, tool) => sent?.answered(version, tool));
    } finally {
      sent?.done();
    }
  }

  #send({ id, call }: KeptEntry<SheetCall>): Promise<RawAnswer> {
    return this.#asOurs(async (answered) => {
      const answer = await callSheet(call.tool, this.#inputOf(call), {
        idempotencyKey: canWait(call) ? id : undefined,
        signal: AbortSignal.timeout(answerMs),
      });
      answered(answer, call.tool);
      return answer;
    });
  }

  #sendTogether(entries: readonly KeptEntry<SheetCall>[]): Promise<Outcome<RawAnswer>[]> {
    return this.#asOurs(async (answered) => {
      const calls = entries.map(({ id, call }) => ({
        operation: call.tool,
        arguments: this.#inputOf(call),
        idempotency_key: canWait(call) ? id : undefined,
      }));
      const { data, requestId } = await callSheet('calls', { calls }, { signal: AbortSignal.timeout(answerMs) });
      const answers = data['answers'] as Omit<RawAnswer, 'requestId'>[];
      const outcomes = answers.map((one) => outcomeOf({ ...one, requestId }));
      for (const [index, outcome] of outcomes.entries())
        if ('answer' in outcome) answered(outcome.answer, entries[index]!.call.tool);
      return outcomes;
    });
  }

  /** The key order is fixed, because the server recognizes a repeated call by its text. */
  #inputOf(call: SheetCall): Record<string, unknown> {
    return { ...call.input, file_id: this.#fileId };
  }
}

function outcomeOf(answer: RawAnswer): Outcome<RawAnswer> {
  try {
    return { answer: succeeded(answer) };
  } catch (error) {
    return { error };
  }
}

function countTogether(entries: readonly KeptEntry<SheetCall>[]): number {
  let letters = 0;
  const end = entries.findIndex(({ call }, index) => {
    letters += JSON.stringify(call.input).length;
    return index >= maxTogether || letters > maxLetters;
  });
  return end < 0 ? entries.length : end;
}

function judge(error: unknown): Verdict {
  if (error instanceof Unreachable) return 'away';
  if (!(error instanceof SheafError)) return 'refused';
  if (error.status === unauthenticated || error.status === rateLimited) return 'away';
  return passing.has(error.code) ? 'unsure' : 'refused';
}

const open = new Map<string, SheetOutbox>();

/** Returns the document's outbox; there is one per document, however often it is opened. */
export function outboxOf(userId: string, fileId: string): SheetOutbox {
  const name = `${userId}/${fileId}`;
  let found = open.get(name);
  if (!found) {
    found = new SheetOutbox(userId, fileId);
    open.set(name, found);
    found.resume();
  }
  return found;
}

/** Sends the edits that earlier visits left, including those of documents that are not open. */
export function resumeKeptEdits(userId: string): void {
  for (const fileId of namesKept(storage, userId)) outboxOf(userId, fileId);
}
