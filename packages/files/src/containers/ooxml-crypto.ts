import { createDecipheriv, createHash, timingSafeEqual } from 'node:crypto';
import type { CompoundFile } from './compound-file.ts';
import { damaged, FormatError } from '../format-error.ts';
import { localName, scanXml } from '../xml/sax.ts';

/**
 * This file decrypts password-protected docx, pptx and xlsx files with the agile (Office 2010 and later) and standard
 * (2007) schemes of MS-OFFCRYPTO.
 */

// Maximum number of hash rounds per password. Office uses 100,000; the format allows ten million, which would take
// minutes.
const maxSpins = 1_000_000;
const segmentSize = 4096;

export function isEncryptedPackage(file: CompoundFile): boolean {
  return file.has('EncryptionInfo') && file.has('EncryptedPackage');
}

/**
 * Opens an encrypted file: calls `open` with `sent`, the password given by the caller. If that password is absent or
 * wrong, calls `open` with `usual`, the default password of the program that wrote the file. Throws if no password is
 * correct.
 */
export function withPassword<Result>(
  sent: string | undefined,
  usual: string | undefined,
  open: (password: string) => Result,
): Result {
  const isSent = sent !== undefined && sent !== '';
  for (const password of [isSent ? sent : undefined, usual]) {
    if (password === undefined) continue;
    try {
      return open(password);
    } catch (error) {
      if (!(error instanceof FormatError) || error.word !== 'wrong_password') throw error;
    }
  }
  throw isSent ? wrongPassword() : passwordRequired();
}

function passwordRequired(): FormatError {
  return new FormatError(
    'encrypted',
    'The file is password-protected. Send the password with it (file_info.password), or save it without one.',
  );
}

export function decryptPackage(file: CompoundFile, password: string): Uint8Array {
  const info = Buffer.from(file.read('EncryptionInfo'));
  const data = Buffer.from(file.read('EncryptedPackage'));
  if (info.length < 8 || data.length < 8) throw damaged('its encryption header is truncated');
  const size = Number(data.readBigUInt64LE(0));
  if (size > data.length) throw damaged('it claims more encrypted bytes than it has');
  const major = info.readUInt16LE(0);
  const minor = info.readUInt16LE(2);
  try {
    if (major === 4 && minor === 4) return agile(info.subarray(8).toString('utf8'), data, size, password);
    if (minor === 2 && major >= 2 && major <= 4) return standard(info, data, size, password);
  } catch (error) {
    if (error instanceof FormatError) throw error;
    throw damaged('its encryption header is invalid', error);
  }
  throw new FormatError(
    'encrypted',
    `The file uses an encryption version (${major}.${minor}) that is not supported. Save it without a password and upload it again.`,
  );
}

interface AgileKey {
  salt: Buffer;
  blockSize: number;
  keyBytes: number;
  hash: string;
  attributes: Map<string, string>;
}

function agile(xml: string, data: Buffer, size: number, password: string): Uint8Array {
  let dataKey: AgileKey | undefined;
  let passwordKey: AgileKey | undefined;
  scanXml(xml, 'the encryption header', {
    open(name, attributes) {
      if (localName(name) === 'keyData') dataKey ??= agileKey(attributes());
      if (localName(name) === 'encryptedKey') passwordKey ??= agileKey(attributes());
    },
  });
  if (dataKey === undefined || passwordKey === undefined) throw damaged('its encryption header names no key');
  const spins = Number(passwordKey.attributes.get('spinCount'));
  if (!Number.isInteger(spins) || spins < 0) throw damaged('its encryption header names no number of rounds');
  if (spins > maxSpins)
    throw new FormatError(
      'unsupported',
      `The file asks for ${spins} rounds of password hashing; the limit is ${maxSpins}.`,
    );

  const { hash, salt, blockSize, keyBytes, attributes } = passwordKey;
  const base = iteratedHash(hash, salt, password, spins);
  const unlock = (blockKey: string, field: string): Buffer => {
    const key = fitLength(digest(hash, base, Buffer.from(blockKey, 'hex')), keyBytes);
    return cbc(key, fitLength(salt, blockSize), Buffer.from(attributes.get(field) ?? '', 'base64'));
  };
  const verifier = digest(hash, unlock('fea7d2763b4b9e79', 'encryptedVerifierHashInput').subarray(0, salt.length));
  const expected = unlock('d7aa0f6d3061344e', 'encryptedVerifierHashValue').subarray(0, verifier.length);
  if (!equalBytes(verifier, expected)) throw wrongPassword();
  const secret = unlock('146e0be7abacd0d6', 'encryptedKeyValue').subarray(0, dataKey.keyBytes);

  const out = Buffer.alloc(Math.ceil(size / segmentSize) * segmentSize);
  for (let segment = 0; segment * segmentSize < size; segment++) {
    const from = 8 + segment * segmentSize;
    const index = Buffer.alloc(4);
    index.writeUInt32LE(segment);
    const iv = fitLength(digest(dataKey.hash, dataKey.salt, index), dataKey.blockSize);
    const piece = data.subarray(from, from + segmentSize);
    cbc(secret, iv, piece.subarray(0, piece.length - (piece.length % dataKey.blockSize))).copy(
      out,
      segment * segmentSize,
    );
  }
  return out.subarray(0, size);
}

function agileKey(attributes: Map<string, string>): AgileKey {
  const cipher = attributes.get('cipherAlgorithm');
  if (cipher !== 'AES' || attributes.get('cipherChaining') !== 'ChainingModeCBC') {
    throw new FormatError(
      'encrypted',
      `The file is encrypted with ${(cipher ?? 'an unnamed cipher').slice(0, 40)}, which cannot be opened ` +
        'here. Save it without a password and upload it again.',
    );
  }
  const hash = (attributes.get('hashAlgorithm') ?? '').toLowerCase().replace('-', '');
  if (!['sha1', 'sha256', 'sha384', 'sha512'].includes(hash))
    throw damaged('its encryption header names an unknown hash');
  const keyBits = Number(attributes.get('keyBits'));
  if (![128, 192, 256].includes(keyBits)) throw damaged('its encryption header names an impossible key size');
  return {
    salt: Buffer.from(attributes.get('saltValue') ?? '', 'base64'),
    blockSize: 16,
    keyBytes: keyBits / 8,
    hash,
    attributes,
  };
}

function standard(info: Buffer, data: Buffer, size: number, password: string): Uint8Array {
  const headerSize = info.readUInt32LE(8);
  const keyBits = info.readUInt32LE(12 + 16) || 128;
  const algorithm = info.readUInt32LE(12 + 8);
  if (![0x660e, 0x660f, 0x6610].includes(algorithm) || ![128, 192, 256].includes(keyBits)) {
    throw new FormatError(
      'encrypted',
      'The file is encrypted with an old cipher that cannot be opened here. Save it without a password and upload it again.',
    );
  }
  const verifierAt = 12 + headerSize;
  const salt = info.subarray(verifierAt + 4, verifierAt + 20);
  const base = iteratedHash('sha1', salt, password, 50_000);
  const final = digest('sha1', base, Buffer.alloc(4));
  const derive = (pad: number): Buffer => {
    const block = Buffer.alloc(64, pad);
    final.forEach((byte, index) => (block[index] = byte ^ pad));
    return digest('sha1', block);
  };
  const key = Buffer.concat([derive(0x36), derive(0x5c)]).subarray(0, keyBits / 8);
  const verifier = digest('sha1', ecb(key, info.subarray(verifierAt + 20, verifierAt + 36)));
  const expected = ecb(key, info.subarray(verifierAt + 40, verifierAt + 72)).subarray(0, 20);
  if (!equalBytes(verifier, expected)) throw wrongPassword();
  const body = data.subarray(8, data.length - ((data.length - 8) % 16));
  return ecb(key, body).subarray(0, size);
}

function iteratedHash(hash: string, salt: Buffer, password: string, spins: number): Buffer {
  let value = digest(hash, salt, Buffer.from(password, 'utf16le'));
  const index = Buffer.alloc(4);
  for (let round = 0; round < spins; round++) {
    index.writeUInt32LE(round);
    value = digest(hash, index, value);
  }
  return value;
}

function digest(hash: string, ...parts: Buffer[]): Buffer {
  const hasher = createHash(hash);
  for (const part of parts) hasher.update(part);
  return hasher.digest();
}

/**
 * Truncates the value to the length, or pads it with 0x36 bytes. The encryption of Office files prescribes this for
 * keys and initialization vectors.
 */
function fitLength(value: Buffer, length: number): Buffer {
  return value.length >= length
    ? value.subarray(0, length)
    : Buffer.concat([value, Buffer.alloc(length - value.length, 0x36)]);
}

function cbc(key: Buffer, iv: Buffer, data: Buffer): Buffer {
  const decipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, iv).setAutoPadding(false);
  return Buffer.concat([decipher.update(data), decipher.final()]);
}

function ecb(key: Buffer, data: Buffer): Buffer {
  const decipher = createDecipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false);
  return Buffer.concat([decipher.update(data), decipher.final()]);
}

function equalBytes(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

export function wrongPassword(): FormatError {
  return new FormatError(
    'wrong_password',
    'The password is wrong for the file. Check it and add the file again with the correct one.',
  );
}
