import { escapeText } from '../../../lib/escaped-text.ts';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import {
  WikiRefused,
  type Folder,
  type Item,
  type ListPosition,
  type TrashPosition,
  type TreeStore,
} from '../../../ports/wiki-store.ts';
import type { Database, Sql, WriteOptions } from '../database.ts';
import { inOrderOf, queryInChunks, raw, sql } from '../statement.ts';
import { queueForIndex } from '../queue-for-index.ts';
import { addStorage } from '../storage-usage.ts';
import { NodeCopier, checkCopySize } from './copy-nodes.ts';
import { moveNodes } from './move-nodes.ts';
import { toFolder, toItem, type FolderRow, type ItemRow } from './wiki-rows.ts';
import { restoreNode, trashFolder, trashItem } from './trash-nodes.ts';
import {
  ancestors,
  updateChildCounts,
  insertFolder,
  liveBase,
  liveNodes,
  checkFolderExists,
  checkDepth,
  allocatePlaces,
  trashedNodes,
  type TreeNode,
} from './tree-writes.ts';
import { markGarbage } from './upload-store.ts';

export class SqlTreeStore implements TreeStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  #write<Result>(
    stamp: Stamp | null,
    baseIds: string | readonly string[],
    target: WriteOptions<Result>['target'],
    body: (tx: Sql) => Promise<Result>,
  ): Promise<Result> {
    const lock = (typeof baseIds === 'string' ? [baseIds] : baseIds).map((id) => `wiki:${id}`);
    return this.#db.write(stamp, { target, lock }, body);
  }

  createFolder(stamp: Stamp, folder: { id: string; baseId: string; parentId: string; name: string }): Promise<Folder> {
    const { id, baseId, parentId } = folder;
    const name = escapeText(folder.name);
    return this.#write(stamp, baseId, id, async (tx) => {
      await liveBase(tx, baseId);
      await checkFolderExists(tx, baseId, parentId);
      await checkUniqueName(tx, parentId, name, folder.name);
      checkDepth((await ancestors(tx, parentId)).length + 1);
      const place = await allocatePlaces(tx, baseId, stamp.at, 1);
      await insertFolder(tx, stamp.at, { id, base_id: baseId, parent_id: parentId, name, is_top: 0, place });
      await updateChildCounts(tx, baseId, parentId, { folders: 1 });
      return toFolder((await tx.get<FolderRow>(sql`SELECT * FROM wiki_folder WHERE id = ${id}`))!);
    });
  }

  async folder(id: string): Promise<Folder | undefined> {
    const row = await this.#db.get<FolderRow>(sql`SELECT * FROM wiki_folder WHERE id = ${id}`);
    return row && toFolder(row);
  }

  async folders(ids: readonly string[]): Promise<Folder[]> {
    const rows = await queryInChunks<FolderRow>([...new Set(ids)], (list) =>
      this.#db.all(sql`SELECT * FROM wiki_folder WHERE id IN (${list})`),
    );
    return inOrderOf(ids, rows.map(toFolder));
  }

  async path(baseId: string, folderId: string): Promise<Folder[]> {
    if (folderId === baseId) return [];
    return (await ancestors(this.#db, folderId)).map(toFolder).reverse();
  }

  async list(
    _baseId: string,
    folderId: string,
    after: ListPosition | undefined,
    limit: number,
  ): Promise<{ folders: Folder[]; items: Item[] }> {
    const from = after ?? { group: 0, place: Number.MAX_SAFE_INTEGER };
    const folders: Folder[] = [];
    if (from.group < 2) {
      const top = from.group === 0 ? 1 : 0;
      const rows = await this.#db.all<FolderRow>(sql`SELECT * FROM wiki_folder WHERE parent_id = ${folderId}
        AND deleted_at IS NULL AND is_top <= ${top} AND (is_top < ${top} OR place < ${from.place})
        ORDER BY is_top DESC, place DESC LIMIT ${limit}`);
      folders.push(...rows.map(toFolder));
    }
    const room = limit - folders.length;
    if (room === 0) return { folders, items: [] };
    const rows = await this.#db.all<ItemRow>(sql`SELECT * FROM wiki_item WHERE folder_id = ${folderId}
      AND deleted_at IS NULL AND place < ${from.group === 2 ? from.place : Number.MAX_SAFE_INTEGER} ORDER BY place DESC
      LIMIT ${room}`);
    return { folders, items: rows.map(toItem) };
  }

  async renameFolder(stamp: Stamp, id: string, name: string): Promise<void> {
    const baseId = (await this.folder(id))?.baseId ?? '';
    await this.#write(stamp, baseId, id, async (tx) => {
      const row = await liveFolder(tx, id);
      const stored = escapeText(name);
      if (stored !== row.name) await checkUniqueName(tx, row.parent_id, stored, name);
      await tx.execute(sql`UPDATE wiki_folder SET name = ${stored}, modified_at = ${stamp.at} WHERE id = ${id}`);
      await queueForIndex(tx, 'wiki', id);
    });
  }

  async setFolderTop(stamp: Stamp, id: string, isTop: boolean): Promise<void> {
    const baseId = (await this.folder(id))?.baseId ?? '';
    await this.#write(stamp, baseId, id, async (tx) => {
      await liveFolder(tx, id);
      await tx.execute('UPDATE wiki_folder SET is_top = ?, modified_at = ? WHERE id = ?', isTop ? 1 : 0, stamp.at, id);
    });
  }

  move(...[stamp, move]: Parameters<TreeStore['move']>): Promise<number> {
    const bases = [move.fromBaseId, move.toBaseId];
    return this.#write(stamp, bases, move.ids, (tx) => moveNodes(tx, stamp.at, move));
  }

  async copy(...[stamp, copy, limits]: Parameters<TreeStore['copy']>): Promise<Map<string, string>> {
    await checkCopySize(this.#db, copy);
    const bases = [copy.fromBaseId, copy.toBaseId];
    const copies = (made: Map<string, string>): string[] => [...made.values()];
    return this.#write(stamp, bases, copies, (tx) => new NodeCopier(tx, stamp.at, copy, limits).run());
  }

  trash(stamp: Stamp, baseId: string, ids: readonly string[]): Promise<number> {
    return this.#write(stamp, baseId, ids, async (tx) => {
      await liveBase(tx, baseId);
      let trashed = 0;
      for (const { item, folder } of await liveNodes(tx, baseId, ids)) {
        // Skip items and folders that were already deleted together with a folder earlier in the list.
        const table = item ? 'wiki_item' : 'wiki_folder';
        const still = await tx.get(sql`SELECT 1 AS found FROM ${raw(table)} WHERE id = ${(item ?? folder)!.id}
          AND deleted_at IS NULL`);
        if (!still) continue;
        trashed += item ? await trashItem(tx, stamp.at, item) : await trashFolder(tx, stamp.at, folder!);
      }
      return trashed;
    });
  }

  restore(stamp: Stamp, baseId: string, ids: readonly string[]): Promise<number> {
    return this.#write(stamp, baseId, ids, async (tx) => {
      await liveBase(tx, baseId);
      const nodes = await trashedNodes(tx, baseId, ids);
      let restored = 0;
      for (const id of await parentsFirst(tx, nodes)) {
        const item = await tx.get<ItemRow>(sql`SELECT * FROM wiki_item WHERE id = ${id} AND deleted_at IS NOT NULL`);
        const folder = await tx.get<FolderRow>('SELECT * FROM wiki_folder WHERE id = ? AND deleted_at IS NOT NULL', id);
        restored += await restoreNode(tx, stamp.at, { item, folder });
      }
      return restored;
    });
  }

  async listTrash(baseId: string, after: TrashPosition | undefined, limit: number): Promise<(Folder | Item)[]> {
    const place = [after?.deletedAt ?? Number.MAX_SAFE_INTEGER, after?.id ?? ''] as const;
    const where =
      'base_id = ? AND deleted_at IS NOT NULL AND trash_id = id AND (deleted_at, id) < (?, ?) ORDER BY deleted_at DESC, id DESC LIMIT ?';
    const items = (await this.#db.all<ItemRow>(`SELECT * FROM wiki_item WHERE ${where}`, baseId, ...place, limit)).map(
      toItem,
    );
    const folders = (
      await this.#db.all<FolderRow>(`SELECT * FROM wiki_folder WHERE ${where}`, baseId, ...place, limit)
    ).map(toFolder);
    const deletedAt = (entry: Folder | Item): number => entry.deletedAt ?? 0;
    return [...folders, ...items].sort((a, b) => deletedAt(b) - deletedAt(a) || (a.id < b.id ? 1 : -1)).slice(0, limit);
  }

  async purge(stamp: Stamp, before: number, limit: number): Promise<number> {
    const deletedBases = 'SELECT id FROM wiki_base WHERE deleted_at IS NOT NULL';
    const due = await this.#db.all<ItemRow>(sql`SELECT * FROM wiki_item WHERE deleted_at IS NOT NULL
      AND (deleted_at < ${before} OR base_id IN (${raw(deletedBases)})) LIMIT ${limit}`);
    let purged = 0;
    for (const item of due) {
      purged += await this.#write({ ...stamp }, item.base_id, item.id, async (tx) => {
        const removed = await tx.get<Pick<ItemRow, 'user_id' | 'file_size' | 'cos_key'>>(sql`DELETE FROM wiki_item
          WHERE id = ${item.id} AND deleted_at IS NOT NULL RETURNING user_id, file_size, cos_key`);
        if (!removed) return 0;
        await tx.execute(sql`DELETE FROM wiki_text WHERE item_id = ${item.id}`);
        await tx.execute(sql`DELETE FROM wiki_tag WHERE item_id = ${item.id}`);
        if (removed.file_size > 0) await addStorage(tx, removed.user_id, -removed.file_size, 0);
        if (removed.cos_key !== '') await markGarbage(tx, removed.cos_key);
        return 1;
      });
    }
    if (due.length < limit) await this.#purgeFolders(before);
    return purged;
  }

  /**
   * Permanently deletes folders that were trashed before `before`, and deleted knowledge bases with their folders once
   * they have no more items. Handles one base at a time under the base's lock, so that no folder is deleted while it is
   * being restored.
   */
  async #purgeFolders(before: number): Promise<void> {
    const bases = await this.#db.all<{ base_id: string }>(sql`SELECT DISTINCT base_id FROM wiki_folder
      WHERE deleted_at IS NOT NULL AND deleted_at < ${before} UNION SELECT id FROM wiki_base
      WHERE deleted_at IS NOT NULL`);
    for (const { base_id: baseId } of bases) {
      await this.#write(null, baseId, baseId, async (tx) => {
        await tx.execute(sql`DELETE FROM wiki_folder WHERE base_id = ${baseId} AND deleted_at IS NOT NULL
          AND (deleted_at < ${before} OR EXISTS (SELECT 1 FROM wiki_base b WHERE b.id = wiki_folder.base_id
          AND b.deleted_at IS NOT NULL))`);
        await tx.execute(sql`DELETE FROM wiki_base WHERE id = ${baseId} AND deleted_at IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM wiki_item i WHERE i.base_id = wiki_base.id)`);
      });
    }
  }
}

/**
 * Returns the ids of the folders, each after its ancestors, and then of the items. In this order everything can be
 * restored into its original folder.
 */
async function parentsFirst(tx: Sql, nodes: readonly TreeNode[]): Promise<string[]> {
  const folders: { id: string; depth: number }[] = [];
  for (const { folder } of nodes)
    if (folder) folders.push({ id: folder.id, depth: (await ancestors(tx, folder.id)).length });
  folders.sort((one, other) => one.depth - other.depth);
  return [...folders.map(({ id }) => id), ...nodes.flatMap(({ item }) => (item ? [item.id] : []))];
}

async function liveFolder(tx: Sql, id: string): Promise<FolderRow> {
  const row = await tx.get<FolderRow>(sql`SELECT * FROM wiki_folder WHERE id = ${id} AND deleted_at IS NULL`);
  if (!row) throw new WikiRefused({ reason: 'no_folder', id });
  return row;
}

async function checkUniqueName(tx: Sql, parentId: string, stored: string, name: string): Promise<void> {
  const same = await tx.get(sql`SELECT 1 AS found FROM wiki_folder WHERE parent_id = ${parentId} AND name = ${stored}
    AND deleted_at IS NULL`);
  if (same) throw new WikiRefused({ reason: 'folder_name_taken', name });
}
