import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { FetchRefused } from '../../ports/web-fetcher.ts';

const mostEncodings = 2;

/** As much as tells what a file is. */
const headBytes = 8192;

/** The body after decompression, never more of it in memory than allowed: it is counted while it is inflated. */
export async function readBody(body: Readable, encoding: string, cap: number | ((head: Uint8Array) => number)): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  let maxBytes = typeof cap === 'number' ? cap : headBytes + 2 ** 20;
  let isDecided = typeof cap === 'number';
  // Being destroyed below is an error to the body, and one that nobody listens to would end the process.
  body.on('error', () => undefined);
  try {
    for await (const chunk of inflated(body, encoding)) {
      size += (chunk as Buffer).length;
      chunks.push(chunk as Buffer);
      if (!isDecided && size >= headBytes) {
        maxBytes = (cap as (head: Uint8Array) => number)(Buffer.concat(chunks, size).subarray(0, headBytes));
        isDecided = true;
      }
      if (size > maxBytes) throw tooLarge(maxBytes);
    }
  } finally {
    body.destroy();
  }
  return Buffer.concat(chunks, size);
}

export function tooLarge(maxBytes: number): FetchRefused {
  return new FetchRefused('too_large', `the page is larger than ${Math.round(maxBytes / 2 ** 20)} MB`);
}

function inflated(body: Readable, encoding: string): Readable {
  const names = encoding.toLowerCase().split(',').map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity');
  if (names.length > mostEncodings) throw new FetchRefused('unreachable', `the server packed its answer ${names.length} times`);
  // Applied in the order listed, so undone from the last.
  let stream: Readable = body;
  for (const name of names.reverse()) stream = through(stream, inflater(name));
  return stream;
}

function inflater(name: string): Transform {
  if (name === 'gzip' || name === 'x-gzip') return createGunzip();
  if (name === 'deflate') return createInflate();
  if (name === 'br') return createBrotliDecompress();
  throw new FetchRefused('unreachable', `the server answered in the encoding ${JSON.stringify(name.slice(0, 40))}, which it was not asked for`);
}

/** An error of either side reaches the reader of the result. */
function through(from: Readable, to: Transform): Readable {
  pipeline(from, to, () => undefined);
  return to;
}
