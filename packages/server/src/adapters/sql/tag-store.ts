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
import { joined, queryInChunks, raw, sql, type Statement } from './statement.ts';

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

/** Joins the knowledge base items that the user may see (`i`) with their tags (`t`). */
function visibleItemTags(userId: string): Statement {
  return sql`${grantedObjects('base', userId)} AS m JOIN wiki_base b ON b.id = m.id AND b.deleted_at IS NULL
    JOIN wiki_item i ON i.base_id = m.id AND i.deleted_at IS NULL JOIN wiki_tag t ON t.item_id = i.id`;
}

/**
 * For each kind of object (note, knowledge base item, spreadsheet), the SQL query that counts a user's objects per tag.
 * Covers the user's own notes and all items and spreadsheets that the user may see. Other users' notes are counted by
 * `#countShared`.
 */
const counts: Record<TaggedKind, (userId: string) => Statement> = {
  note: (userId) => sql`SELECT MIN(t.tag) AS tag, COUNT(DISTINCT t.object_id) AS n FROM object_tag t
    JOIN note n ON n.id = t.object_id AND n.deleted_at IS NULL WHERE t.user_id = ${userId} AND t.kind = 'note'
    GROUP BY t.tag_key`,
  item: (userId) => sql`SELECT t.tag, COUNT(*) AS n FROM ${visibleItemTags(userId)} GROUP BY t.tag`,
  sheet: (userId) => sql`SELECT MIN(t.tag) AS tag, COUNT(*) AS n FROM ${visibleSheets(userId)} AS seen
    JOIN object_tag t ON t.object_id = seen.id AND t.kind = 'sheet' GROUP BY t.tag_key`,
};

/**
 * For each kind of object (note, knowledge base item, spreadsheet), the SQL query for the ids of objects that have all
 * of the given tags. Covers the user's own notes and all items and spreadsheets that the user may see. Tags of items
 * are compared as written, all other tags by their normalized key.
 */
const tagged: Record<TaggedKind, (userId: string, tags: readonly Spellings[], limit: number) => Statement> = {
  note: (userId, tags, limit) => sql`SELECT t.object_id AS id FROM object_tag t
    JOIN note n ON n.id = t.object_id AND n.deleted_at IS NULL WHERE t.user_id = ${userId} AND t.kind = 'note'
    AND ${hasTags(raw('t.object_id'), raw('t.tag_key'), tags)} ORDER BY t.object_id LIMIT ${limit}`,
  item: (userId, tags, limit) => sql`SELECT i.id FROM ${visibleItemTags(userId)}
    WHERE ${hasTags(raw('i.id'), raw('t.tag'), tags)} ORDER BY i.id LIMIT ${limit}`,
  sheet: (userId, tags, limit) => sql`SELECT seen.id FROM ${visibleSheets(userId)} AS seen
    JOIN object_tag t ON t.object_id = seen.id AND t.kind = 'sheet'
    WHERE ${hasTags(raw('seen.id'), raw('t.tag_key'), tags)} ORDER BY seen.id LIMIT ${limit}`,
};

/** The spellings of one tag as they are stored. An object has the tag if it has one of them. */
type Spellings = readonly string[];

/**
 * Returns the end of an SQL query (a condition, GROUP BY and HAVING) that selects the ids that have all of the tags.
 * Each row of the query must contain one tag.
 */
function hasTags(id: Statement, column: Statement, tags: readonly Spellings[]): Statement {
  const isOneOf = (spellings: Spellings): Statement =>
    sql`${column} IN (${joined(spellings.map((one) => sql`${one}`))})`;
  const counts = tags.map((spellings) => sql`COUNT(CASE WHEN ${isOneOf(spellings)} THEN 1 END) > 0`);
  return sql`${isOneOf(tags.flat())} GROUP BY ${id} HAVING ${counts.reduce((all, one) => sql`${all} AND ${one}`)}`;
}

export class SqlTagStore implements TagStore {
  readonly #db: Database;
  readonly #refresh: (userId: string) => Promise<void>;
  readonly #sharedNotes: (userId: string) => Promise<string[]>;

  /**
   * `refresh` extracts the tags of a user's notes again if their text has changed since the last extraction.
   * `sharedNotes` returns the ids of other users' notes that a user may read.
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
   * Updates the tags taken from the text of the given notes. If the text of a note has changed since its tags were
   * extracted, the tags of all changed notes of its author are extracted again.
   */
  async #refreshAuthors(ids: readonly string[]): Promise<void> {
    const authors = await queryInChunks<{ user_id: string }>(ids, (list) =>
      this.#db.all(sql`SELECT DISTINCT user_id FROM note WHERE id IN (${list}) AND scanned_version <> version
        AND deleted_at IS NULL`),
    );
    for (const author of new Set(authors.map((row) => row.user_id))) await this.#refresh(author);
  }

  /**
   * Returns the ids of other users' notes that the user may read. First brings the tags of these notes and of the
   * user's own notes up to date. Returns no ids if `kinds` does not include notes.
   */
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
      const rows =
        kind === 'item' ? await this.#countItems(userId) : await this.#db.all<CountRow>(counts[kind](userId));
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
    const keys = [...new Set(tags.map(tagKey))];
    const found: TaggedObject[] = [];
    for (const kind of kinds) {
      const ids = new Set(await this.#having(userId, kind, keys, limit));
      if (kind === 'note') for (const id of await this.#sharedHaving(shared, keys)) ids.add(id);
      for (const id of ids) found.push({ kind, id });
    }
    return found.slice(0, limit);
  }

  /** Counts the items that the user may see per tag. An item that has several spellings of a tag is counted once. */
  async #countItems(userId: string): Promise<CountRow[]> {
    const byKey = new Map<string, CountRow[]>();
    for (const row of await this.#db.all<CountRow>(counts.item(userId))) {
      const key = tagKey(unescapeText(row.tag));
      byKey.set(key, [...(byKey.get(key) ?? []), row]);
    }
    const spellings = [...byKey.values()].filter((rows) => rows.length > 1).flat();
    const found = await queryInChunks<{ id: string; tag: string }>(
      spellings.map(({ tag }) => tag),
      (list) => this.#db.all(sql`SELECT i.id, t.tag FROM ${visibleItemTags(userId)} WHERE t.tag IN (${list})`),
    );
    const ids = new Map<string, Set<string>>();
    for (const { id, tag } of found) {
      const same = ids.get(tag);
      if (same) same.add(id);
      else ids.set(tag, new Set([id]));
    }
    return [...byKey.values()].map((rows) => {
      const [{ tag, n }] = rows as [CountRow];
      if (rows.length === 1) return { tag, n };
      return { tag, n: new Set(rows.flatMap((row) => [...(ids.get(row.tag) ?? [])])).size };
    });
  }

  #countShared(ids: readonly string[]): Promise<CountRow[]> {
    return queryInChunks(ids, (list) =>
      this.#db.all(sql`SELECT MIN(tag) AS tag, COUNT(DISTINCT object_id) AS n FROM object_tag
        WHERE object_id IN (${list}) AND kind = 'note' GROUP BY tag_key`),
    );
  }

  async #sharedHaving(ids: readonly string[], keys: readonly string[]): Promise<string[]> {
    let having = ids;
    for (const key of keys) {
      const rows = await queryInChunks<{ id: string }>(having, (list) =>
        this.#db.all(sql`SELECT DISTINCT object_id AS id FROM object_tag WHERE object_id IN (${list})
          AND kind = 'note' AND tag_key = ${key}`),
      );
      having = rows.map((row) => row.id);
    }
    return [...having];
  }

  async #having(userId: string, kind: TaggedKind, keys: readonly string[], limit: number): Promise<string[]> {
    const tags = await Promise.all(keys.map((key) => (kind === 'item' ? this.#spellings(userId, key) : [key])));
    if (tags.length === 0 || tags.some((spellings) => spellings.length === 0)) return [];
    const rows = await this.#db.all<{ id: string }>(tagged[kind](userId, tags, limit));
    return rows.map((row) => row.id);
  }

  /**
   * Returns all spellings, such as `Tax` and `TAX`, of a tag on knowledge base items that the user may see. Item tags
   * keep their upper and lower case, so one key may have several spellings.
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
