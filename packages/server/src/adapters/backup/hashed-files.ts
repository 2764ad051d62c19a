import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { splitJsonLines } from '../../lib/json-lines.ts';

export interface FileDigest {
  size: number;
  sha256: string;
}

/** Writes chunks to a new file, flushes it to disk and returns its size and hash. */
export async function writeHashed(path: string, chunks: AsyncIterable<Uint8Array | string>): Promise<FileDigest> {
  await mkdir(dirname(path), { recursive: true });
  const hash = createHash('sha256');
  let size = 0;
  const file = await open(path, 'wx');
  try {
    for await (const chunk of chunks) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      hash.update(bytes);
      size += bytes.length;
      let offset = 0;
      while (offset < bytes.length) offset += (await file.write(bytes, offset)).bytesWritten;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { size, sha256: hash.digest('hex') };
}

/** Returns why a file differs from its manifest entry, or undefined if size and hash match. */
export async function digestError(path: string, expected: FileDigest): Promise<string | undefined> {
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      size += chunk.length;
    }
  } catch (error) {
    return `cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
  if (size !== expected.size) return `has ${size} bytes instead of ${expected.size}`;
  return hash.digest('hex') === expected.sha256 ? undefined : 'does not match its hash';
}

export function readLines(path: string): AsyncGenerator<string> {
  return splitJsonLines(createReadStream(path) as AsyncIterable<Buffer>);
}
