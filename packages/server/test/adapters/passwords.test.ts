import { pbkdf2 } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ThreadedPasswordHasher } from '../../src/adapters/passwords/threaded-hasher.ts';
import { Unavailable } from '../../src/ports/availability-errors.ts';
import { workerScriptPath } from '../../src/worker-script.ts';

function passwords(): ThreadedPasswordHasher {
  const thread = new ThreadedPasswordHasher(workerScriptPath('passwords'));
  onTestFinished(() => thread.close());
  return thread;
}

describe('passwords', () => {
  test('match their own hash and no other; a hash of the earlier form still does', async () => {
    const thread = passwords();
    const hash = await thread.hash('correct horse');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect([await thread.verify(hash, 'correct horse'), await thread.verify(hash, 'wrong horse')]).toEqual([
      true,
      false,
    ]);
    const { hash: asBefore } = await import('@node-rs/argon2');
    expect(await thread.verify(await asBefore('older'), 'older')).toBe(true);
    await expect(thread.verify('no hash', 'x')).rejects.toThrow();
    expect(await thread.verify(hash, 'correct horse')).toBe(true);
  });

  test('[finding R15] are hashed though the threads that sync files are all busy, and do not keep these busy', async () => {
    const thread = passwords();
    await thread.hash('warm');
    // As many as Node has threads, each for a second or more: a hash in the same threads would wait for one of them.
    let busy = 4;
    const held = Array.from(
      { length: 4 },
      () =>
        new Promise<void>((resolve) =>
          pbkdf2('x', 'y', 1_500_000, 64, 'sha512', () => {
            busy--;
            resolve();
          }),
        ),
    );
    await thread.hash('correct horse');
    expect(busy).toBe(4);
    await Promise.all(held);
  }, 120_000);

  test('past 64 that wait, the next is told to try again', async () => {
    const thread = passwords();
    const asked = await Promise.allSettled(Array.from({ length: 70 }, () => thread.hash('x')));
    expect(asked.filter((one) => one.status === 'rejected' && one.reason instanceof Unavailable).length).toBe(6);
  }, 60_000);
});
