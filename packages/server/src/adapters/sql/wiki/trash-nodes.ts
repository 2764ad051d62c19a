import type { Sql } from '../database.ts';
import { sql } from '../statement.ts';
import { queueForIndex, queueMatchingForIndex, queueTextForIndex } from '../queue-for-index.ts';
import { addParseJob, cancelParseJobs } from './parse-jobs.ts';
import type { FolderRow, ItemRow } from './wiki-rows.ts';
import { updateChildCounts, updateItemCount, subtree, type TreeNode } from './tree-writes.ts';

/**
 * Moves an item to the trash. Returns 1, the number of trashed items. In the trash, `trash_id` is the id of the item or
 * folder that the user deleted.
 */
export async function trashItem(tx: Sql, at: number, item: ItemRow): Promise<number> {
  await tx.execute(sql`UPDATE wiki_item SET deleted_at = ${at}, trash_id = ${item.id} WHERE id = ${item.id}`);
  await cancelParseJobs(tx, sql`${item.id}`);
  await queueForIndex(tx, 'wiki', item.id);
  await updateChildCounts(tx, item.base_id, item.folder_id, { files: -1 });
  await updateItemCount(tx, item.base_id, -1);
  return 1;
}

export async function trashFolder(tx: Sql, at: number, folder: FolderRow): Promise<number> {
  let items = 0;
  const folders = await subtree(tx, folder, 'deleted_at IS NULL');
  for (const { row } of folders) {
    await queueMatchingForIndex(tx, 'wiki_item', 'folder_id = ?', row.id);
    const unread = sql`SELECT id FROM wiki_item WHERE folder_id = ${row.id} AND state IN ('queued', 'parsing')
      AND deleted_at IS NULL`;
    await cancelParseJobs(tx, unread);
    items += await tx.run(sql`UPDATE wiki_item SET deleted_at = ${at}, trash_id = ${folder.id}
      WHERE folder_id = ${row.id} AND deleted_at IS NULL`);
    await tx.execute(sql`UPDATE wiki_folder SET deleted_at = ${at}, trash_id = ${folder.id} WHERE id = ${row.id}`);
    await queueForIndex(tx, 'wiki', row.id);
  }
  await updateChildCounts(tx, folder.base_id, folder.parent_id, { folders: -1 });
  await updateItemCount(tx, folder.base_id, -items);
  return items + folders.length;
}

/**
 * Restores an item or folder with its contents. If the parent folder is deleted, it is restored into the root folder.
 * Returns the number of restored items and folders.
 */
export async function restoreNode(tx: Sql, at: number, { item, folder }: TreeNode): Promise<number> {
  if (item) {
    const place = await newParent(
      tx,
      item.base_id,
      item.folder_id,
      item.trash_id !== item.id ? { files: -1 } : undefined,
    );
    await reviveItems(tx, at, [item]);
    await tx.execute(sql`UPDATE wiki_item SET folder_id = ${place} WHERE id = ${item.id}`);
    await updateChildCounts(tx, item.base_id, place, { files: 1 });
    await updateItemCount(tx, item.base_id, 1);
    return 1;
  }
  if (!folder) return 0;
  const place = await newParent(
    tx,
    folder.base_id,
    folder.parent_id,
    folder.trash_id !== folder.id ? { folders: -1 } : undefined,
  );
  let restored = 0;
  const folders = await subtree(tx, folder, 'deleted_at IS NOT NULL AND trash_id = ?', folder.trash_id);
  for (const { row } of folders) {
    const inside = await tx.all<ItemRow>(sql`SELECT * FROM wiki_item WHERE folder_id = ${row.id}
      AND trash_id = ${folder.trash_id} AND deleted_at IS NOT NULL`);
    await reviveItems(tx, at, inside);
    restored += inside.length;
    await tx.execute(sql`UPDATE wiki_folder SET deleted_at = NULL, trash_id = '' WHERE id = ${row.id}`);
    await queueForIndex(tx, 'wiki', row.id);
  }
  await tx.execute(sql`UPDATE wiki_folder SET parent_id = ${place} WHERE id = ${folder.id}`);
  await updateChildCounts(tx, folder.base_id, place, { folders: 1 });
  await updateItemCount(tx, folder.base_id, restored);
  return restored + folders.length;
}

/**
 * Returns the folder into which a trashed item or folder is restored: its original folder, or the root if that one is
 * deleted.
 *
 * `leave` is added to the counts of the original folder. It is given, with negative numbers, if the item or folder was
 * deleted together with its parent folder, because the parent's counts then still include it.
 */
async function newParent(
  tx: Sql,
  baseId: string,
  parentId: string,
  leave: { files?: number; folders?: number } | undefined,
): Promise<string> {
  if (leave) await updateChildCounts(tx, baseId, parentId, leave);
  if (parentId === baseId) return baseId;
  const live = await tx.get(sql`SELECT 1 AS found FROM wiki_folder WHERE id = ${parentId} AND base_id = ${baseId}
    AND deleted_at IS NULL`);
  return live ? parentId : baseId;
}

async function reviveItems(tx: Sql, at: number, items: readonly ItemRow[]): Promise<void> {
  for (const item of items) {
    const unread = item.state === 'queued' || item.state === 'parsing';
    await tx.execute(sql`UPDATE wiki_item SET deleted_at = NULL, trash_id = '',
      state = ${unread ? 'queued' : item.state} WHERE id = ${item.id}`);
    const { id, version, user_id: owner, file_size: fileSize } = item;
    if (unread) await addParseJob(tx, at, { id, version, owner, fileSize });
    await queueTextForIndex(tx, item.id);
  }
}
