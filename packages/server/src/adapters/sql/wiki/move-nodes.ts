import { isReference } from '@sheaf/client/media-types';
import { queueForIndex, queueMatchingForIndex } from '../queue-for-index.ts';
import { WikiRefused } from '../../../ports/wiki-store.ts';
import type { Sql } from '../database.ts';
import { raw, sql } from '../statement.ts';
import { isReferenceSql, type FolderRow, type ItemRow } from './wiki-rows.ts';
import {
  ancestors,
  updateChildCounts,
  updateItemCount,
  liveBase,
  liveNodes,
  checkFolderExists,
  checkDepth,
  subtree,
  allocatePlaces,
} from './tree-writes.ts';

export interface NodeMove {
  ids: readonly string[];
  fromBaseId: string;
  toBaseId: string;
  toFolderId: string;
  userId: string;
}

/**
 * Moves items and folders, with their contents, within a base or to another base. Returns the number of given items and
 * folders.
 */
export async function moveNodes(tx: Sql, at: number, move: NodeMove): Promise<number> {
  const { fromBaseId, toBaseId, toFolderId } = move;
  const from = await liveBase(tx, fromBaseId);
  if (toBaseId !== fromBaseId) await liveBase(tx, toBaseId);
  await checkFolderExists(tx, toBaseId, toFolderId);
  const above = toFolderId === toBaseId ? [] : await ancestors(tx, toFolderId);
  const nodes = await liveNodes(tx, fromBaseId, move.ids);
  const crossing = toBaseId !== fromBaseId;
  if (crossing) {
    // Raise the target base's counter of sort positions (`last_place`) to at least that of the source base. The
    // contents of moved folders keep their positions, and no later item or folder may get the same one.
    await tx.execute(sql`UPDATE wiki_base SET last_place = CASE WHEN last_place < ${from.last_place} THEN
      ${from.last_place} ELSE last_place END WHERE id = ${toBaseId}`);
  }
  for (const node of nodes) {
    // Read the row again. If the list also names a folder that contains this item or folder, moving that folder may
    // have changed the row.
    const id = (node.item ?? node.folder)!.id;
    if (node.item) {
      const item = await tx.get<ItemRow>(sql`SELECT * FROM wiki_item WHERE id = ${id}`);
      await moveItem(tx, at, item!, move, crossing);
    } else {
      const folder = await tx.get<FolderRow>(sql`SELECT * FROM wiki_folder WHERE id = ${id}`);
      await moveFolder(tx, at, folder!, move, above, crossing);
    }
  }
  return nodes.length;
}

async function moveItem(tx: Sql, at: number, item: ItemRow, move: NodeMove, crossing: boolean): Promise<void> {
  const changesBase = item.base_id !== move.toBaseId;
  if (changesBase) checkOwnNote(item, move.userId);
  const place = crossing ? await allocatePlaces(tx, move.toBaseId, at, 1) : item.place;
  await tx.execute(sql`UPDATE wiki_item SET base_id = ${move.toBaseId}, folder_id = ${move.toFolderId},
    place = ${place}, modified_at = ${at} WHERE id = ${item.id}`);
  await updateChildCounts(tx, item.base_id, item.folder_id, { files: -1 });
  await updateChildCounts(tx, move.toBaseId, move.toFolderId, { files: 1 });
  if (!changesBase) return;
  await updateItemCount(tx, move.fromBaseId, -1);
  await updateItemCount(tx, move.toBaseId, 1);
  await queueForIndex(tx, 'wiki', item.id);
}

async function moveFolder(
  tx: Sql,
  at: number,
  folder: FolderRow,
  move: NodeMove,
  above: readonly FolderRow[],
  crossing: boolean,
): Promise<void> {
  if (above.some((row) => row.id === folder.id)) throw new WikiRefused({ reason: 'cycle' });
  const inside = await subtree(tx, folder, 'deleted_at IS NULL');
  checkDepth(above.length + 1 + Math.max(...inside.map(({ depth }) => depth)));
  const place = crossing ? await allocatePlaces(tx, move.toBaseId, at, 1) : folder.place;
  if (folder.base_id !== move.toBaseId)
    await changeBase(
      tx,
      inside.map(({ row }) => row.id),
      move,
    );
  await tx.execute(sql`UPDATE wiki_folder SET parent_id = ${move.toFolderId}, place = ${place}, modified_at = ${at}
    WHERE id = ${folder.id}`);
  await updateChildCounts(tx, folder.base_id, folder.parent_id, { folders: -1 });
  await updateChildCounts(tx, move.toBaseId, move.toFolderId, { folders: 1 });
}

async function changeBase(tx: Sql, folderIds: readonly string[], move: NodeMove): Promise<void> {
  let items = 0;
  for (const id of folderIds) {
    const notes = await tx.all<ItemRow>(sql`SELECT * FROM wiki_item WHERE folder_id = ${id} AND deleted_at IS NULL
      AND ${raw(isReferenceSql)}`);
    for (const note of notes) checkOwnNote(note, move.userId);
    await queueMatchingForIndex(tx, 'wiki_item', 'folder_id = ?', id);
    await queueForIndex(tx, 'wiki', id);
    items += await tx.run(sql`UPDATE wiki_item SET base_id = ${move.toBaseId} WHERE folder_id = ${id}
      AND base_id = ${move.fromBaseId} AND deleted_at IS NULL`);
    await tx.execute(sql`UPDATE wiki_folder SET base_id = ${move.toBaseId} WHERE id = ${id}`);
  }
  await updateItemCount(tx, move.fromBaseId, -items);
  await updateItemCount(tx, move.toBaseId, items);
}

/**
 * Throws if the item refers to another user's note or AI session. Its author shared it only with the current base, so
 * others may not move or copy it to another base.
 */
export function checkOwnNote(item: ItemRow, userId: string): void {
  if (!isReference(item.media_type) || item.user_id === userId) return;
  throw new WikiRefused({ reason: 'foreign_note', id: item.id });
}
