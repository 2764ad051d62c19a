import { strToU8 } from 'fflate';

export const utf8 = (text: string): Uint8Array => strToU8(text);

export function concat(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

export function u16(...values: number[]): Uint8Array {
  const out = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => out.writeUInt16LE(value, index * 2));
  return new Uint8Array(out);
}

export function u32(...values: number[]): Uint8Array {
  const out = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => out.writeUInt32LE(value >>> 0, index * 4));
  return new Uint8Array(out);
}

export function utf16(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'utf16le'));
}

/** Returns a random number generator (mulberry32) that gives the same numbers from 0 to 1 for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
