/** What is read in slices, because it may be as large as a body, is what it would be at once. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { decodeBase64 } from '../../src/lib/base64.ts';
import { text } from '../../src/kernel/field-schemas.ts';
import { fingerprintCall } from '../../src/kernel/call-fingerprint.ts';
import { refuseNul, refuseNulYielding } from '../../src/transports/nul-check.ts';

const inOneGo = (name: string, raw: unknown): string =>
  createHash('sha256')
    .update(`${name}\n${JSON.stringify(raw)}`)
    .digest('hex');

describe('[finding R16] large inputs', () => {
  test.each([
    ['a small one', { a: 1, b: ['x', null, true] }],
    ['a long text', { a: `x${'😀'.repeat(100_000)}`, b: '\n"\\\ud83d'.repeat(50_000) }],
    [
      'a list of many',
      { values: Array.from({ length: 50_000 }, (_, row) => ({ row, text: `"${row}`, none: null })), a: {} },
    ],
    ['lists in lists', [Array.from({ length: 300 }, () => Array.from({ length: 300 }, (_, i) => i)), [], {}]],
  ])('the fingerprint of %s is that of its JSON', async (_name, raw) => {
    expect(await fingerprintCall('m.op', raw)).toBe(inOneGo('m.op', raw));
  });

  test('no fingerprint is one of a password alone', async () => {
    const raw = { password: 'secret', x: 'x'.repeat(200_000) };
    const found = await fingerprintCall('m.op', raw);
    expect(found).toBe(await fingerprintCall('m.op', { ...raw }));
    expect(found).not.toBe(inOneGo('m.op', raw));
    expect(found).not.toBe(await fingerprintCall('m.op', { ...raw, password: 'other' }));
  });

  test.each([1, 2, 3, 700_000, 2_000_001])('base64 of %i bytes, with and without white space', async (length) => {
    const bytes = Buffer.alloc(length, 'sheaf \xff');
    const plain = bytes.toString('base64');
    expect(bytes.equals((await decodeBase64(plain))!)).toBe(true);
    expect(bytes.equals((await decodeBase64(bytes.toString('base64url')))!)).toBe(true);
    expect(bytes.equals((await decodeBase64(plain.replaceAll(/.{57}/g, '$&\r\n')))!)).toBe(true);
    expect(await decodeBase64(`${plain}*`)).toBeUndefined();
    expect(await decodeBase64(`=${plain}`)).toBeUndefined();
  });

  test('NUL is found at any depth, after any number of values', async () => {
    const many = Array.from({ length: 250_000 }, () => ({ a: 'x' }));
    await expect(refuseNulYielding({ list: [...many, { a: ['x', '\0'] }] })).rejects.toThrow(
      'list.250000.a.1: must not contain the NUL character',
    );
    await expect(refuseNulYielding({ list: many })).resolves.toBeUndefined();
    expect(() => refuseNul('\0')).toThrow('the request: must not contain the NUL character');
    expect(() => refuseNul({ a: { 'b\0': 1 } })).toThrow('a: must not contain the NUL character');
  });

  test('a text that is far too long is counted as far as it says something', () => {
    const field = text('A name.', { max: 10 });
    const message = (value: string): string | undefined => field.safeParse(value).error?.issues[0]?.message;
    expect(message('😀'.repeat(11))).toBe('must be at most 10 characters (got 11)');
    expect(message('x'.repeat(2_000_000))).toBe('must be at most 10 characters (got more than 1000000)');
  });
});
