import { expect, test } from 'vitest';
import { installedReadmes } from '@sheaf/tools/testing/foreign-markdown.ts';
import { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';
import { check } from './typed-letter.ts';

const lettersEach = 8;

test('every README of the installed packages, a letter typed into blocks all over it', { timeout: 600_000 }, () => {
  const random = new SeededRandom(34);
  const texts = installedReadmes();
  expect(texts.length).toBeGreaterThan(400);
  const typed = texts.map((text) =>
    check(text, (count) => Array.from({ length: Math.min(lettersEach, count) }, () => random.below(count))),
  );
  expect(typed.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(texts.length * 4);
});
