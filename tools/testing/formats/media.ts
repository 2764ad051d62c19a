import { crc32 } from 'node:zlib';
import { concat, u16, u32, utf8 } from './bytes.ts';

const be32 = (value: number): Uint8Array => u32(value).toReversed();

export function png(width: number, height: number): Uint8Array {
  const header = concat(utf8('IHDR'), be32(width), be32(height), Uint8Array.of(8, 2, 0, 0, 0));
  return concat(
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    be32(13),
    header,
    be32(crc32(Buffer.from(header))),
    be32(0),
    utf8('IEND'),
    be32(0xae426082),
  );
}

export function jpeg(width: number, height: number): Uint8Array {
  return Uint8Array.of(
    0xff,
    0xd8,
    0xff,
    0xe0,
    0,
    16,
    0x4a,
    0x46,
    0x49,
    0x46,
    0,
    1,
    1,
    0,
    0,
    1,
    0,
    1,
    0,
    0,
    0xff,
    0xc0,
    0,
    17,
    8,
    height >> 8,
    height & 255,
    width >> 8,
    width & 255,
    3,
    1,
    0x22,
    0,
    2,
    0x11,
    1,
    3,
    0x11,
    1,
    0xff,
    0xd9,
  );
}

export function webp(width: number, height: number): Uint8Array {
  const canvas = concat(Uint8Array.of(0x10, 0, 0, 0), u32(width - 1).subarray(0, 3), u32(height - 1).subarray(0, 3));
  const chunk = concat(utf8('VP8X'), u32(canvas.length), canvas);
  return concat(utf8('RIFF'), u32(chunk.length + 4), utf8('WEBP'), chunk);
}

/** Builds a silent WAV file (8 kHz, mono, 8 bit). The options put wrong values into its header. */
export function wav(seconds: number, options: { declaredBytes?: number; byteRate?: number } = {}): Uint8Array {
  const data = new Uint8Array(Math.round(seconds * 8000)).fill(128);
  const format = concat(u16(1, 1), u32(8000, options.byteRate ?? 8000), u16(1, 8));
  const size = options.declaredBytes ?? data.length;
  return concat(utf8('RIFF'), u32(36 + size), utf8('WAVEfmt '), u32(16), format, utf8('data'), u32(size), data);
}

/**
 * Builds a silent MP3 file: MPEG-2 layer III at 8 kbit/s and 22,050 Hz, with 26 bytes and 576 samples per frame. `tags`
 * are ID3 tags. `xingFrames` is the number of frames that a Xing header states; without it, there is no such header.
 */
export function mp3(seconds: number, tags: Record<string, string> = {}, xingFrames?: number): Uint8Array {
  const frame = new Uint8Array(26);
  frame.set([0xff, 0xf3, 0x10, 0xc0]);
  const count = Math.ceil((seconds * 22_050) / 576);
  const sound = new Uint8Array(count * 26);
  for (let index = 0; index < count; index++) sound.set(frame, index * 26);
  if (xingFrames !== undefined) sound.set(concat(utf8('Xing'), Uint8Array.of(0, 0, 0, 1), be32(xingFrames)), 4 + 9);
  return concat(id3(tags), sound);
}

function id3(tags: Record<string, string>): Uint8Array {
  const frames = Object.entries(tags).map(([id, text]) => {
    const body = concat(Uint8Array.of(3), utf8(text));
    return concat(utf8(id), Uint8Array.of(0, 0, body.length >> 7, body.length & 127), Uint8Array.of(0, 0), body);
  });
  if (frames.length === 0) return new Uint8Array();
  const body = concat(...frames);
  return concat(utf8('ID3'), Uint8Array.of(4, 0, 0, 0, 0, body.length >> 7, body.length & 127), body);
}

/** Builds an AAC file of ADTS frames, 64 bytes each, at 44,100 Hz. */
export function aac(frames: number): Uint8Array {
  const frame = new Uint8Array(64);
  frame.set([0xff, 0xf1, 0x50, 0x80, 64 >> 3, ((64 & 7) << 5) | 0x1f, 0xfc]);
  return concat(...Array.from({ length: frames }, () => frame));
}

/** Builds an ADIF file: an AAC stream after a header that states the bit rate. */
export function adif(bytes: number, rate: number): Uint8Array {
  // ADIF header flags: the copyright, home and original bits are not set, the bit rate is constant, and there is one
  // program.
  const bits = `0000${rate.toString(2).padStart(23, '0')}0000`.padEnd(40, '0');
  const header = Uint8Array.from({ length: 5 }, (_, index) => parseInt(bits.slice(index * 8, index * 8 + 8), 2));
  return concat(utf8('ADIF'), header, new Uint8Array(bytes));
}

function box(name: string, ...content: Uint8Array[]): Uint8Array {
  const body = concat(...content);
  return concat(be32(body.length + 8), utf8(name), body);
}

/**
 * Builds an m4a file. The sample table states `seconds`; with `headerSeconds`, the movie header states another
 * duration.
 */
export function m4a(seconds: number, options: { headerSeconds?: number; handler?: string } = {}): Uint8Array {
  const zeros = (count: number): Uint8Array => new Uint8Array(count);
  const stts = box('stts', be32(0), be32(1), be32(Math.round(seconds * 10)), be32(100));
  const trak = box(
    'trak',
    box(
      'mdia',
      box('mdhd', be32(0), zeros(8), be32(1000), be32(0), zeros(4)),
      box('hdlr', zeros(8), utf8(options.handler ?? 'soun'), zeros(13)),
      box('minf', box('stbl', stts)),
    ),
  );
  const mvhd = box('mvhd', be32(0), zeros(8), be32(1000), be32((options.headerSeconds ?? seconds) * 1000), zeros(80));
  return concat(box('ftyp', utf8('M4A '), be32(0), utf8('M4A mp42')), box('moov', mvhd, trak), box('mdat', zeros(32)));
}
