import type { Identity, IdentityStore } from '../../ports/identity-store.ts';
import type { Stamp } from '../../ports/audit-stamp.ts';
import { UniqueViolation, type Database, type Sql } from './database.ts';
import { insertRow, rowMapper, type Row } from './row.ts';
import { raw, sql } from './statement.ts';
import { deleteProviderMemberships } from './permissions/group-store.ts';

const columns = 'id, user_id, issuer, subject, name, refresh_sealed, created_at, checked_at';
const toIdentity = rowMapper<Identity>()(columns);
type IdentityRow = Row<Identity>;

const inUse = `(EXISTS (SELECT 1 FROM web_session s WHERE s.identity_id = i.id)
  OR EXISTS (SELECT 1 FROM oauth_grant g WHERE g.identity_id = i.id AND g.ended_at IS NULL))`;

export class SqlIdentityStore implements IdentityStore {
  readonly #db: Database;
  readonly #sessionsEnded: () => void;

  /** `sessionsEnded` is called after sessions were deleted, to invalidate caches of sessions. */
  constructor(db: Database, sessionsEnded: () => void) {
    this.#db = db;
    this.#sessionsEnded = sessionsEnded;
  }

  async identity(issuer: string, subject: string): Promise<Identity | undefined> {
    const row = await this.#db.get<IdentityRow>(sql`SELECT * FROM user_identity WHERE issuer = ${issuer}
      AND subject = ${subject}`);
    return row && toIdentity(row);
  }

  async identityById(id: string): Promise<Identity | undefined> {
    const row = await this.#db.get<IdentityRow>(sql`SELECT * FROM user_identity WHERE id = ${id}`);
    return row && toIdentity(row);
  }

  async addIdentity(stamp: Stamp, identity: Omit<Identity, 'createdAt' | 'checkedAt'>): Promise<boolean> {
    try {
      await this.#db.write(stamp, { target: identity.id }, (tx) =>
        tx.execute(insertRow('user_identity', columns, { ...identity, createdAt: stamp.at, checkedAt: stamp.at })),
      );
      return true;
    } catch (error) {
      if (error instanceof UniqueViolation) return false;
      throw error;
    }
  }

  async confirmIdentity(id: string, at: number, refreshSealed: string | null): Promise<void> {
    await this.#db.write(null, { isolation: 'repeatable read' }, (tx) =>
      tx.execute('UPDATE user_identity SET checked_at = ?, refresh_sealed = ? WHERE id = ?', at, refreshSealed, id),
    );
  }

  async listIdentities(userId: string): Promise<Identity[]> {
    const rows = await this.#db.all<IdentityRow>(sql`SELECT * FROM user_identity WHERE user_id = ${userId}
      ORDER BY created_at, id`);
    return rows.map(toIdentity);
  }

  async claimIdentity(id: string, before: number, at: number): Promise<boolean> {
    const claimed = this.#db.write(null, { lock: 'identities' }, (tx) =>
      tx.run(sql`UPDATE user_identity SET checked_at = ${at} WHERE id = ${id} AND checked_at <= ${before}`),
    );
    return (await claimed) > 0;
  }

  claimUnconfirmed(before: number, at: number, most: number): Promise<Identity[]> {
    return this.#db.write(null, { lock: 'identities' }, async (tx) => {
      const rows = await tx.all<IdentityRow>(sql`SELECT * FROM user_identity i WHERE i.checked_at < ${before}
        AND i.refresh_sealed IS NOT NULL AND ${raw(inUse)} ORDER BY i.checked_at, i.id LIMIT ${most}`);
      for (const { id } of rows) await tx.execute(sql`UPDATE user_identity SET checked_at = ${at} WHERE id = ${id}`);
      return rows.map(toIdentity);
    });
  }

  async endAccess(stamp: Stamp, id: string): Promise<void> {
    try {
      await this.#db.write(stamp, { target: id, changesAccess: true }, async (tx) => {
        await endAccess(tx, id, stamp.at);
        const identity = await tx.get<IdentityRow>(sql`SELECT * FROM user_identity WHERE id = ${id}`);
        if (identity) await deleteProviderMemberships(tx, identity.user_id, identity.issuer);
      });
    } finally {
      this.#sessionsEnded();
    }
  }

  async removeIdentity(stamp: Stamp, userId: string, id: string): Promise<boolean> {
    try {
      return await this.#db.write(stamp, { target: id, changesAccess: true }, async (tx) => {
        const removed = await tx.get<{ issuer: string }>(sql`DELETE FROM user_identity WHERE id = ${id}
          AND user_id = ${userId} RETURNING issuer`);
        if (!removed) return false;
        await endAccess(tx, id, stamp.at);
        await deleteProviderMemberships(tx, userId, removed.issuer);
        return true;
      });
    } finally {
      this.#sessionsEnded();
    }
  }
}

async function endAccess(tx: Sql, id: string, at: number): Promise<void> {
  await tx.execute(sql`DELETE FROM web_session WHERE identity_id = ${id}`);
  await tx.execute(sql`UPDATE oauth_grant SET ended_at = ${at} WHERE identity_id = ${id} AND ended_at IS NULL`);
}
