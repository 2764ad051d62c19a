import * as zlib from 'node:zlib';

const table = new Uint32Array(256).map((_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** Node's built-in CRC-32 function; undefined in Node versions without it. */
const native: ((bytes: Uint8Array, before: number) => number) | undefined =
  'crc32' in zlib ? (zlib.crc32 as (bytes: Uint8Array, before: number) => number) : undefined;

/** Returns the CRC-32 of `bytes`, continuing from `before`, the checksum of the preceding bytes. */
export function crc32(bytes: Uint8Array, before = 0): number {
  if (native) return native(bytes, before);
  let crc = ~before >>> 0;
  for (let at = 0; at < bytes.length; at++) crc = table[(crc ^ bytes[at]!) & 0xff]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
