import { describe, expect, test } from 'vitest';
import { sheet } from '../../../../src/modules/sheet/index.ts';
import { desk } from './support.ts';
import { doTask, tasks } from './tasks.ts';

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!;

describe('[finding G6] spreadsheet tasks with the core tools alone', () => {
  const done = tasks.map((task) => {
    const used = new Set<string>();
    const work = desk(...(task.sheets ?? ['Sales']));
    const counted = {
      ...work,
      call: (tool: string, input?: Record<string, unknown>) => (used.add(tool), work.call(tool, input)),
    };
    return { task, used, ...doTask(task, counted) };
  });

  test('there are 30, each different', () => {
    expect(new Set(tasks.map(({ name }) => name)).size).toBe(30);
  });

  test.each(done)('$task.name: $calls calls, $tokens tokens', ({ failed }) => {
    expect(failed).toEqual({});
  });

  test('use core tools, at most 4 calls and 1,500 tokens of answers as the median', () => {
    const core = new Set([...sheet.core!, 'batch']);
    for (const { task, used } of done)
      expect([task.name, [...used].filter((tool) => !core.has(tool))]).toEqual([task.name, []]);
    const [calls, tokens] = [median(done.map((one) => one.calls)), median(done.map((one) => one.tokens))];
    const most = (list: readonly number[]): number => Math.max(...list);
    console.log(`30 tasks: median ${calls} calls, ${tokens} tokens`);
    console.log(`most: ${most(done.map((one) => one.calls))} calls, ${most(done.map((one) => one.tokens))} tokens`);
    expect(calls).toBeLessThanOrEqual(4);
    expect(tokens).toBeLessThanOrEqual(1500);
  });
});
