import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { serializeError } from '../../src/lib/logger.ts';

const root = fileURLToPath(new URL('../../src', import.meta.url));

test('[finding A6] a logged error has its stack and what was behind it, and nothing else that a library put on it', () => {
  const cause = Object.assign(new TypeError('no route'), { code: 'EHOSTUNREACH' });
  const error = Object.assign(new Error('the store is away', { cause }), { parameters: ['a secret'] });
  expect(serializeError(error)).toEqual({
    type: 'Error',
    message: 'the store is away',
    stack: expect.stringContaining('logger.test.ts'),
    cause: {
      type: 'TypeError',
      message: 'no route',
      code: 'EHOSTUNREACH',
      stack: expect.stringContaining('logger.test.ts'),
    },
  });
  expect(serializeError('thrown text')).toEqual({ type: 'string', message: 'thrown text' });
});

test('[finding A6] errors are logged whole, as err', () => {
  const faults = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith(join('sheet', 'engine')))
    .filter((name) =>
      /error: (String\(error\)|error\.message|error instanceof)/.test(readFileSync(join(root, name), 'utf8')),
    );
  expect(faults).toEqual([]);
});
