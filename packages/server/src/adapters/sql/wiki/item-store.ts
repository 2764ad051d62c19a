import { mapYielding } from '../../../lib/event-loop.ts';
import { unescapeText, escapeText } from '../../../lib/escaped-text.ts';
import { isFileType, mediaNumber } from '@sheaf/client/media-types';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import {
  refileJob,
  WikiRefused,
  type DuplicateStrategy,
  type FiledSheet,
  type Folder,
  type Item,
  type ItemStore,
  type NewItem,
  type Upload,
  type WikiLimits,
} from '../../../ports/wiki-store.ts';
import type { Database, Param, BatchStep, Sql } from '../database.ts';
import { queryInChunks, raw, sql } from '../statement.ts';
import { addJob } from '../job-queue.ts';
import { adoptBlobFor } from '../blob-accounting.ts';
import { listLiveIds } from '../live-ids.ts';
import { BulkInsert } from '../bulk-insert.ts';
import { queueForIndex, queueTextForIndex } from '../queue-for-index.ts';
import { addStorage } from '../storage-usage.ts';
import { grantedLevel } from '../permissions/grants.ts';
import { addParseJob, cancelParseJobs } from './parse-jobs.ts';
import {
  toNfc,
  isReferenceSql,
  sameTitle,
  titleHash,
  toFolder,
  toItem,
  type FolderRow,
  type ItemRow,
} from './wiki-rows.ts';
import { allocateItemPlaces } from './tree-writes.ts';
import { markGarbage } from './upload-store.ts';
import { trashItem } from './trash-nodes.ts';

export class SqlItemStore implements ItemStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async addItem(stamp: Stamp, item: NewItem, strategy: DuplicateStrategy, limits: WikiLimits): Promise<Item> {
    const lock = `wiki:${item.baseId}`;
    // Use a shared lock only for the strategy `keep_both`. The other strategies depend on existing titles, so their
    // writes must not run concurrently.
    return this.#db.write(
      stamp,
      { target: item.id, lock: strategy === 'keep_both' ? { shared: lock } : lock },
      async (tx): Promise<Item> => {
        const known = await tx.batched(findItems, item.id);
        if (known) {
          if (known.deleted_at !== null || known.base_id !== item.baseId || known.user_id !== item.userId)
            throw itemNotFound(item.id);
          return toItem(known);
        }
        const place = await allocateItemPlaces(tx, item.baseId, item.folderId, stamp.at, 1);
        if (strategy !== 'keep_both' && isFileType(item.mediaType))
          await resolveTitleConflict(tx, stamp.at, item, strategy);
        const more = await adoptBlobFor(tx, item.blobKey, item.userId, item.fileSize);
        if (more < 0) await addStorage(tx, item.userId, more, 0);
        else await chargeItemStorage(tx, item.userId, more, limits);
        const added = await insertItem(tx, stamp.at, item, place);
        await tx.batched(deleteUploads, item.id);
        return added;
      },
    );
  }

  async addItems(stamp: Stamp, items: readonly NewItem[], limits: WikiLimits): Promise<Item[]> {
    const [first] = items;
    if (!first) return [];
    const { baseId, folderId } = first;
    const target = items.map(({ id }) => id);
    return this.#db.write(stamp, { target, lock: `wiki:${baseId}` }, async (tx): Promise<Item[]> => {
      let place = await allocateItemPlaces(tx, baseId, folderId, stamp.at, items.length);
      const added: Item[] = [];
      for (const item of items) {
        await chargeItemStorage(tx, item.userId, item.fileSize, limits);
        added.push(await insertItem(tx, stamp.at, item, place++));
      }
      return added;
    });
  }

  async item(id: string): Promise<Item | undefined> {
    const row = await this.#db.get<ItemRow>(sql`SELECT * FROM wiki_item WHERE id = ${id}`);
    return row && toItem(row);
  }

  async items(ids: readonly string[]): Promise<Item[]> {
    const rows = await queryInChunks<ItemRow>([...new Set(ids)], (list) =>
      this.#db.all(sql`SELECT * FROM wiki_item WHERE id IN (${list})`),
    );
    return inOrder(ids, rows.map(toItem));
  }

  async itemsOfBase(baseId: string, after: string, limit: number): Promise<Item[]> {
    const rows = await this.#db.all<ItemRow>(sql`SELECT * FROM wiki_item WHERE base_id = ${baseId} AND id > ${after}
      AND deleted_at IS NULL ORDER BY id LIMIT ${limit}`);
    return rows.map(toItem);
  }

  async filesOfSize(baseIds: readonly string[], bytes: number, limit: number): Promise<Item[]> {
    const rows = await queryInChunks<ItemRow>(baseIds, (list) =>
      this.#db.all(sql`SELECT * FROM wiki_item WHERE file_size = ${bytes} AND base_id IN (${list}) AND is_file = 1
        AND deleted_at IS NULL AND cos_key <> '' ORDER BY id LIMIT ${limit}`),
    );
    return rows.slice(0, limit).map(toItem);
  }

  async filesOfEqualSize(baseIds: readonly string[], limit: number): Promise<Item[]> {
    const sizes = await queryInChunks<{ file_size: number; n: number }>(baseIds, (list) =>
      this.#db.all(sql`SELECT file_size, COUNT(*) AS n FROM wiki_item WHERE base_id IN (${list}) AND is_file = 1
        AND deleted_at IS NULL AND file_size > 0 GROUP BY file_size`),
    );
    const counts = new Map<number, number>();
    for (const { file_size: size, n } of sizes) counts.set(size, (counts.get(size) ?? 0) + n);
    const repeated = [...counts].filter(([, n]) => n > 1).map(([size]) => size);
    const listed = new Set(baseIds);
    const rows = await queryInChunks<ItemRow>(repeated, (list) =>
      this.#db.all(sql`SELECT * FROM wiki_item WHERE file_size IN (${list}) AND is_file = 1 AND deleted_at IS NULL`),
    );
    return rows
      .filter((row) => listed.has(row.base_id) && row.cos_key !== '')
      .sort((one, other) => one.file_size - other.file_size || (one.id < other.id ? -1 : 1))
      .slice(0, limit)
      .map(toItem);
  }

  async foldersOfBase(baseId: string, after: string, limit: number): Promise<Folder[]> {
    const rows = await this.#db.all<FolderRow>(sql`SELECT * FROM wiki_folder WHERE base_id = ${baseId} AND id > ${after}
      AND deleted_at IS NULL ORDER BY id LIMIT ${limit}`);
    return rows.map(toFolder);
  }

  async takenTitles(folderId: string, titles: readonly string[]): Promise<Set<string>> {
    const names = await mapYielding(titles, 500, toNfc);
    const hashes = await mapYielding(names, 500, titleHash);
    // Aggregate the titles into one row, because two thousand names may match as many rows, and transferring a row
    // costs more than finding it.
    const rows = await queryInChunks<{ titles: string | null }>(hashes, (list) =>
      this.#db.all(sql`SELECT string_agg(title, '\n') AS titles FROM wiki_item WHERE folder_id = ${folderId}
        AND deleted_at IS NULL AND is_file = 1 AND title_hash IN (${list})`),
    );
    // Split at line feeds. Titles contain none, because they are stored JSON-escaped.
    const found = new Set(
      rows.flatMap((row) =>
        row.titles === null ? [] : row.titles.split('\n').map((title) => toNfc(unescapeText(title))),
      ),
    );
    return new Set(titles.filter((_, index) => found.has(names[index]!)));
  }

  async renameItem(stamp: Stamp, id: string, title: string): Promise<void> {
    await this.#db.write(stamp, { target: id, lock: `wiki-item:${id}` }, async (tx) => {
      await liveItem(tx, id, this.#db.dialect.forUpdate);
      await tx.execute(sql`UPDATE wiki_item SET title = ${escapeText(title)}, title_hash = ${titleHash(title)},
        modified_at = ${stamp.at} WHERE id = ${id}`);
      await queueForIndex(tx, 'wiki', id);
    });
  }

  async replaceItem(
    ...[stamp, id, upload, password, limits, filed]: Parameters<ItemStore['replaceItem']>
  ): Promise<Item> {
    return this.#db.write(stamp, { target: id, lock: `wiki-item:${id}` }, async (tx): Promise<Item> => {
      const row = await liveItem(tx, id, this.#db.dialect.forUpdate);
      return toItem(await replaceFile(tx, stamp.at, row, { upload, password, limits, filed }));
    });
  }

  refileItem(...[stamp, id, version, upload, limits, filed]: Parameters<ItemStore['refileItem']>): Promise<boolean> {
    return this.#db.write(stamp, { target: id, lock: `wiki-item:${id}` }, async (tx) => {
      const row = await tx.get<ItemRow>(sql`SELECT * FROM wiki_item WHERE id = ${id} AND version = ${version}
        AND filed_version > 0 AND deleted_at IS NULL ${raw(this.#db.dialect.forUpdate)}`);
      if (row) await replaceFile(tx, stamp.at, row, { upload, password: '', limits, filed });
      return row !== undefined;
    });
  }

  async queueOutdatedCopies(...[at, of]: Parameters<ItemStore['queueOutdatedCopies']>): Promise<void> {
    const [column, ids] = 'items' in of ? ['i.id', of.items] : ['i.content_id', of.sheets];
    // Find the items that are outdated copies of spreadsheets: the copied version, `filed_version`, is lower than the
    // spreadsheet's current version. Skip items that already have a waiting job, because that job will copy the newest
    // version. Also skip deleted items and copies of deleted spreadsheets.
    const outdated = await queryInChunks<{ id: string; user_id: string }>(ids, (list) =>
      this.#db.all(sql`SELECT i.id, i.user_id FROM wiki_item i JOIN document d ON d.id = i.content_id
        WHERE ${raw(column)} IN (${list}) AND i.filed_version > 0 AND i.filed_version < d.version
        AND i.deleted_at IS NULL AND d.deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM job j
          WHERE j.kind = ${refileJob} AND j.subject = i.id AND j.state = 'queued')`),
    );
    if (outdated.length === 0) return;
    await this.#db.write(null, { isolation: 'repeatable read' }, async (tx) => {
      for (const { id, user_id: owner } of outdated) await addJob(tx, at, { kind: refileJob, subject: id, owner });
    });
  }

  async retryItem(stamp: Stamp, id: string, sealedPassword: string): Promise<Item> {
    return this.#db.write(stamp, { target: id, lock: `wiki-item:${id}` }, async (tx): Promise<Item> => {
      const row = await liveItem(tx, id, this.#db.dialect.forUpdate);
      if (row.state !== 'failed') return toItem(row);
      const version = row.version + 1;
      await tx.execute(sql`UPDATE wiki_item SET state = 'queued', reason = '', sealed_password = ${sealedPassword},
        version = ${version}, modified_at = ${stamp.at} WHERE id = ${id}`);
      await cancelParseJobs(tx, sql`${id}`);
      await addParseJob(tx, stamp.at, { id, version, owner: row.user_id, fileSize: row.file_size });
      await queueForIndex(tx, 'wiki', id);
      return toItem(await liveItem(tx, id));
    });
  }

  async tags(ids: readonly string[]): Promise<Map<string, string[]>> {
    const rows = await queryInChunks<{ item_id: string; tag: string }>([...new Set(ids)], (list) =>
      this.#db.all(sql`SELECT item_id, tag FROM wiki_tag WHERE item_id IN (${list}) ORDER BY item_id, tag`),
    );
    const tags = new Map<string, string[]>();
    for (const row of rows)
      tags.set(row.item_id, [...(tags.get(row.item_id) ?? []), JSON.parse(`"${row.tag}"`) as string]);
    return tags;
  }

  async addTags(stamp: Stamp, ids: readonly string[], tags: readonly string[]): Promise<void> {
    await this.#db.write(stamp, { target: ids }, async (tx) => {
      for (const id of ids) {
        await liveItem(tx, id);
        for (const tag of tags)
          await tx.execute(sql`INSERT INTO wiki_tag (item_id, tag) VALUES (${id}, ${escapeText(tag)})
            ON CONFLICT (item_id, tag) DO NOTHING`);
        const { n } = (await tx.get<{ n: number }>(sql`SELECT COUNT(*) AS n FROM wiki_tag WHERE item_id = ${id}`))!;
        if (n > maxTags) throw new WikiRefused({ reason: 'too_many_tags', id, count: n, limit: maxTags });
        await queueForIndex(tx, 'wiki', id);
      }
    });
  }

  async removeTags(stamp: Stamp, ids: readonly string[], tags: readonly string[]): Promise<void> {
    await this.#db.write(stamp, { target: ids }, async (tx) => {
      for (const id of ids) {
        await liveItem(tx, id);
        for (const tag of tags)
          await tx.execute(sql`DELETE FROM wiki_tag WHERE item_id = ${id} AND tag = ${escapeText(tag)}`);
        await queueForIndex(tx, 'wiki', id);
      }
    });
  }

  async noteSharedWith(noteId: string, userId: string): Promise<boolean> {
    const row = await this.#db.get(sql`SELECT 1 AS found FROM wiki_item i WHERE i.content_id = ${noteId}
      AND i.${raw(isReferenceSql)} AND i.media_type = ${raw(mediaNumber.note)} AND i.deleted_at IS NULL
      AND ${grantedLevel('base', userId, raw('i.base_id'))} IS NOT NULL LIMIT 1`);
    return row !== undefined;
  }

  async queueItemsOfNotes(noteIds: readonly string[]): Promise<void> {
    // Queue each item that refers to a changed note for the search index, on behalf of the user who changed the note. A
    // search waits for the changes of its own user, so that user then also finds the new text in the knowledge base.
    const found = await queryInChunks<{ id: string; user_id: string | null }>(noteIds, (list) =>
      this.#db.all(sql`SELECT DISTINCT i.id, o.user_id FROM wiki_item i LEFT JOIN search_outbox o ON o.space = 'note'
        AND o.id = i.content_id WHERE i.content_id IN (${list}) AND ${raw(isReferenceSql)} AND i.deleted_at IS NULL`),
    );
    if (found.length === 0) return;
    await this.#db.write(null, { isolation: 'repeatable read' }, async (tx) => {
      for (const { id, user_id: userId } of found) await queueForIndex(tx, 'wiki', id, userId);
    });
  }

  allIds(): AsyncIterable<string> {
    return listLiveIds(this.#db, 'wiki_item', 'wiki_folder');
  }
}

const maxTags = 50;

function inOrder(ids: readonly string[], items: readonly Item[]): Item[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function itemNotFound(id: string): WikiRefused {
  return new WikiRefused({ reason: 'no_item', id });
}

interface Replacement {
  upload: Upload;
  password: string;
  limits: WikiLimits;
  filed: FiledSheet | undefined;
}

/** Replaces the file of an item and queues the new file for parsing. The caller must have locked the item. */
async function replaceFile(
  tx: Sql,
  at: number,
  row: ItemRow,
  { upload, password, limits, filed }: Replacement,
): Promise<ItemRow> {
  const { id } = row;
  const more = await adoptBlobFor(tx, upload.blobKey, row.user_id, upload.fileSize);
  await chargeItemStorage(tx, row.user_id, more - row.file_size, limits);
  const version = row.version + 1;
  const contentId = filed ? escapeText(filed.id) : row.filed_version > 0 ? '' : row.content_id;
  await tx.execute(sql`UPDATE wiki_item SET media_type = ${upload.mediaType}, kind = ${upload.kind},
    file_name = ${escapeText(upload.fileName)}, content_type = ${upload.contentType},
    file_size = ${upload.fileSize}, cos_key = ${upload.blobKey}, sealed_password = ${password},
    content_id = ${contentId}, filed_version = ${filed?.version ?? 0},
    state = 'queued', reason = '', version = ${version}, modified_at = ${at} WHERE id = ${id}`);
  if (row.cos_key !== '' && row.cos_key !== upload.blobKey) await markGarbage(tx, row.cos_key);
  await tx.execute(sql`DELETE FROM wiki_upload WHERE media_id = ${upload.mediaId}`);
  await cancelParseJobs(tx, sql`${id}`);
  await addParseJob(tx, at, { id, version, owner: row.user_id, fileSize: upload.fileSize });
  await queueForIndex(tx, 'wiki', id);
  return liveItem(tx, id);
}

/**
 * Returns an item; throws if it does not exist or is deleted. `hold` is appended to the query. A write that is
 * protected neither by the lock of the knowledge base nor by serializable isolation must pass the dialect's
 * `forUpdate`, which locks the row until the write ends.
 */
async function liveItem(tx: Pick<Sql, 'get'>, id: string, hold = ''): Promise<ItemRow> {
  const row = await tx.get<ItemRow>(`SELECT * FROM wiki_item WHERE id = ? AND deleted_at IS NULL ${hold}`, id);
  if (!row) throw itemNotFound(id);
  return row;
}

export async function chargeItemStorage(tx: Sql, userId: string, bytes: number, limits: WikiLimits): Promise<void> {
  if (bytes === 0) return;
  const over = await addStorage(tx, userId, bytes, limits.quotaBytes);
  if (over) throw new WikiRefused({ reason: 'no_space', bytes, ...over });
}

async function resolveTitleConflict(tx: Sql, at: number, item: NewItem, strategy: 'replace' | 'reject'): Promise<void> {
  const alike = await tx.all<ItemRow>(sql`SELECT * FROM wiki_item WHERE folder_id = ${item.folderId}
    AND deleted_at IS NULL AND is_file = 1 AND title_hash = ${titleHash(item.title)}`);
  const same = alike.filter((row) => sameTitle(row.title, item.title));
  if (strategy === 'reject' && same.length > 0) {
    throw new WikiRefused({ reason: 'title_taken', title: item.title });
  }
  for (const row of same) await trashItem(tx, at, row);
}

const newItems = new BulkInsert(
  `INSERT INTO wiki_item (id, base_id, folder_id, user_id, media_type, is_file, title, title_hash, state, reason, kind, file_name, content_type,
     file_size, cos_key, content_id, filed_version, sealed_password, last_modify_time, version, place, created_at, modified_at)
   VALUES`,
  23,
);

/**
 * Inserts items immediately. `tx.add` would insert them only at the end of the transaction, but other steps of the same
 * transaction read them.
 */
const insertItems: BatchStep<readonly Param[], void> = async (tx, rows) => {
  for (const statement of newItems.statements(rows)) await tx.execute(statement);
  return rows.map(() => undefined);
};

const findItems: BatchStep<string, ItemRow | undefined> = async (tx, ids) => {
  const rows = await queryInChunks<ItemRow>(ids, (list) => tx.all(sql`SELECT * FROM wiki_item WHERE id IN (${list})`));
  return ids.map((id) => rows.find((row) => row.id === id));
};

const deleteUploads: BatchStep<string, void> = async (tx, ids) => {
  await queryInChunks(ids, (list) => tx.execute(sql`DELETE FROM wiki_upload WHERE media_id IN (${list})`));
  return ids.map(() => undefined);
};

async function insertItem(tx: Sql, at: number, { sealedPassword, ...item }: NewItem, place: number): Promise<Item> {
  const version = 1;
  await tx.batched(insertItems, [
    item.id,
    item.baseId,
    item.folderId,
    item.userId,
    item.mediaType,
    isFileType(item.mediaType) ? 1 : 0,
    escapeText(item.title),
    titleHash(item.title),
    item.state,
    '',
    item.kind,
    escapeText(item.fileName),
    item.contentType,
    item.fileSize,
    item.blobKey,
    escapeText(item.contentId),
    item.filedVersion ?? 0,
    sealedPassword,
    item.lastModifyTime,
    version,
    place,
    at,
    at,
  ]);
  if (item.state === 'queued') await addParseJob(tx, at, { ...item, version, owner: item.userId });
  await (item.state === 'ready' ? queueTextForIndex(tx, item.id) : queueForIndex(tx, 'wiki', item.id));
  return {
    ...item,
    filedVersion: item.filedVersion ?? 0,
    reason: '',
    isSealed: sealedPassword !== '',
    version,
    place,
    createdAt: at,
    modifiedAt: at,
    deletedAt: null,
  };
}
