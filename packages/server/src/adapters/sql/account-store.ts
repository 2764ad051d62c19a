import type {
  AccountStore,
  ApiKey,
  AuditRow,
  MaybePromise,
  Role,
  User,
  UserState,
  WebSession,
} from '../../ports/account-store.ts';
import type { Stamp } from '../../ports/audit-stamp.ts';
import {
  toJoinedUser,
  toKey,
  toSession,
  toUser,
  joinedUserColumns,
  type KeyRow,
  type SessionRow,
  type JoinedUserRow,
  type UserRow,
} from './account-rows.ts';
import type { Database } from './database.ts';
import { insertRow, rowMapper, type Row } from './row.ts';
import { raw, sql } from './statement.ts';
import { endGrantsOf, deleteGrantsOf } from './oauth-store.ts';
import { AccessCache } from './access-cache.ts';
import { deleteTasksOf } from './task-store.ts';
import { deletePublicLinksOfUser } from './sheets/public-link-store.ts';
import { deleteWebhooksOf } from './webhooks/webhook-store.ts';

const keyColumns =
  'k.id, k.user_id, k.client_id, k.name, k.modules, k.access, k.created_at, k.expires_at, k.last_used_at, k.revoked_at';
const keyOfSecret = `SELECT ${keyColumns}, ${joinedUserColumns} FROM api_key k JOIN user_account u ON u.id = k.user_id WHERE k.secret_hash = ?`;
const sessionOfToken = `SELECT s.id, s.user_id, s.identity_id, s.device, s.created_at, s.expires_at, ${joinedUserColumns}
  FROM web_session s JOIN user_account u ON u.id = s.user_id WHERE s.token_hash = ?`;

const auditColumns = 'id, at, user_id, key_id, operation, target, request_id';
const toAuditRow = rowMapper<AuditRow>()(auditColumns);

/**
 * Caches users, keys and sessions. It is the only writer of its tables in a process, so it can invalidate the cache
 * itself.
 */
export class SqlAccountStore implements AccountStore {
  readonly #db: Database;
  readonly #users: AccessCache<User>;
  readonly #keys: AccessCache<{ key: ApiKey; user: User }>;
  readonly #sessions: AccessCache<{ session: WebSession; user: User }>;

  constructor(db: Database) {
    this.#db = db;
    this.#users = new AccessCache(db);
    this.#keys = new AccessCache(db);
    this.#sessions = new AccessCache(db);
  }

  /** Runs a write that may revoke access or change a user, and then invalidates the cache. */
  async #invalidatingCache<Result>(write: Promise<Result>): Promise<Result> {
    try {
      return await write;
    } finally {
      this.invalidateCache();
    }
  }

  /** Invalidates the cache; also called by another store of this process that ended sessions. */
  invalidateCache(): void {
    this.#users.invalidate();
    this.#keys.invalidate();
    this.#sessions.invalidate();
  }

  async createUser(
    stamp: Stamp,
    user: { id: string; name: string; role: Role; passwordHash: string | null },
  ): Promise<User> {
    await this.#db.write(
      stamp,
      (tx) =>
        tx.run(sql`INSERT INTO user_account (id, name, role, state, password_hash, quota_bytes, created_at)
          VALUES (${user.id}, ${user.name}, ${user.role}, 'active', ${user.passwordHash}, NULL, ${stamp.at})`),
      { target: user.id },
    );
    return { id: user.id, name: user.name, role: user.role, state: 'active', quotaBytes: null, createdAt: stamp.at };
  }

  async user(id: string): Promise<User | undefined> {
    return this.#users.find(id, async () => {
      const row = await this.#db.get<UserRow>(sql`SELECT * FROM user_account WHERE id = ${id}`);
      return row && toUser(row);
    });
  }

  async userByName(name: string): Promise<(User & { passwordHash: string | null }) | undefined> {
    const row = await this.#db.get<UserRow>(sql`SELECT * FROM user_account WHERE name = ${name}`);
    return row && { ...toUser(row), passwordHash: row.password_hash };
  }

  async listUsers(): Promise<User[]> {
    return (await this.#db.all<UserRow>('SELECT * FROM user_account ORDER BY created_at, id')).map(toUser);
  }

  async setUserState(stamp: Stamp, id: string, state: UserState): Promise<boolean> {
    const write = this.#db.write(
      stamp,
      async (tx) => {
        // A deleted account frees its name; its id remains, so that its content keeps an author.
        if (state === 'deleted') {
          await tx.execute(sql`DELETE FROM web_session WHERE user_id = ${id}`);
          await tx.execute(sql`DELETE FROM sign_in_token WHERE user_id = ${id}`);
          await deleteGrantsOf(tx, id);
          await deleteWebhooksOf(tx, id);
          await deleteTasksOf(tx, id);
          await deletePublicLinksOfUser(tx, id);
          await tx.execute(sql`DELETE FROM user_identity WHERE user_id = ${id}`);
          await tx.execute('UPDATE api_key SET revoked_at = ? WHERE user_id = ? AND revoked_at IS NULL', stamp.at, id);
          return tx.run(sql`UPDATE user_account SET state = 'deleted', name = name || '#' || id, password_hash = NULL
            WHERE id = ${id} AND state <> 'deleted'`);
        }
        return tx.run(sql`UPDATE user_account SET state = ${state} WHERE id = ${id} AND state <> 'deleted'`);
      },
      { target: id, changesAccess: true },
    );
    return (await this.#invalidatingCache(write)) > 0;
  }

  async setPassword(stamp: Stamp, id: string, passwordHash: string, keptSession: string): Promise<boolean> {
    const write = this.#db.write(
      stamp,
      async (tx) => {
        await tx.execute(sql`DELETE FROM web_session WHERE user_id = ${id} AND id <> ${keptSession}`);
        await endGrantsOf(tx, id, stamp.at);
        return tx.run(sql`UPDATE user_account SET password_hash = ${passwordHash} WHERE id = ${id}`);
      },
      { target: id, changesAccess: true },
    );
    return (await this.#invalidatingCache(write)) > 0;
  }

  async ownerExists(): Promise<boolean> {
    return (await this.#db.get("SELECT 1 AS found FROM user_account WHERE role = 'owner' LIMIT 1")) !== undefined;
  }

  async createKey(
    stamp: Stamp,
    key: Omit<ApiKey, 'createdAt' | 'lastUsedAt' | 'revokedAt'>,
    secretHash: string,
  ): Promise<ApiKey> {
    await this.#db.write(
      stamp,
      (tx) =>
        tx.execute(sql`INSERT INTO api_key (id, user_id, client_id, secret_hash, name, modules, access, created_at,
          expires_at) VALUES (${key.id}, ${key.userId}, ${key.clientId}, ${secretHash}, ${key.name},
          ${key.modules.join(',')}, ${key.access}, ${stamp.at}, ${key.expiresAt})`),
      { target: key.id },
    );
    // The fields are listed because a spread of seven fields takes longer than the insert's own JavaScript.
    const { id, userId, clientId, name, modules, access, expiresAt } = key;
    return {
      id,
      userId,
      clientId,
      name,
      modules,
      access,
      expiresAt,
      createdAt: stamp.at,
      lastUsedAt: null,
      revokedAt: null,
    };
  }

  keyBySecretHash(secretHash: string): MaybePromise<{ key: ApiKey; user: User } | undefined> {
    return this.#keys.find(secretHash, async () => {
      const row = await this.#db.get<KeyRow & JoinedUserRow>(keyOfSecret, secretHash);
      return row && { key: toKey(row), user: toJoinedUser(row.user_id, row) };
    });
  }

  async listKeys(userId: string): Promise<ApiKey[]> {
    return (
      await this.#db.all<KeyRow>(sql`SELECT ${raw(keyColumns)} FROM api_key k WHERE k.user_id = ${userId}
        ORDER BY k.created_at, k.id`)
    ).map(toKey);
  }

  async revokeKey(stamp: Stamp, userId: string, keyId: string): Promise<boolean> {
    const write = this.#db.write(
      stamp,
      async (tx) =>
        (await tx.run(sql`UPDATE api_key SET revoked_at = ${stamp.at} WHERE id = ${keyId} AND user_id = ${userId}
          AND revoked_at IS NULL`)) > 0,
      { target: keyId, changesAccess: true },
    );
    return this.#invalidatingCache(write);
  }

  async touchKeys(used: ReadonlyMap<string, number>): Promise<void> {
    if (used.size === 0) return;
    await this.#db.write(
      null,
      async (tx) => {
        // The same order on all nodes prevents deadlocks.
        const inOrder = [...used].sort(([a], [b]) => (a < b ? -1 : 1));
        for (const [id, at] of inOrder) await tx.execute(sql`UPDATE api_key SET last_used_at = ${at} WHERE id = ${id}`);
      },
      { blind: true },
    );
  }

  async createSession(stamp: Stamp, session: WebSession, tokenHash: string): Promise<void> {
    await this.#db.write(
      stamp,
      (tx) =>
        tx.run(sql`INSERT INTO web_session (id, user_id, identity_id, device, token_hash, created_at, expires_at)
          VALUES (${session.id}, ${session.userId}, ${session.identityId}, ${session.device}, ${tokenHash},
          ${session.createdAt}, ${session.expiresAt})`),
      { target: session.id },
    );
  }

  sessionByTokenHash(tokenHash: string): MaybePromise<{ session: WebSession; user: User } | undefined> {
    return this.#sessions.find(tokenHash, async () => {
      const row = await this.#db.get<SessionRow & JoinedUserRow>(sessionOfToken, tokenHash);
      return row && { session: toSession(row), user: toJoinedUser(row.user_id, row) };
    });
  }

  async listSessions(userId: string): Promise<WebSession[]> {
    const rows = await this.#db.all<SessionRow>(sql`SELECT id, user_id, identity_id, device, created_at, expires_at
      FROM web_session WHERE user_id = ${userId} ORDER BY created_at, id`);
    return rows.map(toSession);
  }

  async deleteSession(stamp: Stamp, userId: string, sessionId: string): Promise<boolean> {
    const write = this.#db.write(
      stamp,
      async (tx) => (await tx.run(sql`DELETE FROM web_session WHERE id = ${sessionId} AND user_id = ${userId}`)) > 0,
      { target: sessionId, changesAccess: true },
    );
    return this.#invalidatingCache(write);
  }

  async createSignInToken(stamp: Stamp, userId: string, tokenHash: string, expiresAt: number): Promise<void> {
    await this.#db.write(
      stamp,
      (tx) =>
        tx.run(sql`INSERT INTO sign_in_token (token_hash, user_id, expires_at)
          VALUES (${tokenHash}, ${userId}, ${expiresAt})`),
      { target: userId },
    );
  }

  async signInTokenUser(tokenHash: string, at: number): Promise<string | undefined> {
    const row = await this.#db.get<{ user_id: string }>(sql`SELECT user_id FROM sign_in_token
      WHERE token_hash = ${tokenHash} AND expires_at > ${at}`);
    return row?.user_id;
  }

  async takeSignInToken(stamp: Stamp, tokenHash: string): Promise<string | undefined> {
    const taken = await this.#db.write(
      stamp,
      async (tx) => {
        const row = await tx.get<{ user_id: string; expires_at: number }>(sql`SELECT user_id, expires_at
          FROM sign_in_token WHERE token_hash = ${tokenHash}`);
        if (row) await tx.execute(sql`DELETE FROM sign_in_token WHERE token_hash = ${tokenHash}`);
        return row;
      },
      { target: (row) => row?.user_id ?? '' },
    );
    return taken && taken.expires_at > stamp.at ? taken.user_id : undefined;
  }

  async listAudit(filter: {
    userId?: string;
    operation?: string;
    before?: number;
    limit: number;
  }): Promise<AuditRow[]> {
    const userId = filter.userId === '' ? undefined : filter.userId;
    const operation = filter.operation === '' ? undefined : filter.operation;
    // Separate statements, because one that depends on its parameters could not use the index on the user.
    const ofUser = userId === undefined ? '' : ' AND user_id = ?';
    const ofOperation = operation === undefined ? '' : ' AND operation = ?';
    const rows = await this.#db.all<Row<AuditRow>>(
      `SELECT ${auditColumns} FROM audit
       WHERE id < ?${ofUser}${ofOperation} ORDER BY id DESC LIMIT ?`,
      filter.before ?? Number.MAX_SAFE_INTEGER,
      ...(userId === undefined ? [] : [userId]),
      ...(operation === undefined ? [] : [operation]),
      filter.limit,
    );
    return rows.map(toAuditRow);
  }
}
