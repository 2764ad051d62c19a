import { createCipheriv, createHash } from 'node:crypto';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { decode } from '../src/index.ts';
import { encryptAgile } from '@sheaf/tools/testing/formats/agile-encryption.ts';
import { concat, u16, u32, utf8 } from '@sheaf/tools/testing/formats/bytes.ts';
import { docx, wordParagraph, xlsx } from '@sheaf/tools/testing/formats/ooxml.ts';
import { compound } from '@sheaf/tools/testing/formats/ole-documents.ts';

/** The standard scheme of Office 2007, from the encrypting side. */
function encryptStandard(plain: Uint8Array, password: string): Uint8Array {
  const sha = (...parts: Uint8Array[]): Buffer => createHash('sha1').update(Buffer.concat(parts)).digest();
  const salt = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex');
  let hash = sha(salt, Buffer.from(password, 'utf16le'));
  for (let round = 0; round < 50_000; round++) hash = sha(u32(round), hash);
  hash = sha(hash, u32(0));
  const block = Buffer.alloc(64, 0x36);
  hash.forEach((byte, index) => (block[index] = byte ^ 0x36));
  const key = sha(block).subarray(0, 16);
  const ecb = (data: Uint8Array): Uint8Array => {
    const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
    return concat(cipher.update(concat(data, new Uint8Array((16 - (data.length % 16)) % 16))), cipher.final());
  };
  const verifier = Buffer.from('the verifier 16b');
  const provider = Buffer.from('Microsoft Enhanced RSA and AES Cryptographic Provider\0', 'utf16le');
  const header = concat(u32(0x24, 0, 0x660e, 0x8004, 128, 0x18, 0, 0), provider);
  const info = concat(
    u16(3, 2),
    u32(0x24, header.length),
    header,
    u32(16),
    salt,
    ecb(verifier),
    u32(20),
    ecb(sha(verifier)),
  );
  return compound({ EncryptionInfo: info, EncryptedPackage: concat(u32(plain.length, 0), ecb(plain)) });
}

describe('[T31] encrypted Office files', () => {
  it('opens the agile scheme, as another program wrote it, with the right password only', async () => {
    const bytes = await writeXlsx({
      sheets: [{ name: '密', rows: [['机密数据', 1]] }],
      encryption: { password: 'pässwörd', spinCount: 2_000 },
    });
    await expect(decode(bytes, { kind: 'xlsx' })).rejects.toMatchObject({
      word: 'encrypted',
      message: expect.stringContaining('file_info.password'),
    });
    await expect(decode(bytes, { kind: 'xlsx', password: 'guess-1' })).rejects.toMatchObject({
      word: 'wrong_password',
      message: expect.not.stringContaining('guess-1'),
    });
    expect((await decode(bytes, { kind: 'xlsx', password: 'pässwörd' })).text).toBe('密\n机密数据\t1');
  });

  it('[finding F3] opens agile files laid out as Office does, with more allocation table than the finished file needs', async () => {
    const word = encryptAgile(docx(), 'päss 密码', { spareFat: 2 });
    expect((await decode(word, { kind: 'docx', password: 'päss 密码' })).text).toContain('知识库的正文在这里。');
    await expect(decode(word, { kind: 'docx', password: 'pass 密码' })).rejects.toMatchObject({
      word: 'wrong_password',
    });
    await expect(decode(word, { kind: 'docx' })).rejects.toMatchObject({ word: 'encrypted' });
    const book = encryptAgile(xlsx(), 'p', { spareFat: 2, spins: 100 });
    expect((await decode(book, { kind: 'xlsx', password: 'p' })).text).toBe('销售\n城市\tAmount\n北京\t42.5');
  });

  it('[finding F3] follows the list of the allocation table where it goes on outside the header', async () => {
    const noise = Buffer.from(Array.from({ length: 30_000 }, (_, index) => (index * 2_654_435_761) >>> 0).join(' '));
    const bytes = encryptAgile(docx(wordParagraph(`start ${noise.toString()} end`)), 'p', {
      spareFat: 150,
      spins: 100,
    });
    const { text } = await decode(bytes, { kind: 'docx', password: 'p' });
    expect(text.startsWith('start 0 2654435761 ')).toBe(true);
    expect(text.endsWith(' end')).toBe(true);
  });

  it('[finding F3] refuses an allocation table with more sectors than the file has', async () => {
    const bytes = Buffer.from(encryptAgile(docx(), 'p', { spins: 1 }));
    bytes.writeUInt32LE(bytes.length / 512, 44);
    await expect(decode(bytes, { kind: 'docx', password: 'p' })).rejects.toMatchObject({
      word: 'damaged',
      message: expect.stringContaining('larger than the file'),
    });
  });

  it('opens the standard scheme with the right password only', async () => {
    const bytes = encryptStandard(docx(), 'secret');
    await expect(decode(bytes, { kind: 'docx' })).rejects.toMatchObject({ word: 'encrypted' });
    await expect(decode(bytes, { kind: 'docx', password: 'Secret' })).rejects.toMatchObject({ word: 'wrong_password' });
    expect((await decode(bytes, { kind: 'docx', password: 'secret' })).text).toContain('知识库的正文');
  });

  it('refuses a file that asks for endless rounds of hashing', async () => {
    const key =
      'saltSize="16" blockSize="16" keyBits="256" hashSize="64" cipherAlgorithm="AES" ' +
      'cipherChaining="ChainingModeCBC" hashAlgorithm="SHA512" saltValue="AAAAAAAAAAAAAAAAAAAAAA=="';
    const xml =
      `<encryption><keyData ${key}/><keyEncryptors><keyEncryptor>` +
      `<p:encryptedKey spinCount="10000000" ${key}/></keyEncryptor></keyEncryptors></encryption>`;
    const bytes = compound({
      EncryptionInfo: concat(u16(4, 4), u32(0x40), utf8(xml)),
      EncryptedPackage: new Uint8Array(5_000),
    });
    await expect(decode(bytes, { kind: 'xlsx', password: 'p' })).rejects.toMatchObject({
      word: 'unsupported',
      message: expect.stringContaining('10000000 rounds'),
    });
  });
});
