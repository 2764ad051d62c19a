import { createCipheriv, createHash, createHmac } from 'node:crypto';
import { concat, u16, u32, utf16, utf8 } from './bytes.ts';
import { officeCompound, type OfficeLayout } from './office-compound.ts';

const segment = 4096;
const hash = (...parts: Uint8Array[]): Buffer => {
  const hasher = createHash('sha512');
  for (const part of parts) hasher.update(part);
  return hasher.digest();
};

function cbc(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-cbc', key, iv).setAutoPadding(false);
  const padding = new Uint8Array((16 - (data.length % 16)) % 16);
  return Buffer.concat([cipher.update(data), cipher.update(padding), cipher.final()]);
}

/**
 * Encrypts the Office file `plain` with a password as Office 2013 and later do: with the agile scheme of the
 * specification MS-OFFCRYPTO (AES-256, SHA-512). `spins` is the number of hash rounds.
 */
export function encryptAgile(
  plain: Uint8Array,
  password: string,
  layout: OfficeLayout & { spins?: number } = {},
): Uint8Array {
  const spins = layout.spins ?? 100_000;
  const bytes = (seed: string, length: number): Buffer => hash(utf8(seed)).subarray(0, length);
  const passwordSalt = bytes('password salt', 16);
  const dataSalt = bytes('data salt', 16);
  const secret = bytes('secret', 32);
  const verifier = bytes('verifier', 16);
  let base = hash(passwordSalt, Buffer.from(password, 'utf16le'));
  for (let round = 0; round < spins; round++) base = hash(u32(round), base);
  const lock = (block: string, data: Uint8Array): string =>
    cbc(hash(base, Buffer.from(block, 'hex')).subarray(0, 32), passwordSalt, data).toString('base64');
  const ivOf = (block: Uint8Array): Buffer => hash(dataSalt, block).subarray(0, 16);

  const segments: Uint8Array[] = [u32(plain.length, 0)];
  for (let at = 0, index = 0; at < plain.length; at += segment, index++) {
    segments.push(cbc(secret, ivOf(u32(index)), plain.subarray(at, at + segment)));
  }
  const encrypted = concat(...segments);
  const integrityKey = bytes('integrity', 64);
  const sealed = (block: string, data: Uint8Array): string =>
    cbc(secret, ivOf(Buffer.from(block, 'hex')), data).toString('base64');
  const key =
    'saltSize="16" blockSize="16" keyBits="256" hashSize="64" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="SHA512"';
  const xml = [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n',
    '<encryption xmlns="http://schemas.microsoft.com/office/2006/encryption" xmlns:p="http://schemas.microsoft.com/office/2006/keyEncryptor/password">',
    `<keyData ${key} saltValue="${dataSalt.toString('base64')}"/>`,
    `<dataIntegrity encryptedHmacKey="${sealed('5fb2ad010cb9e1f6', integrityKey)}"`,
    ` encryptedHmacValue="${sealed('a0677f02b22c8433', createHmac('sha512', integrityKey).update(encrypted).digest())}"/>`,
    '<keyEncryptors><keyEncryptor uri="http://schemas.microsoft.com/office/2006/keyEncryptor/password">',
    `<p:encryptedKey spinCount="${spins}" ${key} saltValue="${passwordSalt.toString('base64')}"`,
    ` encryptedVerifierHashInput="${lock('fea7d2763b4b9e79', verifier)}"`,
    ` encryptedVerifierHashValue="${lock('d7aa0f6d3061344e', hash(verifier))}"`,
    ` encryptedKeyValue="${lock('146e0be7abacd0d6', secret)}"/></keyEncryptor></keyEncryptors></encryption>`,
  ].join('');
  const named = (text: string): Uint8Array =>
    concat(u32(text.length * 2), utf16(text), new Uint8Array((4 - ((text.length * 2) % 4)) % 4));
  const streams = {
    '\u0006DataSpaces/Version': concat(named('Microsoft.Container.DataSpaces'), u32(1, 1, 1)),
    '\u0006DataSpaces/DataSpaceMap': concat(
      u32(8, 1, 0x68, 1, 0),
      named('EncryptedPackage'),
      named('StrongEncryptionDataSpace'),
    ),
    '\u0006DataSpaces/DataSpaceInfo/StrongEncryptionDataSpace': concat(u32(8, 1), named('StrongEncryptionTransform')),
    '\u0006DataSpaces/TransformInfo/StrongEncryptionTransform/\u0006Primary': concat(
      u32(0x58, 1),
      named('{FF9A3F03-56EF-4613-BDD5-5A41C1D07246}'),
      named('Microsoft.Container.EncryptionTransform'),
      u32(1, 1, 1, 0, 0, 0, 4),
    ),
    EncryptionInfo: concat(u16(4, 4), u32(0x40), utf8(xml)),
    EncryptedPackage: encrypted,
  };
  return officeCompound(streams, layout);
}
