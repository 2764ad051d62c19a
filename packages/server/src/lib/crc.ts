/**
 * Number of bytes that the checksums CRC-32C and CRC-64/NVME process per step, with one table for each byte
 * (slicing-by-8). Newer S3 clients send these checksums, and Node cannot compute them.
 */
const slices = 8;

/**
 * Computes lookup tables for a CRC with this polynomial. Entry `k * 256 + byte` holds the effect of a byte on the
 * checksum if k more bytes follow the byte.
 */
function tables32(polynomial: number): Uint32Array {
  const table = new Uint32Array(slices * 256);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1;
    table[byte] = value;
  }
  for (let at = 256; at < table.length; at++) {
    const before = table[at - 256]!;
    table[at] = (before >>> 8) ^ table[before & 0xff]!;
  }
  return table;
}

const castagnoli = tables32(0x82f63b78);

/** Computes the CRC-32C of the bytes. `before` is the checksum of the preceding bytes. */
export function crc32c(bytes: Uint8Array, before = 0): number {
  const table = castagnoli;
  let crc = ~before;
  let at = 0;
  for (const end = bytes.length - (slices - 1); at < end; at += slices) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc =
      table[1792 + (crc & 0xff)]! ^ table[1536 + ((crc >>> 8) & 0xff)]! ^ table[1280 + ((crc >>> 16) & 0xff)]! ^ table[1024 + (crc >>> 24)]! ^
      table[768 + bytes[at + 4]!]! ^ table[512 + bytes[at + 5]!]! ^ table[256 + bytes[at + 6]!]! ^ table[bytes[at + 7]!]!; // prettier-ignore
  }
  for (; at < bytes.length; at++) crc = table[(crc ^ bytes[at]!) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** A 64-bit checksum as two 32-bit halves, because JavaScript numbers have only 53 bits. */
export interface Crc64 {
  high: number;
  low: number;
}

function tables64(polynomial: Crc64): { high: Uint32Array; low: Uint32Array } {
  const high = new Uint32Array(slices * 256);
  const low = new Uint32Array(slices * 256);
  for (let byte = 0; byte < 256; byte++) {
    let [upper, lower] = [0, byte];
    for (let bit = 0; bit < 8; bit++) {
      const isOdd = lower & 1;
      lower = (lower >>> 1) | (upper << 31);
      upper >>>= 1;
      if (isOdd) [upper, lower] = [upper ^ polynomial.high, lower ^ polynomial.low];
    }
    [high[byte], low[byte]] = [upper, lower];
  }
  for (let at = 256; at < high.length; at++) {
    const [upper, lower] = [high[at - 256]!, low[at - 256]!];
    high[at] = (upper >>> 8) ^ high[lower & 0xff]!;
    low[at] = ((lower >>> 8) | (upper << 24)) ^ low[lower & 0xff]!;
  }
  return { high, low };
}

const nvme = tables64({ high: 0x9a6c9329, low: 0xac4bc9b5 });

/** Computes the CRC-64/NVME of the bytes. `before` is the checksum of the preceding bytes. */
export function crc64nvme(bytes: Uint8Array, before: Crc64 = { high: 0, low: 0 }): Crc64 {
  const { high, low } = nvme;
  let upper = ~before.high;
  let lower = ~before.low;
  let at = 0;
  for (const end = bytes.length - (slices - 1); at < end; at += slices) {
    lower ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    upper ^= bytes[at + 4]! | (bytes[at + 5]! << 8) | (bytes[at + 6]! << 16) | (bytes[at + 7]! << 24);
    const a = 1792 + (lower & 0xff);
    const b = 1536 + ((lower >>> 8) & 0xff);
    const c = 1280 + ((lower >>> 16) & 0xff);
    const d = 1024 + (lower >>> 24);
    const e = 768 + (upper & 0xff);
    const f = 512 + ((upper >>> 8) & 0xff);
    const g = 256 + ((upper >>> 16) & 0xff);
    const h = upper >>> 24;
    upper = high[a]! ^ high[b]! ^ high[c]! ^ high[d]! ^ high[e]! ^ high[f]! ^ high[g]! ^ high[h]!;
    lower = low[a]! ^ low[b]! ^ low[c]! ^ low[d]! ^ low[e]! ^ low[f]! ^ low[g]! ^ low[h]!;
  }
  for (; at < bytes.length; at++) {
    const index = (lower ^ bytes[at]!) & 0xff;
    lower = ((lower >>> 8) | (upper << 24)) ^ low[index]!;
    upper = (upper >>> 8) ^ high[index]!;
  }
  return { high: ~upper >>> 0, low: ~lower >>> 0 };
}
