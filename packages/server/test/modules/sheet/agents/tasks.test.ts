import { beforeAll, describe, expect, test } from 'vitest';
import { sheet } from '../../../../src/modules/sheet/index.ts';
import { desk } from './support.ts';
import { doTask, median, tasks } from './tasks.ts';

interface Done {
  readonly used: Set<string>;
  readonly calls: number;
  readonly tokens: number;
  readonly failed: unknown;
}

describe('[finding G6] spreadsheet tasks with the core tools alone', () => {
  const done = new Map<string, Done>();
  beforeAll(async () => {
    for (const task of tasks) {
      const used = new Set<string>();
      const work = desk(...(task.sheets ?? ['Sales']));
      const call = (tool: string, input?: Record<string, unknown>): unknown => (used.add(tool), work.call(tool, input));
      done.set(task.name, { used, ...(await doTask(task, { call })) });
    }
  });

  test('there are 30, each different', () => {
    expect(new Set(tasks.map(({ name }) => name)).size).toBe(30);
  });

  test.each(tasks)('$name', ({ name }) => {
    expect(done.get(name)!.failed).toEqual({});
  });

  test('use core tools, at most 3 calls and 900 tokens of answers as the median', () => {
    const core = new Set([...sheet.core!, 'batch']);
    for (const [name, { used }] of done)
      expect([name, [...used].filter((tool) => !core.has(tool))]).toEqual([name, []]);
    const all = [...done.values()];
    const [calls, tokens] = [median(all.map((one) => one.calls)), median(all.map((one) => one.tokens))];
    const most = (list: readonly number[]): number => Math.max(...list);
    console.log(`30 tasks: median ${calls} calls, ${tokens} tokens`);
    console.log(`most: ${most(all.map((one) => one.calls))} calls, ${most(all.map((one) => one.tokens))} tokens`);
    expect(calls).toBeLessThanOrEqual(3);
    expect(tokens).toBeLessThanOrEqual(900);
  });
});
