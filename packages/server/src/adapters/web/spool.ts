import { mkdir, open, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { randomText } from '../../lib/ids.ts';
import { FetchRefused, type FetchedBody } from '../../ports/web-fetcher.ts';

/** Maximum size in bytes of a downloaded body that is buffered in memory. Larger ones are written to disk. */
const inMemory = 256 * 1024;

/**
 * Buffers downloaded bodies until they are used, large ones on disk, with one limit for the size of all bodies. Memory
 * usage therefore does not depend on their size. Each file is deleted (unlinked) right after it is opened, so that none
 * remains however the process ends.
 */
export class Spool {
  readonly #folder: string;
  readonly #limit: number;
  #held = 0;

  constructor(folder: string, limit: number) {
    this.#folder = folder;
    this.#limit = limit;
  }

  begin(): SpooledBody {
    return new SpooledBody({
      take: (bytes) => {
        if (this.#held + bytes > this.#limit) throw new FetchRefused({ reason: 'crowded' });
        this.#held += bytes;
      },
      give: (bytes) => void (this.#held -= bytes),
      open: () => this.#open(),
    });
  }

  async #open(): Promise<FileHandle> {
    await mkdir(this.#folder, { recursive: true });
    const path = join(this.#folder, `fetch-${randomText(20)}`);
    const handle = await open(path, 'wx+', 0o600);
    await unlink(path);
    return handle;
  }
}

interface SpoolSpace {
  take(bytes: number): void;
  give(bytes: number): void;
  open(): Promise<FileHandle>;
}

export class SpooledBody implements FetchedBody {
  readonly #room: SpoolSpace;
  #chunks: Uint8Array[] = [];
  #file: FileHandle | undefined;
  #size = 0;

  constructor(room: SpoolSpace) {
    this.#room = room;
  }

  get size(): number {
    return this.#size;
  }

  /** The bytes of the body received so far. Empty once the body has been written to disk. */
  get head(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }

  async add(chunk: Uint8Array): Promise<void> {
    this.#room.take(chunk.length);
    this.#size += chunk.length;
    if (!this.#file) {
      this.#chunks.push(chunk);
      if (this.#size <= inMemory) return;
      this.#file = await this.#room.open();
    }
    const bytes = this.#chunks.length > 0 ? Buffer.concat(this.#chunks) : chunk;
    this.#chunks = [];
    await this.#file.appendFile(bytes);
  }

  async read(): Promise<Uint8Array> {
    if (!this.#file) return Buffer.concat(this.#chunks, this.#size);
    const bytes = Buffer.allocUnsafeSlow(this.#size);
    for (let at = 0; at < bytes.length;) {
      const { bytesRead } = await this.#file.read(bytes, at, bytes.length - at, at);
      if (bytesRead === 0) throw new Error('a fetched file is shorter than the data written to it');
      at += bytesRead;
    }
    return bytes;
  }

  async discard(): Promise<void> {
    this.#room.give(this.#size);
    this.#size = 0;
    this.#chunks = [];
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }
}
