import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

const names = (folder: string): string[] => readdirSync(new URL(`../../${folder}`, import.meta.url)).map((file) => file.replace(/(\.test)?\.ts$/, ''));

test.each([
  ['sheet', 49],
  ['manage', 13],
])('every tool of the %s module has a file of tests of its own', (module, count) => {
  const tools = names(`src/${module}/operations`);
  const tested = new Set(names(`test/spec/${module}`));
  expect(tools.filter((tool) => !tested.has(tool))).toEqual([]);
  expect(tools).toHaveLength(count);
});
