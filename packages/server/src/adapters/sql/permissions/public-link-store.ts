import { QuotaExceeded } from '../../../ports/blob-accounting.ts';
import {
  maxPublicLinks,
  publicLinkBytes,
  PublicLinkRefused,
  type PublicLink,
  type PublicLinkStore,
} from '../../../ports/public-link-store.ts';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import type { Resource, ResourceKind } from '../../../ports/permission-store.ts';
import type { Database, Sql } from '../database.ts';
import { insertRow, rowMapper, type Row } from '../row.ts';
import { raw, sql } from '../statement.ts';
import { addStorage } from '../storage-usage.ts';
import { resourceLock } from './grants.ts';

const columns = 'id, kind, secret_hash, user_id, created_at, expires_at, document_id';
/**
 * Row of the table of public links. Despite its name, the column `document_id` contains the id of the linked object,
 * which can be of any kind.
 */
type LinkRow = Row<Omit<PublicLink, 'targetId'>> & { document_id: string };
const toLink = rowMapper<PublicLink>()('id, kind, secret_hash, user_id, created_at, expires_at', {
  targetId: (row: LinkRow) => row.document_id,
});

export class SqlPublicLinkStore implements PublicLinkStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async create(...[stamp, link, { quotaBytes }]: Parameters<PublicLinkStore['create']>): Promise<void> {
    const { targetId, ...rest } = link;
    const lock = resourceLock({ kind: link.kind, id: targetId });
    await this.#db.write(stamp, { target: targetId, lock }, async (tx) => {
      const over = await tx.all<{ user_id: string }>(sql`DELETE FROM public_link WHERE document_id = ${targetId}
        AND expires_at <= ${stamp.at} RETURNING user_id`);
      for (const { user_id: userId } of over) await addStorage(tx, userId, -publicLinkBytes, 0);
      const found = await tx.get<{ n: number }>(sql`SELECT COUNT(*) AS n FROM public_link
        WHERE document_id = ${targetId}`);
      const count = found?.n ?? 0;
      if (count >= maxPublicLinks) throw new PublicLinkRefused({ reason: 'too_many', count, limit: maxPublicLinks });
      await tx.execute(insertRow('public_link', columns, { ...rest, documentId: targetId }));
      const full = await addStorage(tx, link.userId, publicLinkBytes, quotaBytes);
      if (full) throw new QuotaExceeded({ reason: 'storage_full', field: 'link', bytes: publicLinkBytes, ...full });
    });
  }

  async bySecretHash(secretHash: string, now: number): Promise<PublicLink | undefined> {
    const row = await this.#db.get<LinkRow>(sql`SELECT ${raw(columns)} FROM public_link
      WHERE secret_hash = ${secretHash} AND (expires_at IS NULL OR expires_at > ${now})`);
    return row && toLink(row);
  }

  async list({ kind, id }: Resource, now: number): Promise<PublicLink[]> {
    const rows = await this.#db.all<LinkRow>(sql`SELECT ${raw(columns)} FROM public_link
      WHERE document_id = ${id} AND kind = ${kind} AND (expires_at IS NULL OR expires_at > ${now}) ORDER BY id`);
    return rows.map(toLink);
  }

  revoke(stamp: Stamp, of: Resource, id: string): Promise<boolean> {
    return this.#db.write(stamp, { target: of.id, lock: resourceLock(of) }, async (tx) => {
      const gone = await tx.get<{ user_id: string }>(sql`DELETE FROM public_link WHERE id = ${id}
        AND document_id = ${of.id} AND kind = ${of.kind} RETURNING user_id`);
      if (gone) await addStorage(tx, gone.user_id, -publicLinkBytes, 0);
      return gone !== undefined;
    });
  }
}

export async function deletePublicLinksOfUser(tx: Sql, userId: string): Promise<void> {
  const count = await tx.run(sql`DELETE FROM public_link WHERE user_id = ${userId}`);
  if (count > 0) await addStorage(tx, userId, -count * publicLinkBytes, 0);
}

/** Deletes the public links of an object that is deleted permanently. */
export async function deletePublicLinksOf(tx: Sql, kind: ResourceKind, id: string): Promise<void> {
  const gone = await tx.all<{ user_id: string }>(sql`DELETE FROM public_link WHERE document_id = ${id}
    AND kind = ${kind} RETURNING user_id`);
  for (const { user_id: userId } of gone) await addStorage(tx, userId, -publicLinkBytes, 0);
}
