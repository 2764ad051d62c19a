import type {
  AccountStore,
  ApiKey,
  AuditRow,
  MaybePromise,
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
  sessionColumns,
  userColumns,
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
import { deleteInboxOfUser } from './inbox/notices.ts';
import { deleteTasksOf } from './task-store.ts';
import { deleteSharesOfUser } from './permissions/group-store.ts';
import { deleteBaseMembershipsOf } from './wiki/base-members.ts';
import { deletePublicLinksOfUser } from './permissions/public-link-store.ts';
import { deleteMemoriesOf } from './memory-store.ts';
import { deleteWebhooksOf } from './webhooks/webhook-store.ts';

const keyColumns =
  'k.id, k.user_id, k.client_id, k.name, k.modules, k.access, k.created_at, k.expires_at, k.last_used_at, k.revoked_at';
const keyOfSecret = `SELECT ${keyColumns}, ${joinedUserColumns} FROM api_key k JOIN user_account u ON u.id = k.user_id WHERE k.secret_hash = ?`;
const sessionOfToken = `SELECT s.id, s.user_id, s.identity_id, s.device, s.created_at, s.expires_at,
  s.is_by_link, ${joinedUserColumns}
  FROM web_session s JOIN user_account u ON u.id = s.user_id WHERE s.token_hash = ?`;

interface SignInToken {
  user_id: string;
  expires_at: number;
}

const auditColumns = 'id, at, user_id, key_id, operation, target, request_id, reason';
/**
 * SQL conditions on the audit column `key_id`. Writes on the web page have a session id there. Writes of the command
 * line and of background jobs have an empty id. All other writes were made through API keys and apps.
 */
const writtenBy = {
  people: raw(" AND (key_id = '' OR substr(key_id, 1, 8) = 'session_')"),
  apps: raw(" AND key_id <> '' AND substr(key_id, 1, 8) <> 'session_'"),
};
const toAuditRow = rowMapper<AuditRow>()(auditColumns);

/**
 * Stores users, keys and sessions, with a cache. After its own writes, the store clears the cache itself. Other code of
 * this process that writes these tables must call `invalidateCache`.
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

  /** Awaits a write that may revoke access or change a user. Then invalidates the cache, even if the write failed. */
  async #invalidatingCache<Result>(write: Promise<Result>): Promise<Result> {
    try {
      return await write;
    } finally {
      this.invalidateCache();
    }
  }

  /**
   * Clears the cached users, keys and sessions. Also called by the store of sign-in identities (accounts at external
   * providers) when it deletes sessions.
   */
  invalidateCache(): void {
    this.#users.invalidate();
    this.#keys.invalidate();
    this.#sessions.invalidate();
  }

  async createUser(...[stamp, user]: Parameters<AccountStore['createUser']>): Promise<User> {
    const { id, name, role, passwordHash } = user;
    const added: User = { id, name, role, state: 'active', quotaBytes: null, createdAt: stamp.at };
    const insert = insertRow('user_account', `${userColumns}, password_hash`, { ...added, passwordHash });
    await this.#db.write(stamp, { target: id }, (tx) => tx.run(insert));
    return added;
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
    const write = this.#db.write(stamp, { target: id, changesAccess: true }, async (tx) => {
      // Delete everything that belongs to the account. The user's row remains under a changed name, so that the user's
      // content keeps an author and the old name is free.
      if (state === 'deleted') {
        await tx.execute(sql`DELETE FROM web_session WHERE user_id = ${id}`);
        await tx.execute(sql`DELETE FROM sign_in_token WHERE user_id = ${id}`);
        await deleteGrantsOf(tx, id);
        await deleteWebhooksOf(tx, id);
        await deleteTasksOf(tx, id);
        await deleteMemoriesOf(tx, id);
        await deletePublicLinksOfUser(tx, id);
        await deleteSharesOfUser(tx, id);
        await deleteInboxOfUser(tx, id);
        await deleteBaseMembershipsOf(tx, id);
        await tx.execute(sql`DELETE FROM document_member WHERE user_id = ${id}`);
        await tx.execute(sql`DELETE FROM user_identity WHERE user_id = ${id}`);
        await tx.execute(sql`DELETE FROM user_profile WHERE user_id = ${id}`);
        await tx.execute('UPDATE api_key SET revoked_at = ? WHERE user_id = ? AND revoked_at IS NULL', stamp.at, id);
        return tx.run(sql`UPDATE user_account SET state = 'deleted', name = name || '#' || id, password_hash = NULL
          WHERE id = ${id} AND state <> 'deleted'`);
      }
      if (state === 'suspended') {
        // Delete the sessions and tokens of a suspended user. Otherwise tokens in somebody else's possession would
        // become valid again when the suspension ends.
        await tx.execute(sql`DELETE FROM web_session WHERE user_id = ${id}`);
        await tx.execute(sql`DELETE FROM sign_in_token WHERE user_id = ${id}`);
        await endGrantsOf(tx, id, stamp.at);
      }
      return tx.run(sql`UPDATE user_account SET state = ${state} WHERE id = ${id} AND state <> 'deleted'`);
    });
    return (await this.#invalidatingCache(write)) > 0;
  }

  async changeUser(...[stamp, id, { role, quotaBytes }]: Parameters<AccountStore['changeUser']>): Promise<boolean> {
    const write = this.#db.write(stamp, { target: id, changesAccess: true, lock: 'owners' }, async (tx) => {
      if (role === 'member') {
        const other = await tx.get(sql`SELECT 1 AS found FROM user_account
          WHERE role = 'owner' AND state = 'active' AND id <> ${id} LIMIT 1`);
        if (!other) return 0;
      }
      if (quotaBytes !== undefined)
        await tx.execute(sql`UPDATE user_account SET quota_bytes = ${quotaBytes} WHERE id = ${id}`);
      return role === undefined
        ? 1
        : tx.run(sql`UPDATE user_account SET role = ${role} WHERE id = ${id} AND state <> 'deleted'`);
    });
    return (await this.#invalidatingCache(write)) > 0;
  }

  async setPassword(stamp: Stamp, id: string, passwordHash: string, keptSession: string): Promise<boolean> {
    const write = this.#db.write(stamp, { target: id, changesAccess: true }, async (tx) => {
      await tx.execute(sql`DELETE FROM web_session WHERE user_id = ${id} AND id <> ${keptSession}`);
      await endGrantsOf(tx, id, stamp.at);
      return tx.run(sql`UPDATE user_account SET password_hash = ${passwordHash} WHERE id = ${id}`);
    });
    return (await this.#invalidatingCache(write)) > 0;
  }

  async ownerExists(): Promise<boolean> {
    return (await this.#db.get("SELECT 1 AS found FROM user_account WHERE role = 'owner' LIMIT 1")) !== undefined;
  }

  async createKey(...[stamp, key, secretHash]: Parameters<AccountStore['createKey']>): Promise<ApiKey> {
    await this.#db.write(stamp, { target: key.id }, (tx) =>
      tx.execute(sql`INSERT INTO api_key (id, user_id, client_id, secret_hash, name, modules, access, created_at,
        expires_at) VALUES (${key.id}, ${key.userId}, ${key.clientId}, ${secretHash}, ${key.name},
        ${key.modules.join(',')}, ${key.access}, ${stamp.at}, ${key.expiresAt})`),
    );
    // List the fields one by one. Spreading the object would take longer than all other code of the insert.
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
    const rows = await this.#db.all<KeyRow>(sql`SELECT ${raw(keyColumns)} FROM api_key k WHERE k.user_id = ${userId}
      ORDER BY k.created_at, k.id`);
    return rows.map(toKey);
  }

  async revokeKey(stamp: Stamp, userId: string, keyId: string): Promise<boolean> {
    const write = this.#db.write(stamp, { target: keyId, changesAccess: true }, (tx) =>
      tx.run(sql`UPDATE api_key SET revoked_at = ${stamp.at} WHERE id = ${keyId} AND user_id = ${userId}
        AND revoked_at IS NULL`),
    );
    return (await this.#invalidatingCache(write)) > 0;
  }

  async touchKeys(used: ReadonlyMap<string, number>): Promise<void> {
    if (used.size === 0) return;
    await this.#db.write(null, { isolation: 'repeatable read' }, async (tx) => {
      // Update the keys in order of their ids. The same order on all nodes prevents deadlocks.
      const inOrder = [...used].sort(([a], [b]) => (a < b ? -1 : 1));
      for (const [id, at] of inOrder) await tx.execute(sql`UPDATE api_key SET last_used_at = ${at} WHERE id = ${id}`);
    });
  }

  async createSession(stamp: Stamp, session: WebSession, tokenHash: string): Promise<void> {
    const row = { ...session, isByLink: session.isByLink ? 1 : 0, tokenHash };
    const insert = insertRow('web_session', `${sessionColumns}, token_hash`, row);
    await this.#db.write(stamp, { target: session.id }, (tx) => tx.run(insert));
  }

  sessionByTokenHash(tokenHash: string): MaybePromise<{ session: WebSession; user: User } | undefined> {
    return this.#sessions.find(tokenHash, async () => {
      const row = await this.#db.get<SessionRow & JoinedUserRow>(sessionOfToken, tokenHash);
      return row && { session: toSession(row), user: toJoinedUser(row.user_id, row) };
    });
  }

  async listSessions(userId: string): Promise<WebSession[]> {
    const rows = await this.#db.all<SessionRow>(sql`SELECT ${raw(sessionColumns)} FROM web_session
      WHERE user_id = ${userId} ORDER BY created_at, id`);
    return rows.map(toSession);
  }

  async deleteSession(stamp: Stamp, userId: string, sessionId: string): Promise<boolean> {
    const write = this.#db.write(stamp, { target: sessionId, changesAccess: true }, (tx) =>
      tx.run(sql`DELETE FROM web_session WHERE id = ${sessionId} AND user_id = ${userId}`),
    );
    return (await this.#invalidatingCache(write)) > 0;
  }

  async createSignInToken(stamp: Stamp, userId: string, tokenHash: string, expiresAt: number): Promise<void> {
    const insert = insertRow('sign_in_token', 'token_hash, user_id, expires_at', { tokenHash, userId, expiresAt });
    await this.#db.write(stamp, { target: userId }, (tx) => tx.run(insert));
  }

  async signInTokenUser(tokenHash: string, at: number): Promise<string | undefined> {
    const row = await this.#db.get<{ user_id: string }>(sql`SELECT user_id FROM sign_in_token
      WHERE token_hash = ${tokenHash} AND expires_at > ${at}`);
    return row?.user_id;
  }

  async takeSignInToken(stamp: Stamp, tokenHash: string): Promise<string | undefined> {
    const taken = await this.#db.write(
      stamp,
      { target: (row: SignInToken | undefined) => row?.user_id ?? '' },
      async (tx) => {
        const row = await tx.get<SignInToken>(sql`SELECT * FROM sign_in_token WHERE token_hash = ${tokenHash}`);
        if (row) await tx.execute(sql`DELETE FROM sign_in_token WHERE token_hash = ${tokenHash}`);
        return row;
      },
    );
    return taken && taken.expires_at > stamp.at ? taken.user_id : undefined;
  }

  async listAudit(...[filter]: Parameters<AccountStore['listAudit']>): Promise<AuditRow[]> {
    const userId = filter.userId === '' ? undefined : filter.userId;
    const operation = filter.operation === '' ? undefined : filter.operation;
    // Build a separate statement for each filter. A single statement with optional conditions could not use the index
    // on the user.
    const ofUser = userId === undefined ? raw('') : sql` AND user_id = ${userId}`;
    const ofOperation = operation === undefined ? raw('') : sql` AND operation = ${operation}`;
    // Operation names start with the module's name and a dot. The slash is the next character after the dot, so the
    // range contains exactly the names with this prefix.
    const ofModule = filter.module
      ? sql` AND operation >= ${`${filter.module}.`} AND operation < ${`${filter.module}/`}`
      : raw('');
    const by = filter.by === undefined ? raw('') : writtenBy[filter.by];
    const since = filter.since === undefined ? raw('') : sql` AND at >= ${filter.since}`;
    const rows = await this.#db.all<Row<AuditRow>>(sql`SELECT ${raw(auditColumns)} FROM audit
      WHERE id < ${filter.before ?? Number.MAX_SAFE_INTEGER}${ofUser}${ofOperation}${ofModule}${by}${since} ORDER BY id DESC
      LIMIT ${filter.limit}`);
    return rows.map(toAuditRow);
  }
}
