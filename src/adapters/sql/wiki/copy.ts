import { newId } from '../../../lib/ids.ts';
import { WikiRefused, type WikiLimits } from '../../../ports/wiki-store.ts';
import type { Sql } from '../database.ts';
import { noteChange } from '../search-outbox.ts';
import { takeSpace } from './items.ts';
import { addParseJob } from './jobs.ts';
import { refuseForeignNote, type Move } from './move.ts';
import type { FolderRow, ItemRow } from './rows.ts';
import { ancestors, count, countItems, insertFolder, liveBase, liveNodes, refuseNoFolder, refuseTooDeep, subtree, takePlaces } from './tree.ts';

const mostCopied = 10_000;

/** One copy of items and folders. Copies share the bytes of their originals, which stay until nothing refers to them. */
export class CopyRun {
  readonly #tx: Sql;
  readonly #at: number;
  readonly #copy: Move;
  readonly #limits: WikiLimits;
  #copied = 0;

  constructor(tx: Sql, at: number, copy: Move, limits: WikiLimits) {
    this.#tx = tx;
    this.#at = at;
    this.#copy = copy;
    this.#limits = limits;
  }

  /** The new ids by the old ones that were named. */
  async run(): Promise<Map<string, string>> {
    const { fromBaseId, toBaseId, toFolderId, ids } = this.#copy;
    await liveBase(this.#tx, fromBaseId);
    await liveBase(this.#tx, toBaseId);
    await refuseNoFolder(this.#tx, toBaseId, toFolderId);
    const depth = toFolderId === toBaseId ? 0 : (await ancestors(this.#tx, toFolderId)).length;
    const made = new Map<string, string>();
    for (const { item, folder } of await liveNodes(this.#tx, fromBaseId, ids)) {
      if (item) made.set(item.id, await this.#item(item, toFolderId));
      else if (folder) made.set(folder.id, await this.#folder(folder, depth));
    }
    return made;
  }

  async #folder(folder: FolderRow, depth: number): Promise<string> {
    // Listed before the first copy is made, so that a copy into itself ends.
    const all = await subtree(this.#tx, folder, 'deleted_at IS NULL');
    refuseTooDeep(depth + 1 + Math.max(...all.map((one) => one.depth)));
    const contents = new Map<string, ItemRow[]>();
    for (const { row } of all) contents.set(row.id, await this.#tx.all<ItemRow>('SELECT * FROM wiki_item WHERE folder_id = ? AND deleted_at IS NULL ORDER BY place', row.id));
    const newIds = new Map<string, string>();
    for (const { row } of all) {
      const id = newId('folder');
      const parent = newIds.get(row.parent_id) ?? this.#copy.toFolderId;
      newIds.set(row.id, id);
      this.#countOne();
      const place = await takePlaces(this.#tx, this.#copy.toBaseId, this.#at, 1);
      await insertFolder(this.#tx, this.#at, { id, base_id: this.#copy.toBaseId, parent_id: parent, name: row.name, is_top: row === folder ? 0 : row.is_top, place });
      await count(this.#tx, this.#copy.toBaseId, parent, { folders: 1 });
      for (const item of contents.get(row.id) ?? []) await this.#item(item, id);
    }
    return newIds.get(folder.id)!;
  }

  async #item(item: ItemRow, folderId: string): Promise<string> {
    const { fromBaseId, toBaseId, userId } = this.#copy;
    if (fromBaseId !== toBaseId) refuseForeignNote(item, userId);
    this.#countOne();
    const id = newId('media');
    const place = await takePlaces(this.#tx, toBaseId, this.#at, 1);
    const unread = item.state === 'queued' || item.state === 'parsing';
    // A note stays its author's, whoever copies it.
    const owner = item.media_type === 11 || item.media_type === 12 ? item.user_id : userId;
    await takeSpace(this.#tx, owner, item.file_size, this.#limits);
    await this.#tx.run(
      `INSERT INTO wiki_item (id, base_id, folder_id, user_id, media_type, is_file, title, title_hash, state, reason, kind, file_name, content_type, file_size,
         cos_key, content_id, sealed_password, last_modify_time, version, place, created_at, modified_at)
       SELECT ?, ?, ?, ?, media_type, is_file, title, title_hash, ?, reason, kind, file_name, content_type, file_size,
         cos_key, content_id, sealed_password, last_modify_time, 1, ?, ?, ? FROM wiki_item WHERE id = ?`,
      id,
      toBaseId,
      folderId,
      owner,
      unread ? 'queued' : item.state,
      place,
      this.#at,
      this.#at,
      item.id,
    );
    await this.#tx.run('INSERT INTO wiki_text (item_id, details, is_packed, body) SELECT ?, details, is_packed, body FROM wiki_text WHERE item_id = ?', id, item.id);
    await this.#tx.run('INSERT INTO wiki_tag (item_id, tag) SELECT ?, tag FROM wiki_tag WHERE item_id = ?', id, item.id);
    if (unread) await addParseJob(this.#tx, this.#at, id, 1, owner);
    await count(this.#tx, toBaseId, folderId, { files: 1 });
    await countItems(this.#tx, toBaseId, 1);
    await noteChange(this.#tx, 'wiki', id);
    return id;
  }

  #countOne(): void {
    if (++this.#copied > mostCopied) throw new WikiRefused('too_many', `media_ids: one call copies at most ${mostCopied} items and folders`);
  }
}
