import { appendFile, open, readFile, type FileHandle } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';

/**
 * Committed frames of a write-ahead log that SQLite does not recover, because an earlier frame is damaged. A frame is
 * one page of the database as a transaction has written it.
 */
export interface LostFrames {
  readonly frames: number;
  readonly bytes: number;
  /** Number of the first damaged frame in the log, counted from 1. */
  readonly firstDamaged: number;
}

const headerSize = 32;
const frameHeaderSize = 24;
/**
 * Magic numbers of SQLite's write-ahead log. They tell whether its checksums were computed from little-endian or
 * big-endian words.
 */
const littleEndianMagic = 0x377f0682;
const bigEndianMagic = 0x377f0683;
const chunkBytes = 2 ** 20;

/**
 * Searches for committed frames after a damaged one. Must be called before SQLite opens the database, because opening
 * discards these frames. Another process may be writing the log, so a result counts only if a second read confirms it.
 */
export async function findLostFrames(path: string): Promise<LostFrames | undefined> {
  const found = await readLog(path);
  if (!found) return undefined;
  return isDeepStrictEqual(await readLog(path), found) ? found : undefined;
}

async function readLog(path: string): Promise<LostFrames | undefined> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  try {
    return file && (await scan(file));
  } finally {
    await file?.close();
  }
}

async function scan(file: FileHandle): Promise<LostFrames | undefined> {
  const header = Buffer.alloc(headerSize);
  if ((await file.read(header, 0, headerSize, 0)).bytesRead < headerSize) return undefined;
  const magic = header.readUInt32BE(0);
  if (magic !== littleEndianMagic && magic !== bigEndianMagic) return undefined;
  const pageSize = header.readUInt32BE(8);
  if (pageSize < 512 || pageSize > 65_536) return undefined;
  const salts = header.subarray(16, 24);
  const frameSize = frameHeaderSize + pageSize;
  const chunk = Buffer.alloc(Math.max(1, Math.floor(chunkBytes / frameSize)) * frameSize);
  let before = readSum(header, 24);
  let frames = 0;
  let recovered = 0;
  let firstDamaged = 0;
  let lastCommit = 0;
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, headerSize + frames * frameSize);
    for (let at = 0; at + frameSize <= bytesRead; at += frameSize) {
      frames += 1;
      const stored = readSum(chunk, at + 16);
      const isWhole =
        salts.equals(chunk.subarray(at + 8, at + 16)) &&
        isSameSum(stored, checksum(chunk, at, frameSize, before, magic === littleEndianMagic));
      // Continue the checksum from the stored one, so that frames after a damaged one can still be verified.
      before = stored;
      if (!isWhole && firstDamaged === 0) firstDamaged = frames;
      const isCommit = chunk.readUInt32BE(at + 4) !== 0;
      if (!isWhole || !isCommit) continue;
      if (firstDamaged === 0) recovered = frames;
      else lastCommit = frames;
    }
    if (bytesRead < chunk.length) break;
  }
  // Do not count frames after the last intact commit, because they usually belong to a transaction that a crash
  // interrupted before it was acknowledged.
  if (lastCommit === 0) return undefined;
  return { frames: lastCommit - recovered, bytes: (lastCommit - recovered) * pageSize, firstDamaged };
}

interface Sum {
  readonly first: number;
  readonly second: number;
}

function readSum(bytes: Buffer, at: number): Sum {
  return { first: bytes.readInt32BE(at), second: bytes.readInt32BE(at + 4) };
}

function isSameSum(one: Sum, other: Sum): boolean {
  return one.first === other.first && one.second === other.second;
}

/**
 * Returns SQLite's checksum of a frame. It covers the first 8 bytes of the frame's header and its page. `before` is the
 * checksum of the preceding frame.
 */
function checksum(bytes: Buffer, start: number, frameSize: number, before: Sum, isLittleEndian: boolean): Sum {
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, frameSize);
  let { first, second } = before;
  const add = (from: number, to: number): void => {
    for (let at = from; at < to; at += 8) {
      first = (first + view.getInt32(at, isLittleEndian) + second) | 0;
      second = (second + view.getInt32(at + 4, isLittleEndian) + first) | 0;
    }
  };
  add(0, 8);
  add(frameHeaderSize, frameSize);
  return { first, second };
}

export interface LostFramesRecord extends LostFrames {
  /** Time in Unix milliseconds when the lost frames were found. */
  readonly at: number;
}

/**
 * Appends a record to a file next to the database. The record describes committed frames of the write-ahead log that
 * could not be recovered. The command `sheaf doctor` reads the file.
 */
export async function recordLostFrames(path: string, lost: LostFramesRecord): Promise<void> {
  await appendFile(path, `${JSON.stringify(lost)}\n`, { mode: 0o600 });
}

export async function readLostFrames(path: string): Promise<LostFramesRecord[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as LostFramesRecord]));
}
