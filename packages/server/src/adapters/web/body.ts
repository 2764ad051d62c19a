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

/** As much as tells what a file is. */
const headBytes = 8192;

/** Pages and files do not pack better than this; what does is a bomb. Of short ones nobody minds. */
const maxRatio = 250;
const ratioFloor = 2 ** 20;

type Inflater = Gunzip | Inflate | BrotliDecompress;

/**
 * The body after decompression, counted while it is inflated: neither more of it than allowed is taken, nor more than so
 * many times what was sent.
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
  // Being destroyed below is an error to the body, and one that nobody listens to would end the process.
  body.on('error', () => undefined);
  try {
    const inflaters = inflatersOf(encoding);
    for await (const chunk of inflaters.reduce<Readable>(through, body)) {
      const size = taken.size + (chunk as Buffer).length;
      if (isDecided && size > maxBytes) throw tooLarge(maxBytes);
      // What the first of them has used up, not what lies before it.
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

/** Packed in the order listed, so undone from the last. */
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

/** An error of either side reaches the reader of the result. */
function through(from: Readable, to: Inflater): Readable {
  pipeline(from, to, () => undefined);
  return to;
}
