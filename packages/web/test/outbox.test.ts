import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  PendingEditStore,
  documentsWithPendingEdits,
  type PendingEdit,
  type KeyValueStore,
} from '../src/lib/outbox/pending-edit-store.ts';
import type { FailureKind } from '../src/lib/request-retries.ts';
import { Outbox } from '../src/lib/outbox/outbox.ts';
import { UnreachableError } from '../src/lib/unreachable-error.ts';

interface Call {
  readonly text: string;
  readonly waits?: boolean;
}

/** A stand-in for the browser's storage that survives a reload. */
class Shelf implements KeyValueStore {
  readonly texts = new Map<string, string>();
  isFull = false;

  keys(): string[] {
    return [...this.texts.keys()];
  }

  read(key: string): string | null {
    return this.texts.get(key) ?? null;
  }

  write(key: string, value: string | null): boolean {
    if (value === null) this.texts.delete(key);
    else if (this.isFull) return false;
    else this.texts.set(key, value);
    return true;
  }
}

/** A server that applies each idempotency key once, like the real one. */
class Server {
  isAway = false;
  losesAnswers = false;
  readonly done: string[] = [];
  readonly keys = new Set<string>();
  asked = 0;
  refuses: string | undefined;
  /** An error for the edit with this text only. */
  fault: { readonly of: string; readonly error: Error } | undefined;

  async take({ id, call }: PendingEdit<Call>): Promise<string> {
    this.asked += 1;
    if (this.isAway) throw new UnreachableError('away');
    if (this.fault?.of === call.text) throw this.fault.error;
    if (call.text === this.refuses) throw new Error(`${call.text} is refused`);
    if (!this.keys.has(id)) this.done.push(call.text);
    this.keys.add(id);
    if (this.losesAnswers) throw new UnreachableError('the answer is lost');
    return `did ${call.text}`;
  }
}

let now = Date.UTC(2026, 0, 1);

function outboxOn(shelf: Shelf, server: Server): Outbox<Call, string> {
  const outbox = new Outbox<Call, string>({
    entries: new PendingEditStore<Call>(shelf, 'ada/doc'),
    send: (entry) => server.take(entry),
    classifyError: (error): FailureKind =>
      error instanceof UnreachableError ? 'away' : (error as Error).message === 'busy' ? 'unsure' : 'refused',
    canSendLater: ({ waits = true }) => waits,
    now: () => now,
  });
  outbox.resume();
  return outbox;
}

describe('the outbox', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const settle = () => vi.advanceTimersByTimeAsync(0);

  test('[finding P2] sends in the order of making, one at a time, and keeps nothing that was answered', async () => {
    const [shelf, server] = [new Shelf(), new Server()];
    const outbox = outboxOn(shelf, server);
    const answers = ['a', 'b', 'c'].map((text) => outbox.push({ text }));
    expect(shelf.keys()).toHaveLength(3);
    expect(await Promise.all(answers)).toEqual(['did a', 'did b', 'did c']);
    expect(server.done).toEqual(['a', 'b', 'c']);
    expect(shelf.keys()).toEqual([]);
    expect(outbox.state.get()).toEqual({ kind: 'saved', pendingCount: 0, isPersisted: true });
  });

  test('[finding P2] while the server is away edits are kept; when it is back each is carried out once', async () => {
    const [shelf, server] = [new Shelf(), new Server()];
    const outbox = outboxOn(shelf, server);
    server.isAway = true;
    const first = outbox.push({ text: 'a' });
    await settle();
    const second = outbox.push({ text: 'b' });
    expect(outbox.state.get()).toEqual({ kind: 'away', pendingCount: 2, isPersisted: true });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(server.done).toEqual([]);
    // The second edit waits for the first and was never sent.
    expect(outbox.pending.map(({ call, tried }) => [call.text, tried])).toEqual([
      ['a', true],
      ['b', false],
    ]);
    server.isAway = false;
    server.losesAnswers = true;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(server.done).toEqual(['a']);
    server.losesAnswers = false;
    outbox.retryNow();
    expect(await Promise.all([first, second])).toEqual(['did a', 'did b']);
    expect(server.done).toEqual(['a', 'b']);
    expect(shelf.keys()).toEqual([]);
  });

  test('[finding P2] another visit goes on where one ended, in the same order and with the same keys', async () => {
    const [shelf, server] = [new Shelf(), new Server()];
    server.losesAnswers = true;
    const before = outboxOn(shelf, server);
    for (const text of ['a', 'b', 'c']) void before.push({ text });
    await settle();
    expect(server.done).toEqual(['a']);

    server.losesAnswers = false;
    const after = outboxOn(shelf, server);
    const sent: string[] = [];
    after.listen((event) => sent.push(`${event.kind} ${event.entry.call.text}`));
    await settle();
    expect(server.done).toEqual(['a', 'b', 'c']);
    expect(sent).toEqual(['sent a', 'sent b', 'sent c']);
    // The earlier page retries too, and nothing is applied twice.
    before.retryNow();
    await settle();
    expect(server.done).toEqual(['a', 'b', 'c']);
    expect(shelf.keys()).toEqual([]);
  });

  test('[finding P2] an edit made after the clock was set back comes after those before it', async () => {
    const [shelf, server] = [new Shelf(), new Server()];
    server.isAway = true;
    void outboxOn(shelf, server).push({ text: 'a' });
    now -= 3_600_000;
    const later = outboxOn(shelf, server);
    void later.push({ text: 'b' });
    now += 3_600_000;
    expect(outboxOn(shelf, new Server()).pending.map(({ call }) => call.text)).toEqual(['a', 'b']);
  });

  test('[finding P2] what is refused is set aside with its reason and does not stop the rest', async () => {
    const [shelf, server] = [new Shelf(), new Server()];
    const outbox = outboxOn(shelf, server);
    server.refuses = 'b';
    const refused = outbox.push({ text: 'b' });
    const other = outbox.push({ text: 'c' });
    await expect(refused).rejects.toThrow('b is refused');
    expect(await other).toBe('did c');
    expect(outbox.rejected.get().map(({ entry, message }) => [entry.call.text, message])).toEqual([
      ['b', 'b is refused'],
    ]);

    const again = outboxOn(shelf, server);
    await settle();
    expect(server.done).toEqual(['c']);
    const [kept] = again.rejected.get();
    expect(kept!.message).toBe('b is refused');
    server.refuses = undefined;
    expect(await again.resend(kept!.entry.id)).toBe('did b');
    expect(again.rejected.get()).toEqual([]);
    expect(shelf.keys()).toEqual([]);
  });

  test('[finding P2] a refused edit that its writer has back is forgotten, and no other', async () => {
    const [shelf, server] = [new Shelf(), new Server()];
    const outbox = outboxOn(shelf, server);
    server.refuses = 'x';
    const errors = await Promise.all([1, 2].map(() => outbox.push({ text: 'x' }).catch((error: unknown) => error)));
    outbox.discardByError(new Error('x is refused'));
    expect(outbox.rejected.get()).toHaveLength(2);
    outbox.discardByError(errors[0]);
    expect(outbox.rejected.get().map((one) => one.error)).toEqual([errors[1]]);
    outbox.discard(outbox.rejected.get()[0]!.entry.id);
    expect(shelf.keys()).toEqual([]);
  });

  test('[finding P2] a fault that does not pass ends as a refusal, not as an endless wait', async () => {
    const [shelf, server] = [new Shelf(), new Server()];
    const outbox = outboxOn(shelf, server);
    server.fault = { of: 'a', error: new Error('busy') };
    const failed = outbox.push({ text: 'a' }).catch((error: unknown) => error);
    const next = outbox.push({ text: 'b' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await failed).toBe(server.fault.error);
    expect(await next).toBe('did b');
    expect(outbox.rejected.get().map(({ entry }) => entry.call.text)).toEqual(['a']);
  });

  test('[finding P2] what cannot wait fails at once when the server is away, and work between finds nothing under way', async () => {
    const [shelf, server] = [new Shelf(), new Server()];
    const outbox = outboxOn(shelf, server);
    const order: string[] = [];
    const first = outbox.push({ text: 'a' });
    const work = outbox.runExclusive(async () => order.push(...server.done));
    const last = outbox.push({ text: 'b', waits: false });
    await Promise.all([first, work, last]);
    expect(order).toEqual(['a']);

    server.isAway = true;
    void outbox.push({ text: 'c' });
    const behind = outbox.push({ text: 'insert', waits: false });
    await expect(behind).rejects.toThrow(UnreachableError);
    await expect(outbox.push({ text: 'insert', waits: false })).rejects.toThrow(UnreachableError);
    await expect(outbox.runExclusive(async () => undefined)).rejects.toThrow(UnreachableError);
    expect(shelf.keys()).toHaveLength(1);
    expect(outbox.rejected.get()).toEqual([]);
  });

  test('[finding P2] only what was never sent can be withdrawn', async () => {
    const [shelf, server] = [new Shelf(), new Server()];
    const outbox = outboxOn(shelf, server);
    server.isAway = true;
    for (const text of ['a', 'b', 'c']) void outbox.push({ text });
    await settle();
    expect(outbox.withdraw()?.text).toBe('c');
    expect(outbox.withdraw()?.text).toBe('b');
    expect(outbox.withdraw()).toBeUndefined();
    server.isAway = false;
    outbox.retryNow();
    await settle();
    expect(server.done).toEqual(['a']);
    expect(shelf.keys()).toEqual([]);
  });

  test('[finding P2] a full storage is told: the edit is then only as safe as the page', async () => {
    const [shelf, server] = [new Shelf(), new Server()];
    const outbox = outboxOn(shelf, server);
    server.isAway = true;
    shelf.isFull = true;
    const answer = outbox.push({ text: 'a' });
    await settle();
    expect(outbox.state.get()).toEqual({ kind: 'away', pendingCount: 1, isPersisted: false });
    server.isAway = false;
    outbox.retryNow();
    expect(await answer).toBe('did a');
  });

  test('[finding P2] an edit that was sent and kept past the memory of the server is not sent again by itself', async () => {
    const [shelf, server] = [new Shelf(), new Server()];
    server.isAway = true;
    const before = outboxOn(shelf, server);
    void before.push({ text: 'sent' });
    void before.push({ text: 'never sent' });
    await settle();
    now += 21 * 3_600_000;
    server.isAway = false;
    const after = outboxOn(shelf, server);
    await settle();
    expect(server.done).toEqual(['never sent']);
    expect(after.rejected.get().map(({ entry, message }) => [entry.call.text, message])).toEqual([['sent', '']]);
  });

  test('[finding P2] damaged texts in the storage are passed over; names are those of one owner', () => {
    const shelf = new Shelf();
    shelf.texts.set('sheaf.outbox/ada/doc/000-1', '{"id":');
    shelf.texts.set('sheaf.outbox/ada/doc/000-2', 'null');
    shelf.texts.set('sheaf.outbox/adam/other/000-1', '{}');
    shelf.texts.set('sheaf.draft.note', '{}');
    expect(new PendingEditStore<Call>(shelf, 'ada/doc').all()).toEqual([]);
    expect(documentsWithPendingEdits(shelf, 'ada')).toEqual(['doc']);
  });
});
