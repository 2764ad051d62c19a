import { WikiRefused } from '../../../ports/wiki-store.ts';
import type { BatchStep, Sql } from '../database.ts';
import { queryInChunks, raw, sql } from '../statement.ts';
import { queueForIndex } from '../queue-for-index.ts';
import type { BaseRow, FolderRow, ItemRow } from './wiki-rows.ts';

/** Maximum nesting of folders in a knowledge base. */
export const maxDepth = 32;

export async function liveBase(tx: Pick<Sql, 'get'>, id: string): Promise<BaseRow> {
  const row = await tx.get<BaseRow>(sql`SELECT * FROM wiki_base WHERE id = ${id} AND deleted_at IS NULL`);
  if (!row) throw baseNotFound();
  return row;
}

function baseNotFound(): WikiRefused {
  return new WikiRefused({ reason: 'no_base' });
}

/**
 * Throws if the folder does not exist. The root folder has the id of the base; it always exists and has no row in
 * `wiki_folder`.
 */
export async function checkFolderExists(tx: Pick<Sql, 'get'>, baseId: string, folderId: string): Promise<void> {
  if (folderId === baseId) return;
  const row = await tx.get(sql`SELECT 1 AS found FROM wiki_folder WHERE id = ${folderId} AND base_id = ${baseId}
    AND deleted_at IS NULL`);
  if (!row) throw new WikiRefused({ reason: 'no_folder_in_base', id: folderId });
}

/** Reserves the next `count` values of the sort position `place` in a base. Returns the first value. */
export async function allocatePlaces(tx: Sql, baseId: string, at: number, count: number): Promise<number> {
  await tx.execute('UPDATE wiki_base SET last_place = last_place + ?, modified_at = ? WHERE id = ?', count, at, baseId);
  const row = await tx.get<{ last_place: number }>(sql`SELECT last_place FROM wiki_base WHERE id = ${baseId}`);
  return (row?.last_place ?? 0) - count + 1;
}

interface NewItems {
  readonly baseId: string;
  readonly folderId: string;
  readonly at: number;
  readonly items: number;
}

/**
 * Gives the new items of several writes their sort positions (`place`), and adds the items to the counts of their
 * folders with one statement per folder. Returns for each write the first position of its items, or undefined if the
 * base does not exist.
 */
const allocateItemPlacesShared: BatchStep<NewItems, number | undefined> = async (tx, all) => {
  const folders = new Map<string, NewItems[]>();
  for (const one of all) {
    const same = folders.get(`${one.baseId} ${one.folderId}`);
    if (same) same.push(one);
    else folders.set(`${one.baseId} ${one.folderId}`, [one]);
  }
  const places = new Map<NewItems, number>();
  for (const list of folders.values()) {
    const { baseId, folderId } = list[0]!;
    const items = list.reduce((sum, one) => sum + one.items, 0);
    const row = await tx.get<{ last_place: number }>(sql`UPDATE wiki_base
      SET last_place = last_place + ${items}, modified_at = ${Math.max(...list.map((one) => one.at))},
      item_count = item_count + ${items}, file_number = file_number + ${folderId === baseId ? items : 0}
      WHERE id = ${baseId} AND deleted_at IS NULL RETURNING last_place`);
    if (!row) continue;
    if (folderId !== baseId) await updateChildCounts(tx, baseId, folderId, { files: items });
    let place = row.last_place - items + 1;
    for (const one of list) {
      places.set(one, place);
      place += one.items;
    }
  }
  return all.map((one) => places.get(one));
};

/**
 * Adds new items to the count of their folder, which may be the root folder, and reserves a sort position (`place`) for
 * each item. Returns the first position.
 */
export async function allocateItemPlaces(
  tx: Sql,
  baseId: string,
  folderId: string,
  at: number,
  items: number,
): Promise<number> {
  await checkFolderExists(tx, baseId, folderId);
  const place = await tx.batched(allocateItemPlacesShared, { baseId, folderId, at, items });
  if (place === undefined) throw baseNotFound();
  return place;
}

/** Adds to a folder's counts of the files and folders directly in it. The folder may be the root folder. */
export async function updateChildCounts(
  tx: Sql,
  baseId: string,
  folderId: string,
  by: { files?: number; folders?: number },
): Promise<void> {
  const table = folderId === baseId ? 'wiki_base' : 'wiki_folder';
  await tx.execute(sql`UPDATE ${raw(table)} SET file_number = file_number + ${by.files ?? 0},
    folder_number = folder_number + ${by.folders ?? 0} WHERE id = ${folderId}`);
}

export async function updateItemCount(tx: Sql, baseId: string, by: number): Promise<void> {
  if (by !== 0) await tx.execute(sql`UPDATE wiki_base SET item_count = item_count + ${by} WHERE id = ${baseId}`);
}

export interface TreeNode {
  item?: ItemRow;
  folder?: FolderRow;
}

/**
 * Returns the items and folders of the base with these ids, in the order of the ids. Throws if one is missing or
 * deleted.
 */
export async function liveNodes(tx: Pick<Sql, 'all'>, baseId: string, ids: readonly string[]): Promise<TreeNode[]> {
  return findNodes(tx, baseId, ids, 'deleted_at IS NULL');
}

export async function trashedNodes(tx: Pick<Sql, 'all'>, baseId: string, ids: readonly string[]): Promise<TreeNode[]> {
  return findNodes(tx, baseId, ids, 'deleted_at IS NOT NULL');
}

async function findNodes(
  tx: Pick<Sql, 'all'>,
  baseId: string,
  ids: readonly string[],
  where: string,
): Promise<TreeNode[]> {
  const wanted = [...new Set(ids)];
  const items = await queryInChunks<ItemRow>(wanted, (list) =>
    tx.all(sql`SELECT * FROM wiki_item WHERE id IN (${list}) AND base_id = ${baseId} AND ${raw(where)}`),
  );
  const folders = await queryInChunks<FolderRow>(wanted, (list) =>
    tx.all(sql`SELECT * FROM wiki_folder WHERE id IN (${list}) AND base_id = ${baseId} AND ${raw(where)}`),
  );
  const found = new Map<string, TreeNode>([
    ...items.map((item) => [item.id, { item }] as const),
    ...folders.map((folder) => [folder.id, { folder }] as const),
  ]);
  return wanted.map((id) => {
    const node = found.get(id);
    if (!node) throw new WikiRefused({ reason: 'no_node_in_base', id });
    return node;
  });
}

/**
 * Returns the folder and its descendants that satisfy the SQL condition `where`. Each folder comes after its parent,
 * with its depth below the given folder.
 */
export async function subtree(
  tx: Pick<Sql, 'all'>,
  folder: FolderRow,
  where: string,
  ...params: string[]
): Promise<{ row: FolderRow; depth: number }[]> {
  const found = [{ row: folder, depth: 0 }];
  for (let i = 0; i < found.length; i++) {
    const { row, depth } = found[i]!;
    const inside = await tx.all<FolderRow>(
      `SELECT * FROM wiki_folder WHERE parent_id = ? AND ${where} ORDER BY place`,
      row.id,
      ...params,
    );
    found.push(...inside.map((child) => ({ row: child, depth: depth + 1 })));
  }
  return found;
}

/** Returns the folder and its ancestors, from the folder itself up to the top-level folder. */
export async function ancestors(tx: Pick<Sql, 'all'>, folderId: string): Promise<FolderRow[]> {
  return tx.all<FolderRow>(sql`WITH RECURSIVE up AS ( SELECT f.*, 0 AS depth FROM wiki_folder f WHERE f.id = ${folderId}
    UNION ALL SELECT p.*, up.depth + 1 FROM wiki_folder p JOIN up ON p.id = up.parent_id WHERE up.depth < 100) SELECT *
    FROM up ORDER BY depth`);
}

export function checkDepth(levels: number): void {
  if (levels > maxDepth) throw new WikiRefused({ reason: 'too_deep', levels, limit: maxDepth });
}

export async function insertFolder(
  tx: Sql,
  at: number,
  folder: Pick<FolderRow, 'id' | 'base_id' | 'parent_id' | 'name' | 'is_top' | 'place'>,
): Promise<void> {
  await tx.execute(sql`INSERT INTO wiki_folder (id, base_id, parent_id, name, is_top, file_number, folder_number, place,
    created_at, modified_at) VALUES (${folder.id}, ${folder.base_id}, ${folder.parent_id}, ${folder.name},
    ${folder.is_top}, 0, 0, ${folder.place}, ${at}, ${at})`);
  await queueForIndex(tx, 'wiki', folder.id);
}
