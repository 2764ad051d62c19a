import { pipeline, type Readable } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  type BrotliDecompress,
  type Gunzip,
  type Inflate,
} from 'node:zlib';
import { FetchRefused } from '../../ports/web-fetcher.ts';
import type { Spool, SpooledBody } from './spool.ts';

const maxEncodings = 2;

/** Number of leading bytes that suffice to detect the file type. */
const headBytes = 8192;

/**
 * Maximum decompression ratio. A higher ratio indicates a decompression bomb. Bodies up to `ratioFloor` bytes are not
 * checked.
 */
const maxRatio = 250;
const ratioFloor = 2 ** 20;

type Inflater = Gunzip | Inflate | BrotliDecompress;

/**
 * Reads a response body, decompresses it and stores it in `spool` until it is used. Throws FetchRefused as soon as the
 * body exceeds the size limit `cap` or the maximum decompression ratio. `cap` may be a function that derives the limit
 * from the first bytes.
 */
export async function readBody(
  body: Readable,
  encoding: string,
  cap: number | ((head: Uint8Array) => number),
  spool: Spool,
): Promise<SpooledBody> {
  const taken = spool.begin();
  let maxBytes = typeof cap === 'number' ? cap : headBytes + 2 ** 20;
  let isDecided = typeof cap === 'number';
  // Ignore errors of the stream from here on, because reading the stream reports them. Without a listener, an error
  // that follows from destroying the stream below would end the process.
  body.on('error', () => undefined);
  try {
    const inflaters = inflatersOf(encoding);
    for await (const chunk of inflaters.reduce<Readable>(through, body)) {
      const size = taken.size + (chunk as Buffer).length;
      if (isDecided && size > maxBytes) throw tooLarge(maxBytes);
      // Refuse bodies with a high decompression ratio. The decompressed size is compared with the bytes that the first
      // inflater has consumed; bytes still waiting in its buffer do not count.
      if (size > ratioFloor && size > (inflaters[0]?.bytesWritten ?? size) * maxRatio) {
        throw new FetchRefused({ reason: 'too_large', fault: 'ratio', maxRatio });
      }
      await taken.add(chunk as Buffer);
      if (!isDecided && size >= headBytes) {
        maxBytes = (cap as (head: Uint8Array) => number)(taken.head.subarray(0, headBytes));
        isDecided = true;
        if (size > maxBytes) throw tooLarge(maxBytes);
      }
    }
    return taken;
  } catch (error) {
    await taken.discard();
    throw error;
  } finally {
    body.destroy();
  }
}

export function tooLarge(maxBytes: number): FetchRefused {
  return new FetchRefused({ reason: 'too_large', fault: 'bytes', maxBytes });
}

/**
 * Returns the inflaters for a Content-Encoding header, in decoding order. The header lists encodings in the order in
 * which they were applied, so the last one is decoded first.
 */
function inflatersOf(encoding: string): Inflater[] {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > maxEncodings)
    throw new FetchRefused({ reason: 'unreachable', fault: 'encodings', count: names.length });
  return names.reverse().map(inflater);
}

function inflater(name: string): Inflater {
  if (name === 'gzip' || name === 'x-gzip') return createGunzip();
  if (name === 'deflate') return createInflate();
  if (name === 'br') return createBrotliDecompress();
  throw new FetchRefused({ reason: 'unreachable', fault: 'encoding', encoding: name.slice(0, 40) });
}

/** Pipes a stream through an inflater and returns the inflater. Reading it reports the errors of both streams. */
function through(from: Readable, to: Inflater): Readable {
  pipeline(from, to, () => undefined);
  return to;
}
