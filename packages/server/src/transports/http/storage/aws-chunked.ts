import { createHash } from 'node:crypto';
import { badRequest, badSignature } from './s3-error.ts';
import { equalInConstantTime } from '../../../lib/timing-safe-equal.ts';
import type { ChunkSigner } from './v4-signature.ts';

const maxLineLength = 8192;
const maxTrailerLength = 16 * 1024;

/**
 * Decodes a request body in the `aws-chunked` format of S3: chunks, each with its length and optionally a signature,
 * and then trailing headers, which are added to `trailers`. Yields data as it arrives. A chunk's signature is verified
 * at the end of the chunk, before the object is stored.
 */
export async function* decodeAwsChunked(
  source: AsyncIterable<Uint8Array>,
  signer: ChunkSigner | undefined,
  trailers: Map<string, string>,
): AsyncGenerator<Uint8Array> {
  const input = new LineReader(source);
  for (;;) {
    const [, digits, signature] =
      /^([0-9a-fA-F]{1,8})(?:;chunk-signature=([0-9a-f]{64}))?\s*$/.exec(await input.line()) ?? [];
    if (digits === undefined) throw badRequest('IncompleteBody', 'a chunk of the body does not begin with its length');
    const size = Number.parseInt(digits, 16);
    const hash = createHash('sha256');
    for await (const piece of input.take(size)) {
      if (signer) hash.update(piece);
      yield piece;
    }
    if (signer && !equalInConstantTime(signer.chunk(hash.digest('hex')), signature ?? ''))
      throw badSignature('a chunk of the body does not match its signature');
    if (size === 0) break;
    if ((await input.line()) !== '')
      throw badRequest('IncompleteBody', 'a chunk of the body is longer than its stated length');
  }
  await readTrailers(input, signer, trailers);
}

async function readTrailers(
  input: LineReader,
  signer: ChunkSigner | undefined,
  trailers: Map<string, string>,
): Promise<void> {
  let signed = '';
  let size = 0;
  for (let line = await input.lineOrEnd(); line; line = await input.lineOrEnd()) {
    size += line.length;
    const colon = line.indexOf(':');
    if (colon < 1 || size > maxTrailerLength)
      throw badRequest('MalformedTrailerError', 'the trailing headers are malformed');
    const [name, value] = [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    trailers.set(name, value);
    if (name !== 'x-amz-trailer-signature') signed += `${name}:${value}\n`;
  }
  if (!signer || trailers.size === 0) return;
  const expected = signer.trailer(createHash('sha256').update(signed).digest('hex'));
  if (!equalInConstantTime(expected, trailers.get('x-amz-trailer-signature') ?? ''))
    throw badSignature('the trailing headers do not match their signature');
}

class LineReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #buffer: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async #more(): Promise<boolean> {
    const next = await this.#source.next();
    if (next.done) return false;
    this.#buffer = this.#buffer.length === 0 ? Buffer.from(next.value) : Buffer.concat([this.#buffer, next.value]);
    return true;
  }

  async line(): Promise<string> {
    const line = await this.lineOrEnd();
    if (line === undefined) throw badRequest('IncompleteBody', 'the body ends before its last chunk');
    return line;
  }

  /** Returns the next line without its line break, or undefined at the end of the body. */
  async lineOrEnd(): Promise<string | undefined> {
    for (let end = this.#buffer.indexOf('\r\n'); ; end = this.#buffer.indexOf('\r\n')) {
      if (end >= 0) {
        const line = this.#buffer.toString('latin1', 0, end);
        this.#buffer = this.#buffer.subarray(end + 2);
        return line;
      }
      if (this.#buffer.length > maxLineLength) throw badRequest('IncompleteBody', 'a line of the body is too long');
      if (!(await this.#more())) return undefined;
    }
  }

  async *take(size: number): AsyncGenerator<Uint8Array> {
    let left = size;
    while (left > 0) {
      if (this.#buffer.length === 0 && !(await this.#more()))
        throw badRequest('IncompleteBody', 'the body ends in the middle of a chunk');
      const piece = this.#buffer.subarray(0, left);
      this.#buffer = this.#buffer.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }
}
