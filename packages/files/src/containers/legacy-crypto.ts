import { createHash } from 'node:crypto';
import { damaged, FormatError } from '../format-error.ts';
import { wrongPassword } from './ooxml-crypto.ts';

/**
 * This file decrypts .doc, .xls and .ppt files (MS-OFFCRYPTO 2.3.5 to 2.3.7): RC4 with 40-bit keys, RC4 CryptoAPI, and
 * XOR obfuscation.
 */

/** A function that returns the RC4 key of the block with this number. Each block of a stream has its own key. */
export type BlockKeys = (block: number) => Uint8Array;

/**
 * Excel uses this fixed password if only the workbook structure is protected, so that the file opens without a prompt.
 */
export const excelDefaultPassword = 'VelvetSweatshop';

/** Derives the RC4 block keys from an encryption header and a password. Throws if the password is wrong. */
export function rc4Keys(header: Uint8Array, password: string): BlockKeys {
  const bytes = Buffer.from(header.buffer, header.byteOffset, header.byteLength);
  if (bytes.length < 4) throw damaged('its encryption header is truncated');
  const major = bytes.readUInt16LE(0);
  const minor = bytes.readUInt16LE(2);
  try {
    if (major === 1 && minor === 1) return shortKeys(bytes, password);
    if (minor === 2 && major >= 2 && major <= 4) return cryptoApiKeys(bytes, password);
  } catch (error) {
    if (error instanceof RangeError) throw damaged('its encryption header is truncated', error);
    throw error;
  }
  throw new FormatError(
    'encrypted',
    `The file uses an encryption version (${major}.${minor}) that is not supported. Save it without a password and upload it again.`,
  );
}

function shortKeys(header: Buffer, password: string): BlockKeys {
  const salt = header.subarray(4, 20);
  if (header.length < 52) throw new RangeError();
  const secret = hash('md5', Buffer.from(password, 'utf16le')).subarray(0, 5);
  const mixed = hash('md5', ...Array.from({ length: 16 }, () => [secret, salt]).flat()).subarray(0, 5);
  const keys: BlockKeys = (block) => hash('md5', mixed, littleEndian(block));
  verify(keys(0), header.subarray(20, 36), header.subarray(36, 52), 'md5');
  return keys;
}

function cryptoApiKeys(header: Buffer, password: string): BlockKeys {
  const size = header.readUInt32LE(8);
  const algorithm = header.readUInt32LE(20);
  const bits = header.readUInt32LE(28) || 40;
  if (algorithm !== 0x6801 || bits % 8 !== 0 || bits > 128)
    throw new FormatError(
      'encrypted',
      'The file is encrypted with a cipher that cannot be opened here. Save it without a password and upload it again.',
    );
  const at = 12 + size;
  const salt = header.subarray(at + 4, at + 20);
  if (header.length < at + 60) throw new RangeError();
  const base = hash('sha1', salt, Buffer.from(password, 'utf16le'));
  const keys: BlockKeys = (block) => {
    const key = hash('sha1', base, littleEndian(block)).subarray(0, bits / 8);
    // CryptoAPI pads a 40-bit key with 88 zero bits.
    return bits === 40 ? Buffer.concat([key, Buffer.alloc(11)]) : key;
  };
  verify(keys(0), header.subarray(at + 20, at + 36), header.subarray(at + 40, at + 60), 'sha1');
  return keys;
}

function verify(key: Uint8Array, verifier: Uint8Array, expected: Uint8Array, name: 'md5' | 'sha1'): void {
  const plain = Buffer.concat([verifier, expected]);
  rc4(key, plain);
  if (!hash(name, plain.subarray(0, 16)).equals(plain.subarray(16))) throw wrongPassword();
}

function littleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function hash(name: 'md5' | 'sha1', ...parts: Uint8Array[]): Buffer {
  const hasher = createHash(name);
  for (const part of parts) hasher.update(part);
  return hasher.digest();
}

/** Encrypts or decrypts `data` in place (RC4 is symmetric). Implemented here because OpenSSL no longer offers RC4. */
export function rc4(key: Uint8Array, data: Uint8Array): void {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  for (let i = 0, j = 0; i < 256; i++) {
    const one = state[i]!;
    j = (j + one + key[i % key.length]!) & 255;
    state[i] = state[j]!;
    state[j] = one;
  }
  for (let at = 0, i = 0, j = 0; at < data.length; at++) {
    i = (i + 1) & 255;
    const one = state[i]!;
    j = (j + one) & 255;
    const other = state[j]!;
    state[i] = other;
    state[j] = one;
    data[at]! ^= state[(one + other) & 255]!;
  }
}

/** Returns a decrypted copy of a stream whose blocks each have their own key. */
export function rc4Stream(stream: Uint8Array, keys: BlockKeys, blockSize: number): Uint8Array {
  const plain = stream.slice();
  for (let block = 0; block * blockSize < plain.length; block++)
    rc4(keys(block), plain.subarray(block * blockSize, (block + 1) * blockSize));
  return plain;
}

const padding = [0xbb, 0xff, 0xff, 0xba, 0xff, 0xff, 0xb9, 0x80, 0x00, 0xbe, 0x0f, 0x00, 0xbf, 0x0f, 0x00];
const initialCodes = [
  0xe1f0, 0x1d0f, 0xcc9c, 0x84c0, 0x110c, 0x0e10, 0xf1ce, 0x313e, 0x1872, 0xe139, 0xd40f, 0x84f9, 0x280c, 0xa96a,
  0x4ec3,
];
const keyBits = [
  0xaefc, 0x4dd9, 0x9bb2, 0x2745, 0x4e8a, 0x9d14, 0x2a09, 0x7b61, 0xf6c2, 0xfda5, 0xeb6b, 0xc6f7, 0x9dcf, 0x2bbf,
  0x4563, 0x8ac6, 0x05ad, 0x0b5a, 0x16b4, 0x2d68, 0x5ad0, 0x0375, 0x06ea, 0x0dd4, 0x1ba8, 0x3750, 0x6ea0, 0xdd40,
  0xd849, 0xa0b3, 0x5147, 0xa28e, 0x553d, 0xaa7a, 0x44d5, 0x6f45, 0xde8a, 0xad35, 0x4a4b, 0x9496, 0x390d, 0x721a,
  0xeb23, 0xc667, 0x9cef, 0x29ff, 0x53fe, 0xa7fc, 0x5fd9, 0x47d3, 0x8fa6, 0x0f6d, 0x1eda, 0x3db4, 0x7b68, 0xf6d0,
  0xb861, 0x60e3, 0xc1c6, 0x93ad, 0x377b, 0x6ef6, 0xddec, 0x45a0, 0x8b40, 0x06a1, 0x0d42, 0x1a84, 0x3508, 0x6a10,
  0xaa51, 0x4483, 0x8906, 0x022d, 0x045a, 0x08b4, 0x1168, 0x76b4, 0xed68, 0xcaf1, 0x85c3, 0x1ba7, 0x374e, 0x6e9c,
  0x3730, 0x6e60, 0xdcc0, 0xa9a1, 0x4363, 0x86c6, 0x1dad, 0x3331, 0x6662, 0xccc4, 0x89a9, 0x0373, 0x06e6, 0x0dcc,
  0x1021, 0x2042, 0x4084, 0x8108, 0x1231, 0x2462, 0x48c4,
];

/** Derives the 16-byte XOR key from the password; throws if the password does not match the stored verifier. */
export function xorArray(password: string, verifier: number): Uint8Array {
  // XOR obfuscation uses one byte per character of the password, and at most 15 characters.
  const bytes = Array.from(password.slice(0, 15), (char) => char.charCodeAt(0) & 255 || char.charCodeAt(0) >> 8);
  if (bytes.length === 0 || xorVerifier(bytes) !== verifier) throw wrongPassword();
  let key = initialCodes[bytes.length - 1]!;
  let at = keyBits.length - 1;
  for (const byte of bytes.toReversed())
    for (let bit = 6; bit >= 0; bit--, at--) if ((byte & (1 << bit)) !== 0) key ^= keyBits[at]!;
  return Uint8Array.from({ length: 16 }, (_, index) => {
    const byte = (bytes[index] ?? padding[index - bytes.length]!) ^ (index % 2 === 1 ? key >> 8 : key & 255);
    return ((byte >> 1) | (byte << 7)) & 255;
  });
}

function xorVerifier(bytes: readonly number[]): number {
  let sum = 0;
  for (const byte of [bytes.length, ...bytes].toReversed()) sum = (((sum >> 14) & 1) | ((sum << 1) & 0x7fff)) ^ byte;
  return sum ^ 0xce4b;
}
