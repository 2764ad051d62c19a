import { z } from 'zod';
import { tokenLimitEnd } from '@sheaf/search/analysis/llm-token-estimate';
import { encodeCursor } from '../../lib/cursor.ts';
import { cursor, text } from '../../kernel/field-schemas.ts';
import type { PublicLinkGuest, PublicReads } from '../../kernel/module.ts';
import { pageOf, readCursor } from '../../kernel/paging.ts';
import { parseBySchema } from '../../kernel/parse-input.ts';
import { linkNotFoundError } from '../../kernel/public-link-invoker.ts';
import type { Folder, Item, ListPosition, MemberBase } from '../../ports/wiki-store.ts';
import { ItemTextReader } from './item-text-reader.ts';
import { isWellFormedId, notVisibleError, resolveFolder } from './permissions.ts';

const pageSize = 50;
const maxTokens = 20_000;
/** Lifetime of a file's URL in seconds. It is short, because the URL stays valid even if the public link is revoked. */
const fileSeconds = 60;

const id = (description: string) => text(description, { max: 256 });
const listInput = z.object({ folder_id: id('A folder of the base.').optional(), cursor: cursor().optional() });
const readInput = z.object({ media_id: id('An item of the base.'), cursor: cursor().optional() });
const fileInput = z.object({ media_id: id('An item of the base.') });

/**
 * Operations for visitors with a public link to a knowledge base. They return its folders and the titles, texts and
 * files of its items, but no members, authors, tags or other knowledge bases.
 */
export const publicReads: PublicReads = {
  async open(_input, guest) {
    const base = await findBase(guest);
    return {
      kind: 'base',
      title: base.name,
      description: base.description,
      expire_time: guest.link.expiresAt ?? 0,
    };
  },

  async list(input, guest) {
    const asked = parseBySchema(listInput, input);
    const base = await findBase(guest);
    const folder = await resolveFolder(guest.context, base, asked.folder_id);
    const scope = `public list ${guest.link.id} ${folder}`;
    const after = readCursor(scope, asked.cursor);
    const place = after && ({ group: Number(after[0]), place: Number(after[1]) } as ListPosition);
    const found = await guest.context.wiki.tree.list(base.id, folder, place, pageSize + 1);
    const { page, is_end, next_cursor } = pageOf([...found.folders, ...found.items], pageSize, scope, (last) => [
      'name' in last ? (last.isTop ? 0 : 1) : 2,
      last.place,
    ]);
    return { entries: page.map(toEntry), is_end, next_cursor };
  },

  async read(input, guest) {
    const asked = parseBySchema(readInput, input);
    const item = await findItem(guest, asked.media_id);
    const found = await new ItemTextReader(guest.context.wiki, guest.context.noteReader).text(item);
    const body = found?.body ?? '';
    const scope = `public read ${guest.link.id} ${item.id} ${item.version}`;
    const [from] = readCursor(scope, asked.cursor) ?? [];
    const start = typeof from === 'number' ? from : 0;
    const end = tokenLimitEnd(body, start, maxTokens);
    const is_end = end >= body.length;
    return {
      ...toEntry(item),
      content: body.slice(start, end),
      is_end,
      next_cursor: is_end ? '' : encodeCursor(scope, [end]),
    };
  },

  async file(input, guest) {
    const { media_id: mediaId } = parseBySchema(fileInput, input);
    const item = await findItem(guest, mediaId);
    const { blobs, signedUrls } = guest.context;
    if (item.blobKey === '' || !(await blobs.head(item.blobKey))) return {};
    const fileName = item.fileName === '' ? item.title : item.fileName;
    return {
      content_type: item.contentType,
      file_name: fileName,
      url: signedUrls.sign(item.blobKey, { fileName, contentType: item.contentType, seconds: fileSeconds }),
    };
  },
};

function toEntry(entry: Folder | Item): Record<string, unknown> {
  return 'name' in entry
    ? { kind: 'folder', id: entry.id, title: entry.name }
    : { kind: 'item', id: entry.id, title: entry.title, media_type: entry.mediaType, modify_time: entry.modifiedAt };
}

/**
 * Returns the knowledge base that the link shows. If the link's creator no longer owns it, throws the error for an
 * unknown link.
 */
async function findBase({ link, context }: PublicLinkGuest): Promise<MemberBase> {
  const base = await context.wiki.bases.base(link.targetId, link.userId);
  if (base?.role !== 'owner') throw linkNotFoundError('no_permission');
  return base;
}

async function findItem(guest: PublicLinkGuest, mediaId: string): Promise<Item> {
  const base = await findBase(guest);
  const item = isWellFormedId(mediaId) ? await guest.context.wiki.items.item(mediaId) : undefined;
  if (!item || item.baseId !== base.id || item.deletedAt !== null) throw notVisibleError('media_id', 'item', mediaId);
  return item;
}
