import { createHash } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { randomText } from '../../lib/ids.ts';
import { DamagedBlob } from '../../ports/blob-store.ts';
import { toUnavailable } from '../../ports/availability-errors.ts';
import { ensureFolder, isNotFoundError, syncFolder } from './durable-folder.ts';

/**
 * A blob is one file: its bytes, then a trailer of fixed length with hash and etag. One file keeps both together, and a
 * trailer can be written after the bytes were streamed and hashed.
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

/** Writes to a temporary file and renames it once it is complete and on disk, and `after` has resolved. */
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
      // Writes one chunk behind, so that the trailer joins the last chunk: a small blob is a single write.
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
    // This may fail as well if the disk is full; leftover files are swept a day later.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw toUnavailable(error);
  }
}

/** Creates the folder only when the work fails without it, because it nearly always exists. */
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

/** Reads the bytes [start, end]. A full read is checked against the hash and fails at the end if it differs. */
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
 * Reads a small blob in one call; undefined if it is larger or damaged, so that the caller's streaming read reports
 * damage.
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
