import { expect, test } from 'vitest';
import { splitJsonLines } from '../../src/lib/json-lines.ts';

async function* given(...chunks: (Buffer | string)[]): AsyncGenerator<Buffer | string> {
  yield* chunks;
}

async function lines(...chunks: (Buffer | string)[]): Promise<string[]> {
  const found: string[] = [];
  for await (const line of splitJsonLines(given(...chunks))) found.push(line);
  return found;
}

test('only a line feed ends a line: not U+2028, U+2029, U+0085 or a carriage return, which texts may hold', async () => {
  expect(await lines('{"a":"x\u2028y\u2029z\u0085\r"}\n{}\n')).toEqual(['{"a":"x\u2028y\u2029z\u0085\r"}', '{}']);
});

test('pieces are put together, also in the middle of a character; the last line needs no end', async () => {
  const bytes = Buffer.from('苹果\n\nend');
  expect(await lines(...Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(['苹果', '', 'end']);
  expect(await lines()).toEqual([]);
});
