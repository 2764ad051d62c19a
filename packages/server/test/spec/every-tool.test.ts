import { existsSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = (path: string): URL => new URL(`../../../../${path}`, import.meta.url);
const names = (path: string): string[] =>
  existsSync(folder(path)) ? readdirSync(folder(path)).map((file) => file.replace(/(\.test)?\.ts$/, '')) : [];

test.each(['sheet', 'manage'])('every tool of the %s module has a file of tests of its own', (module) => {
  const tools = [
    ...names(`packages/server/src/modules/${module}/operations`),
    ...names(`packages/server/src/modules/${module}/extensions`),
  ];
  const tested = new Set(names(`packages/server/test/spec/${module}`));
  expect(tools.length).toBeGreaterThan(10);
  expect(tools.filter((tool) => !tested.has(tool))).toEqual([]);
});
