import { inflateRawSync } from 'node:zlib';
import { escapeText } from '../../../lib/escaped-text.ts';
import { isFileType } from '@sheaf/client/media-types';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import type { ItemText, TextStore } from '../../../ports/wiki-store.ts';
import type { Database, Param, BatchStep, Sql } from '../database.ts';
import { queryInChunks, raw, sql } from '../statement.ts';
import { encodeText } from '../notes/stored-text.ts';
import { adoptBlob } from '../blob-accounting.ts';
import { BulkInsert } from '../bulk-insert.ts';
import { queueForIndex, queueTextForIndex } from '../queue-for-index.ts';
import { addStorage } from '../storage-usage.ts';
import { chargeItemStorage } from './item-store.ts';
import { markGarbage } from './upload-store.ts';
import { titleHash, type ItemRow } from './wiki-rows.ts';

/**
 * Maximum size in bytes, as stored, of a text that is written in one transaction with other texts. Larger texts are
 * written alone, so that small writes do not wait for large ones.
 */
const smallText = 64 * 1024;

interface TextRow {
  item_id: string;
  details: string;
  is_packed: number;
  body: Uint8Array;
}

const newTexts = new BulkInsert(
  'INSERT INTO wiki_text (item_id, details, is_packed, body) VALUES',
  4,
  'ON CONFLICT (item_id) DO UPDATE SET details = excluded.details, is_packed = excluded.is_packed, body = excluded.body',
);

interface SavedText {
  readonly id: string;
  readonly version: number;
  readonly at: number;
  /**
   * Value for the item's column `reason`, escaped by `escapeText`, because databases cannot store every character
   * unescaped.
   */
  readonly reason: string;
  readonly row: readonly Param[];
}

/**
 * Stores texts and sets the state of their items to ready. Returns for each text whether its item still exists and has
 * the same version as the text.
 */
const saveTexts: BatchStep<SavedText, boolean> = async (tx, texts) => {
  const alike = new Map<string, SavedText[]>();
  for (const text of texts) {
    const same = alike.get(`${text.version} ${text.reason}`);
    if (same) same.push(text);
    else alike.set(`${text.version} ${text.reason}`, [text]);
  }
  const ready = new Set<string>();
  for (const list of alike.values()) {
    const { version, reason } = list[0]!;
    const at = Math.max(...list.map((text) => text.at));
    // Update the items first. This locks their rows, so that no item can be deleted or replaced until the commit.
    const found = await queryInChunks<{ id: string }>(
      list.map(({ id }) => id),
      (ids) =>
        tx.all(sql`UPDATE wiki_item SET state = 'ready', reason = ${reason}, sealed_password = '', modified_at = ${at}
          WHERE id IN (${ids}) AND version = ${version} AND deleted_at IS NULL RETURNING id`),
    );
    for (const { id } of found) ready.add(id);
  }
  const rows = texts.filter(({ id }) => ready.has(id)).map(({ row }) => row);
  for (const statement of newTexts.statements(rows)) await tx.execute(statement);
  return texts.map(({ id }) => ready.has(id));
};

export class SqlTextStore implements TextStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Runs `body` in a write if the item still exists and still has this version. Returns whether `body` was run. */
  #write(
    stamp: Stamp | null,
    id: string,
    version: number,
    body: (tx: Sql, row: ItemRow) => Promise<void>,
  ): Promise<boolean> {
    return this.#db.write(stamp, { target: id, lock: `wiki-item:${id}` }, async (tx) => {
      const row = await tx.get<ItemRow>(sql`SELECT * FROM wiki_item WHERE id = ${id} AND version = ${version}
        AND deleted_at IS NULL ${raw(this.#db.dialect.forUpdate)}`);
      if (!row) return false;
      await body(tx, row);
      return true;
    });
  }

  async setParsing(id: string, version: number): Promise<boolean> {
    return (
      (await this.#db.write(null, { lock: `wiki-item:${id}` }, (tx) =>
        tx.run(
          "UPDATE wiki_item SET state = 'parsing' WHERE id = ? AND version = ? AND deleted_at IS NULL",
          id,
          version,
        ),
      )) > 0
    );
  }

  async saveText(stamp: Stamp, id: string, version: number, text: ItemText): Promise<boolean> {
    const stored = await encodeText(text.body);
    const { title, headings, outline, meta } = text;
    const details = JSON.stringify({ title, headings, outline, meta });
    const reason = escapeText(text.remark ?? '');
    const saved: SavedText = { id, version, at: stamp.at, reason, row: [id, details, stored.packed, stored.body] };
    const isSmall = stored.body.length + details.length <= smallText;
    const lock = `wiki-item:${id}`;
    return this.#db.write(stamp, { target: id, lock, ...(isSmall ? { batch: 'wiki-texts' } : {}) }, async (tx) => {
      const isThere = await tx.batched(saveTexts, saved);
      if (isThere) await queueTextForIndex(tx, id);
      return isThere;
    });
  }

  failItem(stamp: Stamp, id: string, version: number, reason: string): Promise<boolean> {
    return this.#write(stamp, id, version, async (tx) => {
      await tx.execute(sql`UPDATE wiki_item SET state = 'failed', reason = ${escapeText(reason)}, sealed_password = '',
        modified_at = ${stamp.at} WHERE id = ${id}`);
      await tx.execute(sql`DELETE FROM wiki_text WHERE item_id = ${id}`);
      await queueForIndex(tx, 'wiki', id);
    });
  }

  setReason(stamp: Stamp, id: string, version: number, reason: string): Promise<boolean> {
    return this.#write(stamp, id, version, async (tx) => {
      await tx.execute(sql`UPDATE wiki_item SET reason = ${escapeText(reason)} WHERE id = ${id}`);
    });
  }

  attachFile(...[stamp, id, version, file, limits]: Parameters<TextStore['attachFile']>): Promise<boolean> {
    return this.#write(stamp, id, version, async (tx, row) => {
      await addStorage(tx, row.user_id, -row.file_size, 0);
      await adoptBlob(tx, file.blobKey);
      await chargeItemStorage(tx, row.user_id, file.fileSize, limits);
      if (row.cos_key !== '' && row.cos_key !== file.blobKey) await markGarbage(tx, row.cos_key);
      await tx.execute(sql`UPDATE wiki_item SET cos_key = ${file.blobKey}, file_size = ${file.fileSize},
        content_type = ${file.contentType}, file_name = ${escapeText(file.fileName)}, media_type = ${file.mediaType},
        is_file = ${isFileType(file.mediaType) ? 1 : 0}, kind = ${file.kind} WHERE id = ${id}`);
    });
  }

  retitle(stamp: Stamp, id: string, version: number, title: string): Promise<boolean> {
    return this.#write(stamp, id, version, async (tx) => {
      await tx.execute(sql`UPDATE wiki_item SET title = ${escapeText(title)}, title_hash = ${titleHash(title)}
        WHERE id = ${id}`);
      await queueForIndex(tx, 'wiki', id);
    });
  }

  async text(id: string): Promise<ItemText | undefined> {
    return (await this.texts([id])).get(id);
  }

  async texts(ids: readonly string[]): Promise<Map<string, ItemText>> {
    const rows = await queryInChunks<TextRow>([...new Set(ids)], (list) =>
      this.#db.all(sql`SELECT * FROM wiki_text WHERE item_id IN (${list})`),
    );
    return new Map(rows.map((row) => [row.item_id, toText(row)]));
  }

  async notYetIndexed(ids: readonly string[]): Promise<Set<string>> {
    const rows = await queryInChunks<{ id: string }>([...new Set(ids)], (list) =>
      this.#db.all(sql`SELECT id FROM search_outbox WHERE space = 'wiki' AND id IN (${list}) AND is_text = 1`),
    );
    return new Set(rows.map((row) => row.id));
  }

  async sealedPassword(id: string): Promise<string> {
    return (
      (await this.#db.get<{ sealed_password: string }>(sql`SELECT sealed_password FROM wiki_item WHERE id = ${id}`))
        ?.sealed_password ?? ''
    );
  }
}

function toText(row: TextRow): ItemText {
  const bytes = row.is_packed ? inflateRawSync(row.body) : row.body;
  const details = JSON.parse(row.details) as Omit<ItemText, 'body'>;
  return { ...details, body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8') };
}
