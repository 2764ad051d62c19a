import type { Services } from '../context.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Folder, Item, MemberBase } from '../ports/wiki-store.ts';
import { extensionOf, mediaType } from './media-types.ts';
import { WikiReader } from './reader.ts';
import { zipStream, type ZipFile } from './zip-stream.ts';

/** Parts of an upload: larger than any store's smallest, small enough to hold one in memory. */
const partBytes = 8 * 2 ** 20;
const pageSize = 500;
const textKinds = new Set(['csv', 'html', 'markdown', 'text']);

type Reach = Pick<Services, 'wiki' | 'blobs' | 'noteReader'>;

/** Writes a base as a zip archive: folders as folders, files as they came, all else as text. */
export async function exportBase(services: Reach, base: MemberBase, key: string, signal: AbortSignal): Promise<{ size: number; files: number }> {
  const counted = { files: 0 };
  const size = await putStream(services.blobs, key, zipStream(filesOf(services, base, counted, signal)));
  return { size, files: counted.files };
}

async function* filesOf(services: Reach, base: MemberBase, counted: { files: number }, signal: AbortSignal): AsyncGenerator<ZipFile> {
  const names = new Names(base.id);
  for (let after = ''; ; ) {
    const folders = await services.wiki.items.foldersOfBase(base.id, after, pageSize);
    for (const folder of folders) names.add(folder);
    if (folders.length < pageSize) break;
    after = folders.at(-1)!.id;
  }
  for (let after = ''; ; ) {
    const items = await services.wiki.items.itemsOfBase(base.id, after, pageSize);
    for (const item of items) {
      signal.throwIfAborted();
      const file = await fileOf(services, item, names);
      if (!file) continue;
      counted.files += 1;
      yield file;
    }
    if (items.length < pageSize) return;
    after = items.at(-1)!.id;
  }
}

async function fileOf(services: Reach, item: Item, names: Names): Promise<ZipFile | undefined> {
  const modifiedAt = item.lastModifyTime > 0 ? item.lastModifyTime * 1000 : item.modifiedAt;
  if (mediaType(item.mediaType)?.addedBy === 'file') {
    const stream = item.cosKey === '' ? undefined : await services.blobs.get(item.cosKey);
    if (!stream) return undefined;
    const path = names.path(item.folderId, item.title, extensionOf(item.fileName) || extensionOf(item.cosKey));
    return { path, modifiedAt, pack: textKinds.has(item.kind ?? ''), open: async () => stream as AsyncIterable<Uint8Array> };
  }
  const text = await new WikiReader(services.wiki, services.noteReader).text(item);
  if (!text) return undefined;
  const source = /^https?:/.test(item.contentId) ? `${item.contentId}\n\n` : '';
  const bytes = Buffer.from(`${source}${text.body}`);
  return {
    path: names.path(item.folderId, item.title, 'md'),
    modifiedAt,
    pack: true,
    async open() {
      return (async function* () {
        yield bytes;
      })();
    },
  };
}

/** Paths in the archive: whatever a title holds, it stays one segment below the archive's root, and no two are the same. */
class Names {
  readonly #root: string;
  readonly #folders = new Map<string, Folder>();
  readonly #paths = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  add(folder: Folder): void {
    this.#folders.set(folder.id, folder);
  }

  path(folderId: string, title: string, extension: string): string {
    const wanted = extension === '' || extensionOf(title) === extension ? title : `${title}.${extension}`;
    return this.#free(this.#folderPath(folderId), safeName(wanted));
  }

  #folderPath(id: string): string {
    if (id === this.#root) return '';
    const known = this.#paths.get(id);
    if (known !== undefined) return known;
    const folder = this.#folders.get(id);
    if (!folder) return '';
    const path = `${this.#free(this.#folderPath(folder.parentId), safeName(folder.name))}/`;
    this.#paths.set(id, path);
    return path;
  }

  #free(folder: string, name: string): string {
    const dot = name.lastIndexOf('.');
    const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    for (let copy = 1; ; copy++) {
      const path = `${folder}${copy === 1 ? name : `${stem} (${copy})${extension}`}`;
      const key = path.normalize('NFC').toLowerCase();
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      return path;
    }
  }
}

function safeName(name: string): string {
  const plain = name
    .replace(/[\p{Cc}\p{Surrogate}/\\:*?"<>|\u202a-\u202e\u2066-\u2069]/gu, '_')
    .replace(/[. ]+$/, '')
    .trimStart();
  const short = Buffer.byteLength(plain) <= 200 ? plain : shortened(plain);
  if (short === '' || /^\.+$/.test(short)) return '_';
  return /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(short) ? `_${short}` : short;
}

/** Within what file systems take, with the extension kept. */
function shortened(name: string): string {
  const extension = /\.[^.]{1,10}$/.exec(name)?.[0] ?? '';
  const points = Array.from(name.slice(0, name.length - extension.length));
  while (Buffer.byteLength(points.join('')) > 180) points.length = Math.floor(points.length * 0.9);
  return `${points.join('')}${extension}`;
}

async function putStream(blobs: BlobStore, key: string, chunks: AsyncIterable<Buffer>): Promise<number> {
  const uploadId = await blobs.startUpload(key);
  try {
    const parts: { part: number; etag: string }[] = [];
    let size = 0;
    let waiting: Buffer[] = [];
    let bytes = 0;
    const flush = async (): Promise<void> => {
      const body = Buffer.concat(waiting);
      const part = parts.length + 1;
      const { etag } = await blobs.putPart(key, uploadId, part, body, body.length);
      parts.push({ part, etag });
      size += body.length;
      waiting = [];
      bytes = 0;
    };
    for await (const chunk of chunks) {
      waiting.push(chunk);
      bytes += chunk.length;
      if (bytes >= partBytes) await flush();
    }
    if (bytes > 0 || parts.length === 0) await flush();
    const done = await blobs.completeUpload(key, uploadId, parts);
    if (!done) throw new Error(`the upload of ${key} was lost`);
    return size;
  } catch (error) {
    await blobs.abortUpload(key, uploadId);
    throw error;
  }
}
