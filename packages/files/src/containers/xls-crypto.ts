import { damaged } from '../format-error.ts';
import { excelDefaultPassword, rc4Keys, rc4Stream, xorArray } from './legacy-crypto.ts';
import { withPassword } from './ooxml-crypto.ts';

const filePass = 0x002f;
const endOfFile = 0x000a;
const boundSheet = 0x0085;
/** Types of .xls records that are never encrypted, because a reader needs them before decryption. */
const plainRecords = new Set([0x0809, filePass, 0x00e1, 0x0138, 0x0194, 0x0195, 0x0196]);
/**
 * Type of the FILESHARING record, which readers ignore. After decryption, the encryption record gets this type, so that
 * readers do not decrypt again.
 */
const fileSharing = 0x005b;
const blockSize = 1024;

interface BiffRecord {
  type: number;
  /** Offsets of the start and end of the record's data in the stream. */
  from: number;
  to: number;
}

/**
 * Returns the decrypted workbook stream, or the stream itself if it is not encrypted. The encryption record is replaced
 * by one that readers skip.
 */
export function decryptXlsStream(stream: Uint8Array, password: string | undefined): Uint8Array {
  const header = encryptionOf(stream);
  if (header === undefined) return stream;
  const plain = withPassword(password, excelDefaultPassword, (tried) => decrypted(stream, header, tried));
  new DataView(plain.buffer, plain.byteOffset).setUint16(header.from - 4, fileSharing, true);
  return plain;
}

function encryptionOf(stream: Uint8Array): BiffRecord | undefined {
  for (const record of records(stream)) {
    if (record.type === filePass) return record;
    if (record.type === endOfFile) return undefined;
  }
  return undefined;
}

function* records(stream: Uint8Array): Generator<BiffRecord> {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
  for (let at = 0; at + 4 <= stream.length;) {
    const from = at + 4;
    const to = Math.min(from + view.getUint16(at + 2, true), stream.length);
    yield { type: view.getUint16(at, true), from, to };
    at = to;
  }
}

function decrypted(stream: Uint8Array, header: BiffRecord, password: string): Uint8Array {
  const view = new DataView(stream.buffer, stream.byteOffset + header.from, header.to - header.from);
  if (view.byteLength < 4) throw damaged('its encryption record is truncated');
  // Excel 95 supports only XOR. Its encryption header has 4 bytes and names no encryption method.
  const isXor = view.byteLength === 4 || view.getUint16(0, true) === 0;
  if (isXor) return xored(stream, xorArray(password, view.getUint16(view.byteLength - 2, true)));
  const keys = rc4Keys(stream.subarray(header.from + 2, header.to), password);
  const plain = rc4Stream(stream, keys, blockSize);
  for (const { type, from, to } of records(stream)) {
    const kept = plainRecords.has(type) ? to : type === boundSheet ? Math.min(from + 4, to) : from;
    plain.set(stream.subarray(from - 4, kept), from - 4);
  }
  return plain;
}

function xored(stream: Uint8Array, key: Uint8Array): Uint8Array {
  const plain = stream.slice();
  for (const { type, from, to } of records(stream)) {
    if (plainRecords.has(type)) continue;
    // The first four bytes of a BOUNDSHEET record (the sheet's stream position) are not encrypted, but they advance the
    // position in the key.
    for (let at = type === boundSheet ? from + 4 : from; at < to; at++) {
      const byte = stream[at]! ^ key[(to + at - from) & 15]!;
      plain[at] = ((byte << 3) | (byte >> 5)) & 255;
    }
  }
  return plain;
}
