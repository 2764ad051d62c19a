import { unescapeText } from '../../lib/escaped-text.ts';
import { titleSortKey } from '../../lib/sort-key.ts';
import type { TitledKind, TitledObject, TitleLookup } from '../../ports/title-lookup.ts';
import type { Database } from './database.ts';
import { grantedObjects } from './permissions/grants.ts';
import { queryInChunks, sql } from './statement.ts';
import { sameTitle, titleHash } from './wiki/wiki-rows.ts';

type Reads = Pick<Database, 'all'>;
type Find = (db: Reads, userId: string, title: string) => Promise<TitledObject[]>;

const finders: Readonly<Record<Exclude<TitledKind, 'note'>, Find>> = {
  notebook: async (db, userId, title) =>
    withTitle(
      await db.all<TitledObject>(sql`SELECT id, name AS title FROM notebook WHERE user_id = ${userId} ORDER BY id`),
      title,
    ),
  base: async (db, userId, title) => {
    const rows = await db.all<TitledObject>(sql`SELECT b.id, b.name AS title FROM ${grantedObjects('base', userId)} AS g
      JOIN wiki_base b ON b.id = g.id WHERE b.deleted_at IS NULL ORDER BY b.id`);
    return withTitle(
      rows.map((row) => ({ id: row.id, title: unescapeText(row.title) })),
      title,
    );
  },
  sheet: async (db, userId, title) => withTitle(await visibleSheetTitles(db, userId), title),
  item: async (db, userId, title) => {
    const rows = await db.all<TitledObject>(sql`SELECT i.id, i.title FROM wiki_item i
      JOIN ${grantedObjects('base', userId)} AS g ON g.id = i.base_id
      JOIN wiki_base b ON b.id = i.base_id AND b.deleted_at IS NULL
      WHERE i.title_hash = ${titleHash(title)} AND i.deleted_at IS NULL ORDER BY i.id`);
    return rows
      .filter((row) => sameTitle(row.title, title))
      .map((row) => ({ id: row.id, title: unescapeText(row.title) }));
  },
};

/** Lists the spreadsheets that the user owns or that are shared with the user, oldest first. */
export function visibleSheetTitles(db: Reads, userId: string): Promise<TitledObject[]> {
  return db.all<TitledObject>(sql`SELECT d.id, d.title FROM document d
    WHERE d.owner_id = ${userId} AND d.deleted_at IS NULL
    UNION SELECT d.id, d.title FROM ${grantedObjects('sheet', userId)} AS g JOIN document d ON d.id = g.id
    WHERE d.deleted_at IS NULL ORDER BY 1`);
}

export class SqlTitleLookup implements TitleLookup {
  readonly #db: Reads;
  readonly #notesSharedWith: (userId: string) => Promise<readonly string[]>;

  constructor(db: Reads, notesSharedWith: (userId: string) => Promise<readonly string[]>) {
    this.#db = db;
    this.#notesSharedWith = notesSharedWith;
  }

  async find(userId: string, kind: TitledKind, title: string, limit: number): Promise<TitledObject[]> {
    const found = await (kind === 'note' ? this.#notes(userId, title) : finders[kind](this.#db, userId, title));
    return found.slice(0, limit);
  }

  async #notes(userId: string, title: string): Promise<TitledObject[]> {
    const key = titleSortKey(title);
    const own = await this.#db.all<TitledObject>(sql`SELECT id, title FROM note WHERE user_id = ${userId}
      AND title_key = ${key} AND deleted_at IS NULL ORDER BY id`);
    const shared = await queryInChunks<TitledObject>(await this.#notesSharedWith(userId), (list) =>
      this.#db.all(sql`SELECT id, title FROM note WHERE id IN (${list}) AND title_key = ${key}
        AND deleted_at IS NULL ORDER BY id`),
    );
    return [...own, ...shared];
  }
}

function withTitle(rows: readonly TitledObject[], title: string): TitledObject[] {
  const key = titleSortKey(title);
  return rows.filter((row) => titleSortKey(row.title) === key);
}
