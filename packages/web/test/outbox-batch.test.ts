import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PendingEditStore, type PendingEdit } from '../src/lib/outbox/pending-edit-store.ts';
import { Outbox, type PushOutcome } from '../src/lib/outbox/outbox.ts';
import { UnreachableError } from '../src/lib/unreachable-error.ts';

/** A server that accepts several edits per request and applies each once. */
class Server {
  /** The texts of each request. */
  readonly requests: string[][] = [];
  readonly done: string[] = [];
  readonly keys = new Set<string>();
  losesAnswers = false;
  takesGroups = true;
  /** Texts that the server refuses or is too busy for. */
  refuses = new Set<string>();
  busyWith = new Set<string>();

  async take(entries: readonly PendingEdit<{ text: string }>[]): Promise<PushOutcome<string>[]> {
    this.requests.push(entries.map(({ call }) => call.text));
    await new Promise((resolve) => setTimeout(resolve, 10));
    if (entries.length > 1 && !this.takesGroups) throw new Error('there is no such operation');
    const outcomes: PushOutcome<string>[] = [];
    for (const { id, call } of entries) {
      if (this.busyWith.has(call.text)) {
        outcomes.push({ error: new Error('busy') });
        break;
      }
      if (this.refuses.has(call.text)) outcomes.push({ error: new Error(`${call.text} is refused`) });
      else {
        if (!this.keys.has(id)) this.done.push(call.text);
        this.keys.add(id);
        outcomes.push({ answer: `did ${call.text}` });
      }
    }
    if (this.losesAnswers) throw new UnreachableError('the answer is lost');
    return outcomes;
  }
}

function outboxOn(server: Server): Outbox<{ text: string }, string> {
  const texts = new Map<string, string>();
  const store = {
    keys: () => [...texts.keys()],
    read: (key: string) => texts.get(key) ?? null,
    write: (key: string, value: string | null) => (value === null ? texts.delete(key) : !!texts.set(key, value)),
  };
  return new Outbox<{ text: string }, string>({
    entries: new PendingEditStore(store, 'ada/doc'),
    send: async (entry) => {
      const [outcome] = await server.take([entry]);
      if ('error' in outcome!) throw outcome.error;
      return outcome!.answer;
    },
    batch: { count: (entries) => Math.min(entries.length, 4), send: (entries) => server.take(entries) },
    classifyError: (error) =>
      error instanceof UnreachableError ? 'away' : (error as Error).message === 'busy' ? 'unsure' : 'refused',
    canSendLater: () => true,
    now: () => Date.now(),
  });
}

describe('an outbox whose server takes several edits at once', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const push = (outbox: Outbox<{ text: string }, string>, ...texts: string[]): Promise<string>[] =>
    texts.map((text) => outbox.push({ text }).catch((error: Error) => error.message));

  test('[finding P17] what was made while a request was under way goes out as one, in order and up to what one takes', async () => {
    const server = new Server();
    const outbox = outboxOn(server);
    const answers = push(outbox, 'a', 'b', 'c', 'd', 'e', 'f', 'g');
    await vi.runAllTimersAsync();
    expect(server.requests).toEqual([['a'], ['b', 'c', 'd', 'e'], ['f', 'g']]);
    expect(await Promise.all(answers)).toEqual(['did a', 'did b', 'did c', 'did d', 'did e', 'did f', 'did g']);
    expect(outbox.state.get()).toEqual({ kind: 'saved', pendingCount: 0, isPersisted: true });
  });

  test('[finding P17] one that is refused is told to its writer alone, and the others are done', async () => {
    const server = new Server();
    const outbox = outboxOn(server);
    server.refuses.add('c');
    const answers = push(outbox, 'a', 'b', 'c', 'd');
    await vi.runAllTimersAsync();
    expect(await Promise.all(answers)).toEqual(['did a', 'did b', 'c is refused', 'did d']);
    expect(outbox.rejected.get().map(({ entry, message }) => [entry.call.text, message])).toEqual([
      ['c', 'c is refused'],
    ]);
  });

  test('[finding P17] edits whose answers were lost are repeated under their keys: each is done once, in order', async () => {
    const server = new Server();
    const outbox = outboxOn(server);
    const answers = push(outbox, 'a', 'b', 'c');
    await vi.advanceTimersByTimeAsync(10);
    server.losesAnswers = true;
    await vi.advanceTimersByTimeAsync(10);
    expect(outbox.state.get()).toMatchObject({ kind: 'away', pendingCount: 2 });
    // The server may have applied them, so they cannot be withdrawn locally.
    expect(outbox.withdraw()).toBeUndefined();
    server.losesAnswers = false;
    answers.push(...push(outbox, 'd', 'e'));
    await vi.runAllTimersAsync();
    expect(server.requests).toEqual([['a'], ['b', 'c'], ['b'], ['c', 'd', 'e']]);
    expect(server.done).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await Promise.all(answers)).toEqual(['did a', 'did b', 'did c', 'did d', 'did e']);
  });

  test('[finding P17] what waits for the line goes out as one request when it is back', async () => {
    const server = new Server();
    const outbox = outboxOn(server);
    const answers = push(outbox, 'a', 'b', 'c');
    await vi.advanceTimersByTimeAsync(10);
    server.losesAnswers = true;
    await vi.advanceTimersByTimeAsync(10);
    server.losesAnswers = false;
    outbox.retryNow();
    await vi.runAllTimersAsync();
    expect(server.requests).toEqual([['a'], ['b', 'c'], ['b', 'c']]);
    expect(await Promise.all(answers)).toEqual(['did a', 'did b', 'did c']);
  });

  test('[finding P17] those after one that the server is too busy for wait behind it', async () => {
    const server = new Server();
    const outbox = outboxOn(server);
    server.busyWith.add('c');
    const answers = push(outbox, 'a', 'b', 'c', 'd');
    await vi.advanceTimersByTimeAsync(20);
    expect(server.done).toEqual(['a', 'b']);
    server.busyWith.clear();
    await vi.runAllTimersAsync();
    expect(server.done).toEqual(['a', 'b', 'c', 'd']);
    expect(await Promise.all(answers)).toEqual(['did a', 'did b', 'did c', 'did d']);
  });

  test('[finding P17] a server that does not take groups gets one at a time', async () => {
    const server = new Server();
    server.takesGroups = false;
    const outbox = outboxOn(server);
    push(outbox, 'a', 'b', 'c');
    await vi.runAllTimersAsync();
    expect(server.requests).toEqual([['a'], ['b', 'c'], ['b'], ['c']]);
    expect(server.done).toEqual(['a', 'b', 'c']);
  });
});
