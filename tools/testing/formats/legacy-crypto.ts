import { createHash } from 'node:crypto';
import { openCompound } from '@sheaf/files/containers/compound-file';
import { concat, u16, u32 } from './bytes.ts';
import { compound, type DocCipher } from './ole-documents.ts';
import { rc4 } from './pdf.ts';

/**
 * A password-based encryption scheme for .doc, .xls and .ppt files, as specified by Microsoft in MS-OFFCRYPTO: the
 * header to store in the file and the key of each block.
 */
export interface Scheme {
  header: Uint8Array;
  key(block: number): Buffer;
}

const salt = Buffer.from('a1b2c3d4e5f60718293a4b5c6d7e8f90', 'hex');
const verifier = Buffer.from('sixteen letters!');
const digest = (name: string, ...parts: Uint8Array[]): Buffer => createHash(name).update(Buffer.concat(parts)).digest();

/** Returns the encryption scheme of Office 97: RC4 with 40-bit keys. */
export function rc4Scheme(password: string): Scheme {
  const first = digest('md5', Buffer.from(password, 'utf16le')).subarray(0, 5);
  const repeated: Uint8Array[] = [];
  for (let turn = 0; turn < 16; turn++) repeated.push(first, salt);
  const secret = digest('md5', ...repeated).subarray(0, 5);
  const key = (block: number): Buffer => digest('md5', secret, u32(block));
  const sealed = rc4(key(0), Buffer.concat([verifier, digest('md5', verifier)]));
  return { header: concat(u16(1, 1), salt, sealed), key };
}

/** Returns the encryption scheme of Office 2002 and later: RC4 CryptoAPI. */
export function cryptoApiScheme(password: string, bits = 128): Scheme {
  const base = digest('sha1', salt, Buffer.from(password, 'utf16le'));
  const key = (block: number): Buffer => {
    const bytes = digest('sha1', base, u32(block)).subarray(0, bits / 8);
    return bits === 40 ? Buffer.concat([bytes, Buffer.alloc(11)]) : bytes;
  };
  const sealed = rc4(key(0), Buffer.concat([verifier, digest('sha1', verifier)]));
  const provider = Buffer.from('Microsoft Enhanced Cryptographic Provider v1.0\0', 'utf16le');
  const header = concat(u32(4, 0, 0x6801, 0x8004, bits, 1, 0, 0), provider);
  return {
    header: concat(
      u16(4, 2),
      u32(4, header.length),
      header,
      u32(16),
      salt,
      sealed.subarray(0, 16),
      u32(20),
      sealed.subarray(16),
    ),
    key,
  };
}

function byBlocks(stream: Uint8Array, { key }: Scheme, size: number): Uint8Array {
  const blocks: Buffer[] = [];
  for (let at = 0; at < stream.length; at += size)
    blocks.push(rc4(key(at / size), Buffer.from(stream.subarray(at, at + size))));
  return concat(...blocks);
}

export function docCipher(scheme: Scheme): DocCipher {
  return {
    header: scheme.header,
    encrypt: (stream, from) => concat(stream.subarray(0, from), byBlocks(stream, scheme, 512).subarray(from)),
  };
}

/**
 * XOR key and verifier that Excel writes for the password "VelvetSweatshop". Excel uses this password if it must
 * encrypt a file for which the user has set none.
 */
const velvetArray = Buffer.from('876b9ae21ee305621e699660986e9404', 'hex');
const velvetVerifier = 0x9a0a;

/** Encrypts a workbook with an RC4 scheme, or with XOR and Excel's default password. */
export function encryptedXls(bytes: Uint8Array, scheme: Scheme | 'xor'): Uint8Array {
  const plain = Buffer.from(openCompound(bytes).read('Workbook'));
  const pass = scheme === 'xor' ? u16(0, 0, velvetVerifier) : concat(u16(1), scheme.header);
  const record = concat(u16(0x2f, pass.length), pass);
  const first = 4 + plain.readUInt16LE(2);
  const stream = Buffer.concat([plain.subarray(0, first), record, plain.subarray(first)]);
  const sealed = scheme === 'xor' ? Buffer.from(stream) : Buffer.from(byBlocks(stream, scheme, 1024));
  for (let at = 0; at + 4 <= stream.length;) {
    const type = stream.readUInt16LE(at);
    const from = at + 4;
    const to = from + stream.readUInt16LE(at + 2);
    if (type === 0x85) {
      // A record of type 0x85 begins with the position of a sheet in the stream. The inserted record has shifted this
      // position, which stays unencrypted.
      stream.writeUInt32LE(stream.readUInt32LE(from) + record.length, from);
    }
    const open = [0x809, 0x2f, 0xe1].includes(type) ? to : type === 0x85 ? from + 4 : from;
    stream.copy(sealed, at, at, open);
    if (scheme === 'xor')
      for (let place = open; place < to; place++) {
        const turned = ((stream[place]! >> 3) | (stream[place]! << 5)) & 255;
        sealed[place] = turned ^ velvetArray[(to + place - from) % 16]!;
      }
    at = to;
  }
  return compound({ Workbook: new Uint8Array(sealed) });
}
