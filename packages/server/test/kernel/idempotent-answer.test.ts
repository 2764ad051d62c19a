import { expect, test } from 'vitest';
import { writeAndAnswer } from '../../src/kernel/idempotent-answer.ts';
import { systemStamp } from '../../src/ports/audit-stamp.ts';

test('an answer that depends on the time is the stored one', async () => {
  const stamp = systemStamp(0, 'test');
  const stored: { text?: string; isSecret: boolean } = { isSecret: false };
  let seconds = 0;
  const answer = await writeAndAnswer(
    { stamp, reply: { stored } },
    async () => {
      stamp.answer?.(undefined);
    },
    () => ({ expires: (seconds += 1) }),
  );
  expect(JSON.parse(stored.text!)).toEqual({ data: answer });
});

test('a write that is tried again gives the answer of its last try', async () => {
  const stamp = systemStamp(0, 'test');
  const stored: { text?: string; isSecret: boolean } = { isSecret: false };
  const answer = await writeAndAnswer(
    { stamp, reply: { stored } },
    async () => {
      stamp.answer?.(1);
      stamp.answer?.(2);
      return 2;
    },
    (version) => ({ version }),
  );
  expect(answer).toEqual({ version: 2 });
  expect(JSON.parse(stored.text!)).toEqual({ data: answer });
});
