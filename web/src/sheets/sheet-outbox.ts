import type { RawAnswer } from '../../../src/client/index.ts';
import { SheafError, Unreachable, callSheet, queries } from '../lib/client.ts';
import { KeptEntries, namesKept, type KeptEntry } from '../lib/outbox/kept-entries.ts';
import { Outbox, type Verdict } from '../lib/outbox/outbox.ts';
import { keys, read, write } from '../lib/settings.ts';
import { meQuery } from '../shell/me.ts';
import { canWait, type SheetCall } from './kept-calls.ts';
import type { News } from './news.ts';

/** Longer than the server works on any edit: whoever has not answered by then is away. */
const answerMs = 60_000;
const unauthenticated = 401;
const rateLimited = 429;
/** Busy, or a fault of the server: another try may go through. */
const passing = new Set([310_010, 310_012]);

const storage = { keys, read, write };

/** The edits of one document, on their way to the server. They go on when the document is closed, and after a reload. */
export class SheetOutbox extends Outbox<SheetCall, RawAnswer> {
  readonly #fileId: string;
  readonly #userId: string;
  /** Of the open document: what is sent is heard there as our own. */
  #news: News | undefined;

  constructor(userId: string, fileId: string) {
    super({
      entries: new KeptEntries<SheetCall>(storage, `${userId}/${fileId}`),
      send: (entry) => this.#send(entry),
      judge,
      canWait,
      now: () => Date.now(),
    });
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

  async #send({ id, call }: KeptEntry<SheetCall>): Promise<RawAnswer> {
    // Somebody else signed in here meanwhile: these are not their edits.
    const me = queries.getQueryData<{ user_id: string }>(meQuery.queryKey);
    if (me && me.user_id !== this.#userId) throw new Unreachable('signed in as somebody else');
    const sent = this.#news?.sending();
    try {
      const input = { ...call.input, file_id: this.#fileId };
      const answer = await callSheet(call.tool, input, {
        idempotencyKey: canWait(call) ? id : undefined,
        signal: AbortSignal.timeout(answerMs),
      });
      sent?.answered(answer.version, call.tool);
      return answer;
    } finally {
      sent?.done();
    }
  }
}

function judge(error: unknown): Verdict {
  if (error instanceof Unreachable) return 'away';
  if (!(error instanceof SheafError)) return 'refused';
  if (error.status === unauthenticated || error.status === rateLimited) return 'away';
  return passing.has(error.code) ? 'unsure' : 'refused';
}

const open = new Map<string, SheetOutbox>();

/** There is one for each document, however often it is opened. */
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

/** Sends what earlier visits left, for documents that are not open too. */
export function resumeKeptEdits(userId: string): void {
  for (const fileId of namesKept(storage, userId)) outboxOf(userId, fileId);
}
