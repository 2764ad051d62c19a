import { deflateSync } from 'node:zlib';
import { crc32 } from '@sheaf/files/zip/crc32';
import { sha256 } from './hash.ts';

/**
 * Matches the path of the generated cover image of a knowledge base: five by five squares, mirrored left to right, in
 * one color. The path encodes squares and color, so that any node can draw the image without a lookup.
 */
const address = /^\/covers\/([0-9a-f]{16})\.png$/;

/**
 * Returns the path of a knowledge base's cover image. The hash in the path includes the random id, so that nobody can
 * find the name by hashing likely names.
 */
export function coverPath(id: string, name: string): string {
  return `/covers/${sha256(`${id}\n${name}`).slice(0, 16)}.png`;
}

export function isCoverPath(path: string): boolean {
  return address.test(path);
}

/** Draws the PNG image for a cover path, a few hundred bytes. Returns undefined if the path is not a cover path. */
export function renderCover(path: string): Buffer | undefined {
  const seed = address.exec(path)?.[1];
  return seed === undefined ? undefined : draw(Buffer.from(seed, 'hex'));
}

const squares = 5;
const squareSize = 40;
const margin = 20;
const size = squares * squareSize + 2 * margin;
const lineBytes = size / 8;

function draw(seed: Buffer): Buffer {
  const isSet = seed.readUInt16BE(0);
  const hue = seed.readUInt16BE(2) % 360;
  // Each PNG scan line begins with a byte for its filter type, which stays zero (no filter).
  const lines = Buffer.alloc(size * (1 + lineBytes));
  for (let y = margin; y < size - margin; y++) {
    const row = Math.floor((y - margin) / squareSize);
    for (let x = margin; x < size - margin; x++) {
      const column = Math.floor((x - margin) / squareSize);
      const bit = row * 3 + Math.min(column, squares - 1 - column);
      if (((isSet >> bit) & 1) === 1) lines[y * (1 + lineBytes) + 1 + (x >> 3)]! |= 0x80 >> (x & 7);
    }
  }
  return png(lines, [color(hue, 0.4, 0.92), color(hue, 0.5, 0.45)]);
}

/** Encodes a PNG with one bit per pixel and a palette of two colors. */
function png(lines: Buffer, palette: readonly (readonly number[])[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([1, 3, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [chunk('IHDR', header), chunk('PLTE', Buffer.from(palette.flat())), chunk('IDAT', deflateSync(lines))];
  return Buffer.concat([signature, ...chunks, chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const framed = Buffer.alloc(data.length + 12);
  framed.writeUInt32BE(data.length, 0);
  framed.write(type, 4, 'latin1');
  data.copy(framed, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, 8 + data.length)), 8 + data.length);
  return framed;
}

/** Converts HSL (hue in degrees, saturation and lightness from 0 to 1) to red, green and blue. */
function color(hue: number, saturation: number, lightness: number): number[] {
  const spread = saturation * Math.min(lightness, 1 - lightness);
  return [0, 8, 4].map((offset) => {
    const place = (offset + hue / 30) % 12;
    return Math.round(255 * (lightness - spread * Math.max(-1, Math.min(place - 3, 9 - place, 1))));
  });
}
