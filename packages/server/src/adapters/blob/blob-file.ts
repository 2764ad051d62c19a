import { createHash } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { randomText } from '../../lib/ids.ts';
import { DamagedBlob } from '../../ports/blob-store.ts';
import { toUnavailable } from '../../ports/availability-errors.ts';
import { ensureFolder, isNotFoundError, syncFolder } from './durable-folder.ts';

/**
 * Length in bytes of the trailer, which follows a blob's bytes in its file and contains the hash and the ETag. It is at
 * the end of the file, because the hash is known only after all bytes were streamed.
 */
const trailerLength = 128;
const trailerForm = /^\nsheaf-blob 1 ([0-9a-f]{32}) ([0-9a-f]{32}(?:-\d{1,5})?) *\n$/;
const chunkSize = 256 * 1024;
const smallFile = 32 * 1024;

export interface BlobMetadata {
  size: number;
  etag: string;
  md5: string;
}

/**
 * Writes a blob to a temporary file in `staging` and flushes it to disk. Renames the file to `target` after the promise
 * `after` has resolved, or deletes it if the promise rejects.
 */
export async function writeBlob(
  staging: string,
  target: string,
  chunks: AsyncIterable<Uint8Array>,
  finish: () => { md5: string; etag: string },
  after?: Promise<unknown>,
): Promise<void> {
  const temporary = join(staging, `tmp-${randomText(20)}`);
  try {
    const file = await inFolder(staging, () => open(temporary, 'wx'));
    try {
      // Delay each chunk until the next one arrives, so that a small last chunk and the trailer are written in one
      // call.
      let last: Uint8Array = Buffer.alloc(0);
      for await (const chunk of chunks) {
        if (last.length > 0) await writeFully(file, last);
        last = chunk;
      }
      const { md5, etag } = finish();
      const trailer = Buffer.from(`${`\nsheaf-blob 1 ${md5} ${etag}`.padEnd(trailerLength - 1)}\n`);
      for (const piece of last.length <= smallFile ? [Buffer.concat([last, trailer])] : [last, trailer])
        await writeFully(file, piece);
      await file.sync();
    } finally {
      await file.close();
    }
    await after;
    await inFolder(dirname(target), () => rename(temporary, target));
    await syncFolder(dirname(target));
  } catch (error) {
    // Ignore a failure to remove the temporary file, for example on a full disk. `FilesystemBlobStore` deletes
    // temporary files that are older than a day.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw toUnavailable(error);
  }
}

/**
 * Runs `work`. If it fails because the folder does not exist, creates the folder and runs `work` again. Folders nearly
 * always exist, so checking first would only cost time.
 */
async function inFolder<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isNotFoundError(error)) throw error;
    await ensureFolder(folder);
    return work();
  }
}

async function writeFully(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let offset = 0;
  while (offset < chunk.length) offset += (await file.write(chunk, offset)).bytesWritten;
}

export async function readMetadata(path: string, key: string): Promise<BlobMetadata | undefined> {
  const file = await openExisting(path);
  if (!file) return undefined;
  try {
    return await metadataOf(file, key);
  } finally {
    await file.close();
  }
}

/**
 * Opens a stream of the bytes from `start` to `end`, both inclusive, or of the whole blob if `range` is undefined.
 * Returns undefined if there is no such blob. A stream of the whole blob fails, at the latest at its end, if the bytes
 * do not match the stored hash.
 */
export async function readBlob(
  path: string,
  key: string,
  range?: { start: number; end: number },
): Promise<Readable | undefined> {
  const file = await openExisting(path);
  if (!file) return undefined;
  try {
    if (range === undefined) {
      const whole = await readSmall(file, key);
      if (whole) {
        await file.close();
        return Readable.from([whole], { objectMode: false });
      }
    }
    const facts = await metadataOf(file, key);
    const start = range?.start ?? 0;
    const end = Math.min(range?.end ?? Infinity, facts.size - 1);
    const expected = start === 0 && end === facts.size - 1 ? facts.md5 : undefined;
    return Readable.from(bytesOf(file, key, start, end, expected), { objectMode: false });
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function* bytesOf(
  file: FileHandle,
  key: string,
  start: number,
  end: number,
  md5: string | undefined,
): AsyncGenerator<Buffer> {
  const hash = md5 === undefined ? undefined : createHash('md5');
  try {
    for (let at = start; at <= end;) {
      const buffer = Buffer.allocUnsafe(Math.min(chunkSize, end - at + 1));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) throw new DamagedBlob(key, 'the file is too short');
      const chunk = buffer.subarray(0, bytesRead);
      hash?.update(chunk);
      at += bytesRead;
      yield chunk;
    }
    if (hash && hash.digest('hex') !== md5) throw new DamagedBlob(key, 'its bytes do not match their hash');
  } finally {
    await file.close();
  }
}

/**
 * Reads a small blob in one call. Returns undefined if the blob is larger or its hash is wrong. The caller then reads
 * it as a stream, which reports the damage.
 */
async function readSmall(file: FileHandle, key: string): Promise<Buffer | undefined> {
  const buffer = Buffer.allocUnsafe(smallFile);
  const { bytesRead } = await file.read(buffer, 0, smallFile, 0);
  if (bytesRead < trailerLength || bytesRead === smallFile) return undefined;
  const facts = parseTrailer(buffer.subarray(bytesRead - trailerLength, bytesRead), bytesRead, key);
  const bytes = buffer.subarray(0, facts.size);
  return createHash('md5').update(bytes).digest('hex') === facts.md5 ? bytes : undefined;
}

async function metadataOf(file: FileHandle, key: string): Promise<BlobMetadata> {
  const { size } = await file.stat();
  const trailer = Buffer.alloc(trailerLength);
  if (size >= trailerLength) await file.read(trailer, 0, trailerLength, size - trailerLength);
  return parseTrailer(trailer, size, key);
}

function parseTrailer(trailer: Buffer, size: number, key: string): BlobMetadata {
  const found = trailerForm.exec(trailer.toString('latin1'));
  if (!found) throw new DamagedBlob(key, 'its file does not end as written');
  return { size: size - trailerLength, md5: found[1]!, etag: found[2]! };
}

async function openExisting(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (isNotFoundError(error)) return undefined;
    throw toUnavailable(error);
  }
}
