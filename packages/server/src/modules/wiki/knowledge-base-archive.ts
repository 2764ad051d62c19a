import type { Services } from '../../context.ts';
import { parseArchiveKey, type ZipArchiveGenerator } from '../../ports/zip-archive-generator.ts';
import type { Folder, Item, MemberBase } from '../../ports/wiki-store.ts';
import { extensionOf, mediaType } from './media-types.ts';
import { ItemTextReader } from './item-text-reader.ts';
import { zipStream, type ZipFile } from '@sheaf/files/zip/stream-writer';

const pageSize = 500;
const textKinds = new Set(['csv', 'html', 'markdown', 'text']);

type ExportServices = Pick<Services, 'wiki' | 'blobs' | 'noteReader'>;
type ArchiveServices = ExportServices & Pick<Services, 'accounts'>;

/**
 * Exports a knowledge base as a zip archive with its folders. Files are exported unchanged, and all other items, such
 * as notes, as text. Only one item at a time is in memory.
 */
export class KnowledgeBaseArchiveGenerator implements ZipArchiveGenerator {
  readonly #services: ArchiveServices;

  constructor(services: ArchiveServices) {
    this.#services = services;
  }

  async open(key: string): Promise<AsyncIterable<Buffer> | undefined> {
    const named = parseArchiveKey(key);
    // The key comes from a download link. Check again that the user is active and may read the knowledge base, because
    // this may have changed since the link was created.
    const user = named && (await this.#services.accounts.user(named.userId));
    if (!named || user?.state !== 'active') return undefined;
    const base = await this.#services.wiki.bases.base(named.baseId, named.userId);
    return base && zipStream(filesOf(this.#services, base));
  }
}

async function* filesOf(services: ExportServices, base: MemberBase): AsyncGenerator<ZipFile> {
  const names = new ArchivePaths(base.id);
  for (let after = ''; ;) {
    const folders = await services.wiki.items.foldersOfBase(base.id, after, pageSize);
    for (const folder of folders) names.add(folder);
    if (folders.length < pageSize) break;
    after = folders.at(-1)!.id;
  }
  for (let after = ''; ;) {
    const items = await services.wiki.items.itemsOfBase(base.id, after, pageSize);
    for (const item of items) {
      const file = await fileOf(services, item, names);
      if (file) yield file;
    }
    if (items.length < pageSize) return;
    after = items.at(-1)!.id;
  }
}

async function fileOf(services: ExportServices, item: Item, names: ArchivePaths): Promise<ZipFile | undefined> {
  const modifiedAt = item.lastModifyTime > 0 ? item.lastModifyTime * 1000 : item.modifiedAt;
  if (mediaType(item.mediaType)?.addedBy === 'file') {
    const stream = item.blobKey === '' ? undefined : await services.blobs.get(item.blobKey);
    if (!stream) return undefined;
    const path = names.path(item.folderId, item.title, extensionOf(item.fileName) || extensionOf(item.blobKey));
    return {
      path,
      modifiedAt,
      pack: textKinds.has(item.kind ?? ''),
      open: async () => stream as AsyncIterable<Uint8Array>,
    };
  }
  const text = await new ItemTextReader(services.wiki, services.noteReader).text(item);
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

/**
 * Assigns paths in the archive to folders and items. Each title becomes a unique path segment that is valid on all
 * common file systems.
 */
class ArchivePaths {
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

/** Shortens a name to 180 bytes plus its extension, because file systems limit the length of names. */
function shortened(name: string): string {
  const extension = /\.[^.]{1,10}$/.exec(name)?.[0] ?? '';
  const points = Array.from(name.slice(0, name.length - extension.length));
  while (Buffer.byteLength(points.join('')) > 180) points.length = Math.floor(points.length * 0.9);
  return `${points.join('')}${extension}`;
}
