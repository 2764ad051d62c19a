import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32c, crc64nvme, type Crc64 } from '../../src/lib/crc.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const hex64 = ({ high, low }: Crc64): string => high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
const counted = Uint8Array.from({ length: 32 }, (_, i) => i);

/** Bit by bit, as the definition has it. */
function byDefinition(data: Uint8Array, polynomial: bigint, width: bigint): bigint {
  const all = (1n << width) - 1n;
  let crc = all;
  for (const byte of data) {
    crc ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1n ? (crc >> 1n) ^ polynomial : crc >> 1n;
  }
  return crc ^ all;
}

describe('CRC-32C', () => {
  it.each([
    ['nothing', bytes(''), 0],
    ['the digits', bytes('123456789'), 0xe3069283],
    ['32 zeros (RFC 3720)', new Uint8Array(32), 0x8a9136aa],
    ['32 ones (RFC 3720)', new Uint8Array(32).fill(0xff), 0x62a8ab43],
    ['0 to 31 (RFC 3720)', counted, 0x46dd794e],
    ['31 to 0 (RFC 3720)', counted.toReversed(), 0x113fdb5c],
  ])('of %s', (_, data, expected) => {
    expect(crc32c(data)).toBe(expected);
  });
});

describe('CRC-64/NVME', () => {
  it.each([
    ['nothing', bytes(''), '0000000000000000'],
    ['the digits', bytes('123456789'), 'ae8b14860a799888'],
    ['4096 zeros (NVM Express)', new Uint8Array(4096), '6482d367eb22b64e'],
    ['4096 ones (NVM Express)', new Uint8Array(4096).fill(0xff), 'c0ddba7302eca3ac'],
  ])('of %s', (_, data, expected) => {
    expect(hex64(crc64nvme(data))).toBe(expected);
  });
});

it('both are what the definition gives, wherever the bytes are cut', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(100), (data, cut) => {
      const [first, second] = [data.subarray(0, cut), data.subarray(cut)];
      expect(BigInt(crc32c(second, crc32c(first)))).toBe(byDefinition(data, 0x82f63b78n, 32n));
      expect(BigInt(`0x${hex64(crc64nvme(second, crc64nvme(first)))}`)).toBe(
        byDefinition(data, 0x9a6c9329ac4bc9b5n, 64n),
      );
    }),
  );
});
