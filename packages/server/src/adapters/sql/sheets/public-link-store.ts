import { QuotaExceeded } from '../../../ports/blob-accounting.ts';
import {
  maxPublicLinks,
  publicLinkBytes,
  PublicLinkRefused,
  type PublicLink,
  type PublicLinkStore,
} from '../../../ports/public-link-store.ts';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import type { Database, Sql } from '../database.ts';
import { raw, sql } from '../statement.ts';
import { addStorage } from '../storage-usage.ts';

interface LinkRow {
  id: string;
  document_id: string;
  user_id: string;
  created_at: number;
  expires_at: number | null;
}

const columns = 'id, document_id, user_id, created_at, expires_at';

export class SqlPublicLinkStore implements PublicLinkStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async create(
    stamp: Stamp,
    link: PublicLink,
    secretHash: string,
    { quotaBytes }: { quotaBytes: number },
  ): Promise<void> {
    const body = async (tx: Sql): Promise<void> => {
      const over = await tx.all<{ user_id: string }>(sql`DELETE FROM public_link WHERE document_id = ${link.documentId}
        AND expires_at <= ${stamp.at} RETURNING user_id`);
      for (const { user_id: userId } of over) await addStorage(tx, userId, -publicLinkBytes, 0);
      const found = await tx.get<{ n: number }>(sql`SELECT COUNT(*) AS n FROM public_link
        WHERE document_id = ${link.documentId}`);
      const count = found?.n ?? 0;
      if (count >= maxPublicLinks) throw new PublicLinkRefused({ reason: 'too_many', count, limit: maxPublicLinks });
      await tx.execute(sql`INSERT INTO public_link (id, document_id, user_id, secret_hash, created_at, expires_at)
        VALUES (${link.id}, ${link.documentId}, ${link.userId}, ${secretHash}, ${link.createdAt}, ${link.expiresAt})`);
      const full = await addStorage(tx, link.userId, publicLinkBytes, quotaBytes);
      if (full) throw new QuotaExceeded({ reason: 'storage_full', field: 'link', bytes: publicLinkBytes, ...full });
    };
    await this.#db.write(stamp, body, { target: link.documentId, lock: `document:${link.documentId}` });
  }

  async bySecretHash(secretHash: string, now: number): Promise<PublicLink | undefined> {
    const row = await this.#db.get<LinkRow>(sql`SELECT ${raw(columns)} FROM public_link
      WHERE secret_hash = ${secretHash} AND (expires_at IS NULL OR expires_at > ${now})`);
    return row && toLink(row);
  }

  async list(documentId: string, now: number): Promise<PublicLink[]> {
    const rows = await this.#db.all<LinkRow>(sql`SELECT ${raw(columns)} FROM public_link
      WHERE document_id = ${documentId} AND (expires_at IS NULL OR expires_at > ${now}) ORDER BY id`);
    return rows.map(toLink);
  }

  revoke(stamp: Stamp, documentId: string, id: string): Promise<boolean> {
    const body = async (tx: Sql): Promise<boolean> => {
      const gone = await tx.get<{ user_id: string }>(sql`DELETE FROM public_link WHERE id = ${id}
        AND document_id = ${documentId} RETURNING user_id`);
      if (gone) await addStorage(tx, gone.user_id, -publicLinkBytes, 0);
      return gone !== undefined;
    };
    return this.#db.write(stamp, body, { target: documentId, lock: `document:${documentId}` });
  }
}

/** Deletes all public links of a deleted account. */
export async function deletePublicLinksOfUser(tx: Sql, userId: string): Promise<void> {
  const count = await tx.run(sql`DELETE FROM public_link WHERE user_id = ${userId}`);
  if (count > 0) await addStorage(tx, userId, -count * publicLinkBytes, 0);
}

/** Deletes all public links of a purged document. */
export async function deletePublicLinksOfDocument(tx: Sql, documentId: string): Promise<void> {
  const gone = await tx.all<{ user_id: string }>(sql`DELETE FROM public_link WHERE document_id = ${documentId}
    RETURNING user_id`);
  for (const { user_id: userId } of gone) await addStorage(tx, userId, -publicLinkBytes, 0);
}

function toLink(row: LinkRow): PublicLink {
  return {
    id: row.id,
    documentId: row.document_id,
    userId: row.user_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
