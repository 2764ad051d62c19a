import { describe, expect, test } from 'vitest';
import { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';
import { linearizable, type Call } from './linearizable.ts';

const write = (began: number, ended: number | undefined, values: Record<number, number>): Call => ({
  operation: { kind: 'write', values: new Map(Object.entries(values).map(([cell, value]) => [Number(cell), value])) },
  began,
  ...(ended === undefined ? {} : { ended }),
});
const read = (began: number, ended: number, ...seen: number[]): Call => ({
  operation: { kind: 'read', seen },
  began,
  ended,
});
const verdict = (...history: Call[]): boolean => linearizable(history, [0, 0]).isLinearizable;

describe('what one document can have done', () => {
  test('one call after the other', () => {
    expect(verdict(write(0, 1, { 0: 1 }), read(2, 3, 1, 0), write(4, 5, { 1: 2 }), read(6, 7, 1, 2))).toBe(true);
  });

  test('calls at the same time in either order, seen by all in the same', () => {
    const both = [write(0, 10, { 0: 1 }), write(0, 10, { 0: 2 })];
    expect(verdict(...both, read(11, 12, 1, 0))).toBe(true);
    expect(verdict(...both, read(11, 12, 2, 0))).toBe(true);
    expect(verdict(...both, read(3, 4, 0, 0), read(5, 6, 1, 0), read(7, 8, 2, 0))).toBe(true);
  });

  test('a write without an answer that happened late, or never', () => {
    expect(verdict(write(0, undefined, { 0: 1 }), read(5, 6, 0, 0), read(90, 91, 1, 0))).toBe(true);
    expect(verdict(write(0, undefined, { 0: 1 }), read(5, 6, 0, 0), read(90, 91, 0, 0))).toBe(true);
  });
});

describe('what it cannot have done', () => {
  test('an acknowledged write that is not there', () => {
    expect(verdict(write(0, 1, { 0: 1 }), read(2, 3, 0, 0))).toBe(false);
  });

  test('a stale read, after somebody has seen the newer value', () => {
    expect(verdict(write(0, 20, { 0: 1 }), read(2, 3, 1, 0), read(4, 5, 0, 0))).toBe(false);
  });

  test('a write without an answer that was seen and then is gone', () => {
    expect(verdict(write(0, undefined, { 0: 1 }), read(2, 3, 1, 0), read(4, 5, 0, 0))).toBe(false);
  });

  test('a value that comes back after it was replaced', () => {
    const both = [write(0, 10, { 0: 1 }), write(0, 10, { 0: 2 })];
    expect(verdict(...both, read(11, 12, 1, 0), read(13, 14, 2, 0))).toBe(false);
  });

  test('two readers who see two writes in different orders', () => {
    const both = [write(0, 30, { 0: 1 }), write(0, 30, { 1: 2 })];
    expect(verdict(...both, read(1, 9, 1, 0), read(1, 9, 0, 2))).toBe(false);
  });

  test('half of a write', () => {
    expect(verdict(write(0, 10, { 0: 1, 1: 2 }), read(1, 2, 1, 0))).toBe(false);
  });

  test('a read of the future, or of what nobody wrote', () => {
    expect(verdict(read(0, 1, 1, 0), write(2, 3, { 0: 1 }))).toBe(false);
    expect(verdict(read(0, 1, 7, 0))).toBe(false);
  });

  test('the verdict names the calls that fit nowhere', () => {
    const stale = read(4, 5, 0, 0);
    expect(linearizable([write(0, 1, { 0: 1 }), read(2, 3, 1, 0), stale], [0, 0])).toEqual({
      isLinearizable: false,
      placed: 2,
      stuck: [stale],
    });
  });
});

/** A document that is right by construction: each call takes effect at one moment within it. */
function simulated(seed: number, calls: number): Call[] {
  const chance = new SeededRandom(seed);
  const state = [0, 0];
  const history: Call[] = [];
  const free = Array.from({ length: 6 }, () => 0);
  for (let moment = 1; moment <= calls; moment++) {
    const client = chance.oneOf([...free.keys()].filter((one) => free[one]! < moment));
    if (client === undefined) continue;
    const began = Math.max(free[client]!, moment - chance.between(0, 4));
    const ended = moment + chance.between(0, 4);
    free[client] = ended;
    if (chance.happens(0.5)) history.push(read(began, ended, ...state));
    else {
      const cells = chance.oneOf([[0], [1], [0, 1]]);
      for (const cell of cells) state[cell] = moment;
      history.push(
        write(began, chance.happens(0.1) ? undefined : ended, Object.fromEntries(cells.map((cell) => [cell, moment]))),
      );
    }
  }
  return history;
}

describe('long histories', () => {
  test('of a right document pass', () => {
    for (let seed = 1; seed <= 20; seed++)
      expect(linearizable(simulated(seed, 3000), [0, 0])).toMatchObject({ isLinearizable: true });
  });

  test('with one read that was answered from long ago do not', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const history = simulated(seed, 1000);
      const reads = history.filter(({ operation }) => operation.kind === 'read');
      const old = reads[Math.floor(reads.length / 4)]!.operation;
      const late = history.indexOf(reads[Math.floor((reads.length * 3) / 4)]!);
      history[late] = { ...history[late]!, operation: old };
      expect(linearizable(history, [0, 0]).isLinearizable).toBe(false);
    }
  });
});
