import { describe, expect, test } from 'vitest';
import { writeXlsx } from 'hucre/xlsx';
import { decode, type FormatKind } from '../src/index.ts';
import { xorArray } from '../src/containers/legacy-crypto.ts';
import {
  cryptoApiScheme,
  docCipher,
  encryptedXls,
  rc4Scheme,
  type Scheme,
} from '@sheaf/tools/testing/formats/legacy-crypto.ts';
import { doc, ppt, xls } from '@sheaf/tools/testing/formats/ole-documents.ts';
import { rc4 } from '@sheaf/tools/testing/formats/pdf.ts';

const password = 'pässwort 密';
const schemes: [string, (password: string) => Scheme][] = [
  ['RC4', rc4Scheme],
  ['RC4 of the CryptoAPI', cryptoApiScheme],
  ['RC4 of the CryptoAPI with 40 bits', (given) => cryptoApiScheme(given, 40)],
];

/** Long enough that every stream has several blocks. */
const rows = Array.from({ length: 300 }, (_, index) => [`行 ${index}`, index]);
const paragraphs = [{ text: '引言', style: 1 }, { text: `${'long '.repeat(400)}end` }];

async function opensOnlyWith(bytes: Uint8Array, kind: FormatKind, text: string): Promise<void> {
  expect((await decode(bytes, { kind, password })).text).toContain(text);
  await expect(decode(bytes, { kind, password: 'wrong' })).rejects.toMatchObject({ word: 'wrong_password' });
  await expect(decode(bytes, { kind })).rejects.toMatchObject({
    word: 'encrypted',
    message: expect.stringContaining('file_info.password'),
  });
}

describe('[finding F5] the encryption of .doc, .xls and .ppt', () => {
  for (const [name, scheme] of schemes) {
    test(`.xls: ${name}`, async () => {
      await opensOnlyWith(encryptedXls(xls(rows), scheme(password)), 'xls', '行 299\t299');
    });

    test(`.doc: ${name}`, async () => {
      const bytes = doc(paragraphs, { cipher: docCipher(scheme(password)) });
      await opensOnlyWith(bytes, 'doc', 'long end');
      expect((await decode(bytes, { kind: 'doc', password })).headings).toEqual([
        { level: 1, text: '引言', offset: 0 },
      ]);
    });
  }

  test('.ppt: each part by the key of its number', async () => {
    const scheme = cryptoApiScheme(password);
    const encrypt = (part: Uint8Array, id: number): Uint8Array =>
      new Uint8Array(rc4(scheme.key(id), Buffer.from(part)));
    const bytes = ppt([{ title: '第一页', body: 'Body one', box: '文本框' }], {
      cipher: { header: scheme.header, encrypt },
    });
    await opensOnlyWith(bytes, 'ppt', '第一页\n\nBody one\n文本框');
  });

  test("XOR: the right password opens it, and Excel's own needs not be sent", async () => {
    const bytes = encryptedXls(xls(rows), 'xor');
    expect((await decode(bytes, { kind: 'xls' })).text).toContain('行 299\t299');
    expect((await decode(bytes, { kind: 'xls', password: 'VelvetSweatshop' })).text).toContain('行 0\t0');
    expect(() => xorArray('VelvetSweatshoq', 0x9a0a)).toThrow('password is wrong');
  });

  test('what Excel encrypts by itself opens without asking, old and new', async () => {
    const old = encryptedXls(xls(rows), cryptoApiScheme('VelvetSweatshop'));
    expect((await decode(old, { kind: 'xls' })).text).toContain('行 1\t1');
    const made = await writeXlsx({
      sheets: [{ name: 'One', rows: [['sealed', 1]] }],
      encryption: { password: 'VelvetSweatshop', spinCount: 1_000 },
    });
    expect((await decode(made, { kind: 'xlsx' })).text).toBe('One\nsealed\t1');
    expect((await decode(made, { kind: 'xlsx', password: 'another' })).text).toBe('One\nsealed\t1');
  });

  test('a truncated or unknown header is told apart from a wrong password', async () => {
    const scheme = rc4Scheme(password);
    const cut = encryptedXls(xls(rows), { ...scheme, header: scheme.header.subarray(0, 30) });
    await expect(decode(cut, { kind: 'xls', password })).rejects.toMatchObject({ word: 'damaged' });
    const unknown = encryptedXls(xls(rows), { ...scheme, header: Uint8Array.of(9, 0, 9, 0, 0, 0) });
    await expect(decode(unknown, { kind: 'xls', password })).rejects.toMatchObject({
      word: 'encrypted',
      message: expect.stringContaining('version (9.9)'),
    });
  });
});
