import { expect, test } from 'vitest';
import { QueuedDocuments } from '../../src/adapters/sql/sheets/queued-documents.ts';

/** Changes of documents at a clock that the test moves, and what a write of a user does. */
function tracked(): { changes: QueuedDocuments; pass(ms: number): void; write(user: string): number | undefined } {
  let now = 1_000_000;
  const changes = new QueuedDocuments({ now: () => now });
  return {
    changes,
    pass: (ms) => void (now += ms),
    /** Returns the delay of the outbox row that the write adds; undefined if an earlier row covers it. */
    write(user) {
      const queued = changes.missing('doc', [user]);
      changes.added('doc', queued);
      return queued.userIds.length > 0 ? queued.at - now : undefined;
    },
  };
}

test('while a document is edited its rows are a minute apart, however many edits there are', () => {
  const { pass, write } = tracked();
  const delays: number[] = [];
  for (let second = 0; second < 300; second++) {
    const delay = write('ada');
    if (delay !== undefined) delays.push(delay);
    pass(1000);
  }
  expect(delays).toEqual([60_000, 60_000, 60_000, 60_000, 60_000, 60_000]);
});

test('once nobody edits a document for three seconds its rows are due, once', () => {
  const { changes, pass, write } = tracked();
  write('ada');
  pass(2000);
  write('ben');
  pass(2000);
  expect(changes.takeSettled()).toEqual([]);
  pass(1000);
  expect(changes.takeSettled()).toEqual(['doc']);
  expect(changes.takeSettled()).toEqual([]);
  expect(write('ada')).toBe(60_000);
});

test('a write that was committed after the rows were made due is queued again', () => {
  const { changes, pass, write } = tracked();
  write('ada');
  const late = changes.missing('doc', ['ada']);
  expect(late.userIds).toEqual([]);
  pass(3000);
  expect(changes.takeSettled()).toEqual(['doc']);
  changes.added('doc', late);
  expect(changes.overtaken('doc', ['ada'])).toEqual(['ada']);
});
