import { deflateSync } from 'node:zlib';
import { concat, u16, u32, utf16 } from './bytes.ts';

export interface DrawnText {
  text: string;
  x: number;
  y: number;
  /** Number of the character set that the font declares. */
  charset?: number;
}

const charWidth = 10;

/** Builds an enhanced metafile (EMF) that draws texts. */
export function emf(texts: readonly DrawnText[]): Uint8Array {
  const record = (type: number, ...data: Uint8Array[]): Uint8Array => {
    const body = concat(...data);
    return concat(u32(type, 8 + Math.ceil(body.length / 4) * 4), body, new Uint8Array(-body.length & 3));
  };
  const records = texts.flatMap(({ charset = 0, text, x, y }) => [
    record(82, u32(1), new Uint8Array(23), Uint8Array.of(charset), new Uint8Array(64)),
    record(37, u32(1)),
    record(
      84,
      new Uint8Array(28),
      u32(x, y),
      u32(text.length, 76 + text.length * 4, 0, 0, 0, 0, 0, 76),
      u32(...Array.from(text, () => charWidth)),
      utf16(text),
    ),
  ]);
  return concat(
    u32(1, 88),
    new Uint8Array(32),
    u32(0x464d4520),
    new Uint8Array(44),
    ...records,
    u32(14, 20, 0, 16, 20),
  );
}

/** Builds a Windows metafile (WMF) that draws texts, given in the charset of the font. */
export function wmf(texts: readonly (Omit<DrawnText, 'text'> & { bytes: Uint8Array })[]): Uint8Array {
  const record = (type: number, ...data: Uint8Array[]): Uint8Array => {
    const body = concat(...data);
    return concat(u32((6 + body.length + (body.length & 1)) / 2), u16(type), body, new Uint8Array(body.length & 1));
  };
  const records = texts.flatMap(({ bytes, charset = 0, x, y }) => [
    record(0x02fb, new Uint8Array(13), Uint8Array.of(charset), new Uint8Array(4)),
    record(0x012d, u16(0)),
    record(
      0x0a32,
      u16(y, x),
      u16(bytes.length, 0),
      bytes,
      new Uint8Array(bytes.length & 1),
      u16(...Array.from(bytes, () => charWidth)),
    ),
    record(0x01f0, u16(0)),
  ]);
  return concat(u16(1, 9, 0x300), new Uint8Array(12), ...records, u32(3), u16(0));
}

/**
 * Compresses an EMF picture and wraps it into a picture record of .doc and .ppt files. `size` is the uncompressed size
 * that the record states; tests also pass false sizes.
 */
export function emfBlip(bytes: Uint8Array, size = bytes.length): Uint8Array {
  const packed = deflateSync(bytes);
  const data = concat(new Uint8Array(16), u32(size), new Uint8Array(24), u32(packed.length), u16(0xfe00), packed);
  return concat(u16(0x3d40, 0xf01a), u32(data.length), data);
}
