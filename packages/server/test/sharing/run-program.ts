import { expect } from 'vitest';
import type { Callable, Key } from '@sheaf/tools/testing/call-client.ts';
import { change } from './changes.ts';
import { prepare } from './create.ts';
import { lookAtLists } from './lists.ts';
import { Program } from './program.ts';
import { look } from './reads.ts';
import { sweepOperations } from './sweep.ts';
import { Watchers } from './watchers.ts';

/**
 * Runs a random program of so many steps on the nodes of one installation, each call on any of them, and compares every
 * answer with the model. Returns the number of calls.
 */
export async function runProgram(nodes: readonly Callable[], owner: Key, seed: number, steps: number): Promise<number> {
  const program = new Program(nodes, owner, seed);
  const watchers = new Watchers(program);
  await prepare(program);
  try {
    for (let step = 0; step < steps; step++) {
      if (step % 5 === 0) await watchers.open();
      await change(program, watchers);
      await look(program);
      if (step % 8 === 0) await lookAtLists(program);
      watchers.verify();
    }
  } finally {
    watchers.closeAll();
  }
  await sweepOperations(program);
  await findEverything(program);
  return program.calls;
}

/** In the end the index has caught up: everybody finds every note that they may read. */
async function findEverything(program: Program): Promise<void> {
  const { model } = program;
  const notes = model.things.filter(({ kind, isDeleted, isGone }) => kind === 'note' && !isDeleted && !isGone);
  for (const note of notes.slice(-20))
    for (const user of program.active)
      await expect
        .poll(
          async () => {
            const { data } = await program.call('wiki.search_all', { query: note.word, kinds: ['note'] }, user);
            return data.info_list.some((one: { id: string }) => one.id === note.id);
          },
          { timeout: 120_000, message: `${user.userId} searches ${note.word}; ${program.where()}` },
        )
        .toBe(model.may(user.userId, note, 'read'));
}
