import { newId } from '../../../lib/ids.ts';
import { isReference } from '@sheaf/client/media-types';
import { WikiRefused, type WikiLimits } from '../../../ports/wiki-store.ts';
import type { Sql } from '../database.ts';
import { queryInChunks, raw, sql } from '../statement.ts';
import { insertItemCopies, type ItemCopy } from './insert-item-copies.ts';
import { chargeItemStorage } from './item-store.ts';
import { addParseJob } from './parse-jobs.ts';
import { checkOwnNote, type NodeMove } from './move-nodes.ts';
import type { FolderRow, ItemRow } from './wiki-rows.ts';
import {
  ancestors,
  updateChildCounts,
  updateItemCount,
  insertFolder,
  liveBase,
  liveNodes,
  checkFolderExists,
  checkDepth,
  subtree,
  allocatePlaces,
} from './tree-writes.ts';

const maxCopied = 10_000;

/**
 * Throws if a copy would exceed the maximum number of items and folders. Runs before the transaction, so that it blocks
 * no other write. Stops reading as soon as the maximum is exceeded.
 */
export async function checkCopySize(
  db: Pick<Sql, 'all' | 'get'>,
  { fromBaseId, ids }: Pick<NodeMove, 'fromBaseId' | 'ids'>,
): Promise<void> {
  let left = maxCopied;
  const take = (nodes: number): void => {
    left -= nodes;
    if (left < 0) throw new WikiRefused({ reason: 'too_many_copies', limit: maxCopied });
  };
  const named = await liveNodes(db, fromBaseId, ids);
  take(named.filter(({ item }) => item).length);
  let level = named.flatMap(({ folder }) => (folder ? [folder] : []));
  while (level.length > 0) {
    // Descend level by level, because a folder's counts cover only its direct children.
    for (const { file_number: items } of level) take(1 + items);
    const inside = await queryInChunks<FolderRow>(
      level.map(({ id }) => id),
      (list) =>
        db.all(sql`SELECT * FROM wiki_folder WHERE parent_id IN (${list}) AND deleted_at IS NULL
          LIMIT ${raw(maxCopied + 1)}`),
    );
    level = [...new Map(inside.map((row) => [row.id, row])).values()];
  }
}

/** Copies items and folders. Copies share the blobs of their originals. A blob is deleted when no item refers to it. */
export class NodeCopier {
  readonly #tx: Sql;
  readonly #at: number;
  readonly #copy: NodeMove;
  readonly #limits: WikiLimits;
  #copied = 0;

  constructor(tx: Sql, at: number, copy: NodeMove, limits: WikiLimits) {
    this.#tx = tx;
    this.#at = at;
    this.#copy = copy;
    this.#limits = limits;
  }

  /** Copies the given items and folders. Returns a map from the original ids to the ids of the copies. */
  async run(): Promise<Map<string, string>> {
    const { fromBaseId, toBaseId, toFolderId, ids } = this.#copy;
    await liveBase(this.#tx, fromBaseId);
    await liveBase(this.#tx, toBaseId);
    await checkFolderExists(this.#tx, toBaseId, toFolderId);
    const depth = toFolderId === toBaseId ? 0 : (await ancestors(this.#tx, toFolderId)).length;
    const made = new Map<string, string>();
    for (const { item, folder } of await liveNodes(this.#tx, fromBaseId, ids)) {
      if (item) made.set(item.id, (await this.#items([item], toFolderId)).get(item.id)!);
      else if (folder) made.set(folder.id, await this.#folder(folder, depth));
    }
    return made;
  }

  async #folder(folder: FolderRow, depth: number): Promise<string> {
    // List the contents before copying. Otherwise copying a folder into itself would never end.
    const all = await subtree(this.#tx, folder, 'deleted_at IS NULL');
    checkDepth(depth + 1 + Math.max(...all.map((one) => one.depth)));
    const contents = new Map<string, ItemRow[]>();
    for (const { row } of all)
      contents.set(
        row.id,
        await this.#tx.all<ItemRow>(
          'SELECT * FROM wiki_item WHERE folder_id = ? AND deleted_at IS NULL ORDER BY place',
          row.id,
        ),
      );
    const newIds = new Map<string, string>();
    for (const { row } of all) {
      const id = newId('folder');
      const parent = newIds.get(row.parent_id) ?? this.#copy.toFolderId;
      newIds.set(row.id, id);
      this.#countOne();
      const place = await allocatePlaces(this.#tx, this.#copy.toBaseId, this.#at, 1);
      await insertFolder(this.#tx, this.#at, {
        id,
        base_id: this.#copy.toBaseId,
        parent_id: parent,
        name: row.name,
        is_top: row === folder ? 0 : row.is_top,
        place,
      });
      await updateChildCounts(this.#tx, this.#copy.toBaseId, parent, { folders: 1 });
      await this.#items(contents.get(row.id) ?? [], id);
    }
    return newIds.get(folder.id)!;
  }

  /**
   * Copies items into one folder with multi-row statements, so that even ten thousand copies block other writes only
   * briefly. Returns a map from the original ids to the ids of the copies.
   */
  async #items(items: readonly ItemRow[], folderId: string): Promise<Map<string, string>> {
    const { fromBaseId, toBaseId, userId } = this.#copy;
    const made = new Map<string, string>();
    if (items.length === 0) return made;
    const bytes = new Map<string, number>();
    const first = await allocatePlaces(this.#tx, toBaseId, this.#at, items.length);
    const copies = items.map((item, index): ItemCopy => {
      if (fromBaseId !== toBaseId) checkOwnNote(item, userId);
      this.#countOne();
      const id = newId('media');
      made.set(item.id, id);
      // Charge an item that refers to a note or AI session to the author of the note or session, even if another user
      // copies it.
      const owner = isReference(item.media_type) ? item.user_id : userId;
      bytes.set(owner, (bytes.get(owner) ?? 0) + item.file_size);
      const unread = item.state === 'queued' || item.state === 'parsing';
      const state = unread ? 'queued' : item.state;
      return { from: item.id, id, place: first + index, owner, state, fileSize: item.file_size };
    });
    for (const [owner, size] of bytes) await chargeItemStorage(this.#tx, owner, size, this.#limits);
    await insertItemCopies(this.#tx, copies, { baseId: toBaseId, folderId, at: this.#at });
    for (const copy of copies)
      if (copy.state === 'queued') await addParseJob(this.#tx, this.#at, { ...copy, version: 1 });
    await updateChildCounts(this.#tx, toBaseId, folderId, { files: items.length });
    await updateItemCount(this.#tx, toBaseId, items.length);
    return made;
  }

  #countOne(): void {
    if (++this.#copied > maxCopied) throw new WikiRefused({ reason: 'too_many_copies', limit: maxCopied });
  }
}
