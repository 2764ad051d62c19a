import { unescapeText } from '../../lib/escaped-text.ts';
import { cleanTag, tagKey } from '../../lib/tag-key.ts';
import {
  TagsRefused,
  type ObjectTag,
  type TagCount,
  type TaggedKind,
  type TaggedObject,
  type TagStore,
} from '../../ports/tag-store.ts';
import type { Database, Sql } from './database.ts';
import { grantedObjects } from './permissions/grants.ts';
import { queryInChunks, sql, type Statement } from './statement.ts';

interface CountRow {
  tag: string;
  n: number;
}

/** Selects the ids of the spreadsheets that the user owns or that are shared with the user. */
function visibleSheets(userId: string): Statement {
  return sql`(SELECT d.id FROM document d WHERE d.owner_id = ${userId} AND d.deleted_at IS NULL
    UNION SELECT d.id FROM ${grantedObjects('sheet', userId)} AS g JOIN document d ON d.id = g.id
    AND d.deleted_at IS NULL)`;
}

/**
 * SQL queries for the tags of objects that a user may see, except other users' notes, by kind of object. Each tag is
 * returned with its number of objects.
 */
const counts: Record<TaggedKind, (userId: string) => Statement> = {
  note: (userId) => sql`SELECT MIN(t.tag) AS tag, COUNT(DISTINCT t.object_id) AS n FROM object_tag t
    JOIN note n ON n.id = t.object_id AND n.deleted_at IS NULL WHERE t.user_id = ${userId} AND t.kind = 'note'
    GROUP BY t.tag_key`,
  item: (userId) => sql`SELECT t.tag, COUNT(*) AS n FROM ${grantedObjects('base', userId)} AS m
    JOIN wiki_base b ON b.id = m.id AND b.deleted_at IS NULL
    JOIN wiki_item i ON i.base_id = m.id AND i.deleted_at IS NULL JOIN wiki_tag t ON t.item_id = i.id GROUP BY t.tag`,
  sheet: (userId) => sql`SELECT MIN(t.tag) AS tag, COUNT(*) AS n FROM ${visibleSheets(userId)} AS seen
    JOIN object_tag t ON t.object_id = seen.id AND t.kind = 'sheet' GROUP BY t.tag_key`,
};

/**
 * SQL queries for the ids of objects with given tags that a user may see, except other users' notes, by kind of object.
 * Tags of items are compared as written, all other tags by their key.
 */
const tagged: Record<TaggedKind, (userId: string, list: Statement, limit: number) => Statement> = {
  note: (userId, list, limit) => sql`SELECT DISTINCT t.object_id AS id FROM object_tag t
    JOIN note n ON n.id = t.object_id AND n.deleted_at IS NULL WHERE t.user_id = ${userId} AND t.kind = 'note'
    AND t.tag_key IN (${list}) ORDER BY t.object_id LIMIT ${limit}`,
  item: (userId, list, limit) => sql`SELECT DISTINCT i.id FROM ${grantedObjects('base', userId)} AS m
    JOIN wiki_base b ON b.id = m.id AND b.deleted_at IS NULL
    JOIN wiki_item i ON i.base_id = m.id AND i.deleted_at IS NULL JOIN wiki_tag t ON t.item_id = i.id
    WHERE t.tag IN (${list}) ORDER BY i.id LIMIT ${limit}`,
  sheet: (userId, list, limit) => sql`SELECT seen.id FROM ${visibleSheets(userId)} AS seen
    JOIN object_tag t ON t.object_id = seen.id AND t.kind = 'sheet' WHERE t.tag_key IN (${list})
    ORDER BY seen.id LIMIT ${limit}`,
};

export class SqlTagStore implements TagStore {
  readonly #db: Database;
  readonly #refresh: (userId: string) => Promise<void>;
  readonly #sharedNotes: (userId: string) => Promise<string[]>;

  /**
   * `refresh` derives the tags of a user's notes that have changed since its last call. `sharedNotes` returns the ids
   * of other users' notes that a user may read.
   */
  constructor(
    db: Database,
    refresh: (userId: string) => Promise<void>,
    sharedNotes: (userId: string) => Promise<string[]>,
  ) {
    this.#db = db;
    this.#refresh = refresh;
    this.#sharedNotes = sharedNotes;
  }

  async tagsOf(ids: readonly string[]): Promise<Map<string, ObjectTag[]>> {
    await this.#refreshAuthors(ids);
    return readTags(this.#db, ids);
  }

  /**
   * For each author of a given note whose text changed since its tags were extracted, extracts the tags of all changed
   * notes of that author again.
   */
  async #refreshAuthors(ids: readonly string[]): Promise<void> {
    const authors = await queryInChunks<{ user_id: string }>(ids, (list) =>
      this.#db.all(sql`SELECT DISTINCT user_id FROM note WHERE id IN (${list}) AND scanned_version <> version
        AND deleted_at IS NULL`),
    );
    for (const author of new Set(authors.map((row) => row.user_id))) await this.#refresh(author);
  }

  /** Returns the ids of other users' notes that the user may read. Their tags are brought up to date first. */
  async #readableNotes(userId: string, kinds: readonly TaggedKind[]): Promise<string[]> {
    await this.#refresh(userId);
    const shared = kinds.includes('note') ? await this.#sharedNotes(userId) : [];
    await this.#refreshAuthors(shared);
    return shared;
  }

  async change(...[stamp, object, change]: Parameters<TagStore['change']>): Promise<ObjectTag[]> {
    await this.#refresh(object.ownerId);
    const { kind, id, ownerId } = object;
    return this.#db.write(stamp, { target: id, lock: `tags:${id}` }, async (tx) => {
      for (const tag of change.remove)
        await tx.execute(
          sql`DELETE FROM object_tag WHERE object_id = ${id} AND tag_key = ${tagKey(tag)} AND is_text = 0`,
        );
      for (const tag of change.add)
        await tx.execute(sql`INSERT INTO object_tag (kind, object_id, tag_key, tag, is_text, user_id)
          VALUES (${kind}, ${id}, ${tagKey(tag)}, ${cleanTag(tag)}, 0, ${ownerId})
          ON CONFLICT (object_id, tag_key, is_text) DO UPDATE SET tag = excluded.tag`);
      const { n } = (await tx.get<{ n: number }>(sql`SELECT COUNT(*) AS n FROM object_tag WHERE object_id = ${id}
        AND is_text = 0`))!;
      if (n > change.max) throw new TagsRefused({ reason: 'too_many_tags', count: n, limit: change.max });
      return (await readTags(tx, [id])).get(id) ?? [];
    });
  }

  async counts(userId: string, kinds: readonly TaggedKind[]): Promise<TagCount[]> {
    const shared = await this.#readableNotes(userId, kinds);
    const found = new Map<string, TagCount>();
    for (const kind of kinds) {
      const rows = await this.#db.all<CountRow>(counts[kind](userId));
      if (kind === 'note') rows.push(...(await this.#countShared(shared)));
      for (const { tag, n } of rows) {
        const shown = kind === 'item' ? unescapeText(tag) : tag;
        const key = tagKey(shown);
        const entry = found.get(key) ?? { tag: cleanTag(shown), counts: { note: 0, item: 0, sheet: 0 } };
        entry.counts[kind] += n;
        found.set(key, entry);
      }
    }
    return [...found.values()];
  }

  async tagged(...[userId, tags, kinds, limit]: Parameters<TagStore['tagged']>): Promise<TaggedObject[]> {
    const shared = await this.#readableNotes(userId, kinds);
    const found: TaggedObject[] = [];
    for (const kind of kinds) {
      let ids: string[] | undefined;
      for (const tag of new Set(tags.map(tagKey))) {
        const having = new Set(await this.#having(userId, kind, tag, limit));
        if (kind === 'note') for (const id of await this.#sharedHaving(shared, tag)) having.add(id);
        ids = ids === undefined ? [...having] : ids.filter((id) => having.has(id));
      }
      for (const id of ids ?? []) found.push({ kind, id });
    }
    return found.slice(0, limit);
  }

  #countShared(ids: readonly string[]): Promise<CountRow[]> {
    return queryInChunks(ids, (list) =>
      this.#db.all(sql`SELECT MIN(tag) AS tag, COUNT(DISTINCT object_id) AS n FROM object_tag
        WHERE object_id IN (${list}) AND kind = 'note' GROUP BY tag_key`),
    );
  }

  async #sharedHaving(ids: readonly string[], key: string): Promise<string[]> {
    const rows = await queryInChunks<{ id: string }>(ids, (list) =>
      this.#db.all(sql`SELECT DISTINCT object_id AS id FROM object_tag WHERE object_id IN (${list})
        AND kind = 'note' AND tag_key = ${key}`),
    );
    return rows.map((row) => row.id);
  }

  async #having(userId: string, kind: TaggedKind, key: string, limit: number): Promise<string[]> {
    const spellings = kind === 'item' ? await this.#spellings(userId, key) : [key];
    const rows = await queryInChunks<{ id: string }>(spellings, (list) =>
      this.#db.all(tagged[kind](userId, list, limit)),
    );
    return [...new Set(rows.map((row) => row.id))];
  }

  /**
   * Returns all spellings of an item's tag, such as `Tax` and `TAX`. Item tags keep their upper and lower case, so one
   * key may have several spellings.
   */
  async #spellings(userId: string, key: string): Promise<string[]> {
    const rows = await this.#db.all<CountRow>(counts.item(userId));
    return rows.map((row) => row.tag).filter((tag) => tagKey(unescapeText(tag)) === key);
  }
}

async function readTags(db: Pick<Sql, 'all'>, ids: readonly string[]): Promise<Map<string, ObjectTag[]>> {
  const rows = await queryInChunks<{ object_id: string; tag: string; tag_key: string; is_text: number }>(
    [...new Set(ids)],
    (list) =>
      db.all(sql`SELECT object_id, tag, tag_key, is_text FROM object_tag WHERE object_id IN (${list})
        ORDER BY object_id, tag_key, is_text`),
  );
  const found = new Map<string, ObjectTag[]>();
  const seen = new Set<string>();
  for (const { object_id: id, tag, tag_key: key, is_text: isText } of rows) {
    // List a tag only once. If it was added and is also in the text, list it as added.
    if (seen.has(`${id} ${key}`)) continue;
    seen.add(`${id} ${key}`);
    found.set(id, [...(found.get(id) ?? []), { tag, isText: isText === 1 }]);
  }
  return found;
}
