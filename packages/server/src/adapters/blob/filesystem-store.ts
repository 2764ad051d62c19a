import { createHash } from 'node:crypto';
import { access, constants, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { newId, timeOfId } from '../../lib/ids.ts';
import { NoSuchUpload, type BlobInfo, type BlobStore, type UnfinishedUpload } from '../../ports/blob-store.ts';
import { toUnavailable } from '../../ports/availability-errors.ts';
import { readBlob, readMetadata, writeBlob } from './blob-file.ts';
import { ensureFolder, isNotFoundError, syncFolder } from './durable-folder.ts';
import { checkKey, checkPart, checkPrefix } from './validate-key.ts';
import { HashingBody, multipartEtag } from './hashing-body.ts';
import { sizeOfParts, uploadIdForm, type CompleteUpload } from './multipart-upload.ts';

/** First character of folder names that are not part of a key. Keys cannot contain this character. */
const mark = '~';
const staleMs = 24 * 3600_000;

/**
 * Stores blobs as files below the folder `objects`. Each segment of a key except the last is a folder. The last segment
 * is a file in one of 256 sub-folders (`~00` to `~ff`, by hash), so that folders stay small. The folder `staging`
 * contains files being written and parts of uploads.
 */
export class FilesystemBlobStore implements BlobStore {
  readonly #objects: string;
  readonly #staging: string;
  #swept: Promise<void> | undefined;

  constructor(root: string) {
    this.#objects = join(root, 'objects');
    this.#staging = join(root, 'staging');
  }

  async ping(): Promise<void> {
    await ensureFolder(this.#staging);
    await access(this.#staging, constants.R_OK | constants.W_OK);
  }

  async put(key: string, body: Readable | Uint8Array, size: number, after?: Promise<unknown>): Promise<BlobInfo> {
    // Mark an early rejection of `after` as handled, because `after` is awaited only once the bytes are on disk. An
    // unhandled rejection would end the process.
    after?.catch(() => undefined);
    const target = this.#path(key);
    await this.#sweep();
    return { key, size, etag: await this.#write(target, body, size, after) };
  }

  async #write(target: string, body: Readable | Uint8Array, size: number, after?: Promise<unknown>): Promise<string> {
    const measured = new HashingBody(body, size);
    let md5 = '';
    const finish = (): { md5: string; etag: string } => {
      md5 = measured.md5();
      return { md5, etag: md5 };
    };
    await writeBlob(this.#staging, target, measured.chunks(), finish, after);
    return md5;
  }

  async head(key: string): Promise<BlobInfo | undefined> {
    const facts = await readMetadata(this.#path(key), key);
    return facts && { key, size: facts.size, etag: facts.etag };
  }

  async get(key: string, range?: { start: number; end: number }): Promise<Readable | undefined> {
    return readBlob(this.#path(key), key, range);
  }

  async delete(key: string): Promise<void> {
    const path = this.#path(key);
    try {
      await unlink(path);
      await syncFolder(dirname(path));
    } catch (error) {
      if (!isNotFoundError(error)) throw error;
    }
  }

  async list(prefix: string, options: { after?: string; limit?: number } = {}): Promise<BlobInfo[]> {
    checkPrefix(prefix);
    const limit = options.limit ?? 1000;
    const found: BlobInfo[] = [];
    if (limit <= 0) return found;
    for await (const key of this.#keys(this.#objects, '', prefix, options.after ?? '')) {
      // Skip objects that were deleted since their folder was read.
      const info = await this.head(key);
      if (info) found.push(info);
      if (found.length >= limit) break;
    }
    return found;
  }

  /**
   * Yields the keys in `folder` that start with `prefix` and come after the key `after`, in character order. Folder
   * names are sorted with a slash at the end, because the key of every blob in a folder starts with the folder's name
   * and a slash.
   */
  async *#keys(folder: string, above: string, prefix: string, after: string): AsyncGenerator<string> {
    const names: string[] = [];
    for (const entry of await entriesOf(folder)) {
      if (!entry.startsWith(mark)) names.push(`${entry}/`);
      else for (const leaf of await entriesOf(join(folder, entry))) names.push(leaf);
    }
    names.sort();
    for (const name of names) {
      const key = above + name;
      if (!name.endsWith('/')) {
        if (key > after && key.startsWith(prefix)) yield key;
      } else if ((key > after || after.startsWith(key)) && (key.startsWith(prefix) || prefix.startsWith(key))) {
        yield* this.#keys(join(folder, name), key, prefix, after);
      }
    }
  }

  async startUpload(key: string): Promise<string> {
    checkKey(key);
    const uploadId = newId('upload');
    const folder = join(this.#staging, uploadId);
    try {
      await ensureFolder(folder);
      await writeFile(join(folder, 'key'), key, { flush: true });
      await syncFolder(folder);
    } catch (error) {
      throw toUnavailable(error);
    }
    return uploadId;
  }

  async putPart(...[key, uploadId, part, body, size]: Parameters<BlobStore['putPart']>): Promise<{ etag: string }> {
    checkPart(part);
    const folder = await this.#upload(key, uploadId);
    if (folder === undefined) throw new NoSuchUpload(uploadId);
    return { etag: await this.#write(join(folder, String(part)), body, size) };
  }

  async listParts(key: string, uploadId: string): Promise<{ part: number; size: number; etag: string }[] | undefined> {
    const folder = await this.#upload(key, uploadId);
    if (folder === undefined) return undefined;
    const parts = [];
    for (const name of await entriesOf(folder)) {
      const facts = /^\d+$/.test(name) ? await readMetadata(join(folder, name), key) : undefined;
      if (facts) parts.push({ part: Number(name), size: facts.size, etag: facts.etag });
    }
    return parts.sort((a, b) => a.part - b.part);
  }

  async completeUpload(...[key, uploadId, parts, watch]: CompleteUpload): Promise<BlobInfo | undefined> {
    const held = await this.listParts(key, uploadId);
    const folder = join(this.#staging, uploadId);
    const size = held && sizeOfParts(held, parts);
    if (size === undefined) return undefined;
    const hash = createHash('md5');
    const chunks = async function* (): AsyncGenerator<Uint8Array> {
      for (const { part } of parts) {
        const stream = await readBlob(join(folder, String(part)), key);
        for await (const chunk of (stream ?? []) as AsyncIterable<Uint8Array>) {
          hash.update(chunk);
          watch?.chunk(part, chunk);
          yield chunk;
        }
      }
      watch?.end();
    };
    const etag = multipartEtag(parts.map((part) => part.etag));
    await writeBlob(this.#staging, this.#path(key), chunks(), () => ({ md5: hash.digest('hex'), etag }));
    await rm(folder, { recursive: true, force: true });
    return { key, size, etag };
  }

  async abortUpload(key: string, uploadId: string): Promise<void> {
    const folder = await this.#upload(key, uploadId);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  async *listUploads(): AsyncGenerator<UnfinishedUpload> {
    for (const uploadId of await entriesOf(this.#staging)) {
      if (!uploadIdForm.test(uploadId)) continue;
      // Skip uploads that were completed or aborted since the folder was read.
      const key = await readFile(join(this.#staging, uploadId, 'key'), 'utf8').catch((error: unknown) => {
        if (isNotFoundError(error)) return undefined;
        throw error;
      });
      if (key !== undefined) yield { key, uploadId, startedAt: timeOfId(uploadId) };
    }
  }

  /** Returns the folder of an upload, or undefined if the upload does not exist or was started for another key. */
  async #upload(key: string, uploadId: string): Promise<string | undefined> {
    checkKey(key);
    if (!uploadIdForm.test(uploadId)) return undefined;
    const folder = join(this.#staging, uploadId);
    try {
      return (await readFile(join(folder, 'key'), 'utf8')) === key ? folder : undefined;
    } catch (error) {
      if (isNotFoundError(error)) return undefined;
      throw toUnavailable(error);
    }
  }

  #path(key: string): string {
    checkKey(key);
    const folders = key.split('/');
    const name = folders.pop()!;
    const shard = createHash('md5').update(name).digest('hex').slice(0, 2);
    return join(this.#objects, ...folders, mark + shard, name);
  }

  /**
   * Removes temporary files that a crash left behind. Recent files stay, because another process may still be writing
   * them.
   */
  #sweep(): Promise<void> {
    this.#swept ??= (async () => {
      for (const name of await entriesOf(this.#staging)) {
        if (!name.startsWith('tmp-')) continue;
        const path = join(this.#staging, name);
        const age = await stat(path).then(
          (file) => Date.now() - file.mtimeMs,
          () => 0,
        );
        if (age > staleMs) await rm(path, { force: true });
      }
    })().catch((error: unknown) => {
      // Discard the failed cleanup, so that the next write repeats it. Otherwise all later writes would fail too.
      this.#swept = undefined;
      throw error;
    });
    return this.#swept;
  }
}

async function entriesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isNotFoundError(error)) return [];
    throw toUnavailable(error);
  }
}
