import type {
  AppClient,
  AppCode,
  AppGrant,
  AppToken,
  NewTokens,
  OAuthStore,
  RedemptionResult,
} from '../../ports/oauth-store.ts';
import type { Stamp } from '../../ports/audit-stamp.ts';
import { toJoinedUser, joinedUserColumns, type JoinedUserRow } from './account-rows.ts';
import type { Database, Sql } from './database.ts';
import { insertRow, rowMapper, type Row } from './row.ts';
import { sql, type Statement } from './statement.ts';

const clientColumns = 'id, kind, name, redirect_uris, checked_at';
const toClient = rowMapper<AppClient>()('id, kind, name, checked_at', {
  redirectUris: (row: Row<AppClient>) => JSON.parse(row.redirect_uris) as string[],
});

type GrantRow = Row<AppGrant>;

const toGrant = rowMapper<AppGrant>()(
  'id, user_id, client_id, client_name, client_host, resource, identity_id, created_at, last_used_at, ended_at',
  { scopes: (row: GrantRow) => wordsOf(row.scopes) },
);

interface CodeRow extends GrantRow, JoinedUserRow {
  redirect_uri: string;
  challenge: string;
  expires_at: number;
}

interface TokenRow extends GrantRow, JoinedUserRow {
  token_scopes: string;
  expires_at: number;
}

const grantColumns =
  'g.id, g.user_id, g.client_id, g.client_name, g.client_host, g.scopes, g.resource, g.identity_id, g.created_at, ' +
  'g.last_used_at, g.ended_at';
const ofGrant = 'JOIN oauth_grant g ON g.id = t.grant_id JOIN user_account u ON u.id = g.user_id';
const codeByHash = `SELECT t.redirect_uri, t.challenge, t.expires_at, ${grantColumns}, ${joinedUserColumns}
  FROM oauth_code t ${ofGrant} WHERE t.code_hash = ?`;
const tokenByHash = `SELECT t.scopes AS token_scopes, t.expires_at, ${grantColumns}, ${joinedUserColumns}
  FROM oauth_token t ${ofGrant} WHERE t.token_hash = ? AND t.kind = ?`;
const insertToken = 'INSERT INTO oauth_token (token_hash, grant_id, kind, scopes, expires_at) VALUES (?, ?, ?, ?, ?)';
/**
 * SQL condition for active connections of apps: not ended, and with an access or refresh token that can still be used.
 * `?` is the current time.
 */
const connected = `g.ended_at IS NULL AND EXISTS
  (SELECT 1 FROM oauth_token t WHERE t.grant_id = g.id AND t.expires_at > ? AND t.used_at IS NULL)`;

const newGrantColumns = 'id, user_id, client_id, client_name, client_host, scopes, resource, identity_id, created_at';

function insertClient(client: AppClient): Statement {
  return insertRow('oauth_client', clientColumns, { ...client, redirectUris: JSON.stringify(client.redirectUris) });
}

/**
 * Stores OAuth clients, connections and tokens. Tokens are not cached but read at every request, so that every node
 * refuses a revoked token at once.
 */
export class SqlOAuthStore implements OAuthStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  addClient(client: AppClient, most: number): Promise<boolean> {
    return this.#db.write(null, { lock: 'oauth clients' }, async (tx) => {
      const unused = await tx.get<{ count: number }>(
        `SELECT COUNT(*) AS count FROM oauth_client c WHERE c.kind = 'registered'
             AND NOT EXISTS (SELECT 1 FROM oauth_grant g WHERE g.client_id = c.id)`,
      );
      if (Number(unused?.count ?? 0) >= most) return false;
      await tx.execute(insertClient(client));
      return true;
    });
  }

  async putClientMetadata(client: AppClient): Promise<void> {
    await this.#db.write(null, { isolation: 'repeatable read' }, (tx) =>
      tx.execute(sql`${insertClient(client)} ON CONFLICT (id)
        DO UPDATE SET name = excluded.name, redirect_uris = excluded.redirect_uris, checked_at = excluded.checked_at`),
    );
  }

  async client(id: string): Promise<AppClient | undefined> {
    const row = await this.#db.get<Row<AppClient>>(sql`SELECT * FROM oauth_client WHERE id = ${id}`);
    return row && toClient(row);
  }

  async addGrant(...[stamp, grant, code, most]: Parameters<OAuthStore['addGrant']>): Promise<void> {
    await this.#db.write(stamp, { target: grant.id, lock: `oauth user ${grant.userId}` }, async (tx) => {
      const older = await tx.all<{ id: string }>(sql`SELECT id FROM oauth_grant WHERE user_id = ${grant.userId}
        AND client_id = ${grant.clientId} AND ended_at IS NULL ORDER BY created_at DESC, id DESC`);
      for (const { id } of older.slice(most - 1)) await endGrant(tx, id, stamp.at);
      const row = { ...grant, scopes: grant.scopes.join(' '), createdAt: stamp.at };
      await tx.execute(insertRow('oauth_grant', newGrantColumns, row));
      await tx.execute(sql`INSERT INTO oauth_code (code_hash, grant_id, redirect_uri, challenge, expires_at)
        VALUES (${code.hash}, ${grant.id}, ${code.redirectUri}, ${code.challenge}, ${code.expiresAt})`);
    });
  }

  async code(hash: string): Promise<AppCode | undefined> {
    const row = await this.#db.get<CodeRow>(codeByHash, hash);
    return (
      row && {
        grant: toGrant(row),
        user: toJoinedUser(row.user_id, row),
        redirectUri: row.redirect_uri,
        challenge: row.challenge,
        expiresAt: row.expires_at,
      }
    );
  }

  redeemCode(stamp: Stamp, hash: string, grantId: string, tokens: NewTokens): Promise<RedemptionResult> {
    return this.#useUp(
      stamp,
      grantId,
      tokens,
      (tx) => tx.get<{ used_at: number | null }>(sql`SELECT used_at FROM oauth_code WHERE code_hash = ${hash}`),
      (tx) => tx.execute(sql`UPDATE oauth_code SET used_at = ${stamp.at} WHERE code_hash = ${hash}`),
    );
  }

  rotate(stamp: Stamp, hash: string, grantId: string, tokens: NewTokens): Promise<RedemptionResult> {
    return this.#useUp(
      stamp,
      grantId,
      tokens,
      (tx) => tx.get<{ used_at: number | null }>(sql`SELECT used_at FROM oauth_token WHERE token_hash = ${hash}`),
      async (tx) => {
        await tx.execute(sql`UPDATE oauth_token SET used_at = ${stamp.at} WHERE token_hash = ${hash}`);
        // Delete the earlier access tokens, because a refresh revokes them.
        await tx.execute(sql`DELETE FROM oauth_token WHERE grant_id = ${grantId} AND kind = 'access'`);
      },
    );
  }

  /**
   * Marks a code or refresh token as used and issues new tokens. A second use ends the app's connection, because the
   * code or token may have been stolen.
   */
  #useUp(
    stamp: Stamp,
    grantId: string,
    tokens: NewTokens,
    find: (tx: Sql) => Promise<{ used_at: number | null } | undefined>,
    markUsed: (tx: Sql) => Promise<void>,
  ): Promise<RedemptionResult> {
    return this.#db.write(
      stamp,
      { target: grantId, lock: grantLock(grantId) },
      async (tx): Promise<RedemptionResult> => {
        const row = await find(tx);
        if (!row) return 'unknown';
        if (row.used_at !== null) {
          await endGrant(tx, grantId, stamp.at);
          return 'again';
        }
        await markUsed(tx);
        const { accessHash, accessExpiresAt, refreshHash, refreshExpiresAt, scopes } = tokens;
        await tx.execute(insertToken, accessHash, grantId, 'access', scopes.join(' '), accessExpiresAt);
        await tx.execute(insertToken, refreshHash, grantId, 'refresh', '', refreshExpiresAt);
        return 'now';
      },
    );
  }

  accessToken(hash: string): Promise<AppToken | undefined> {
    return this.#token(hash, 'access');
  }

  refreshToken(hash: string): Promise<AppToken | undefined> {
    return this.#token(hash, 'refresh');
  }

  async #token(hash: string, kind: 'access' | 'refresh'): Promise<AppToken | undefined> {
    const row = await this.#db.get<TokenRow>(tokenByHash, hash, kind);
    return (
      row && {
        grant: toGrant(row),
        user: toJoinedUser(row.user_id, row),
        scopes: wordsOf(row.token_scopes),
        expiresAt: row.expires_at,
      }
    );
  }

  async revokeAccessToken(stamp: Stamp, hash: string): Promise<boolean> {
    const write = this.#db.write(
      stamp,
      {
        target: stamp.keyId,
      },
      (tx) => tx.run(sql`DELETE FROM oauth_token WHERE token_hash = ${hash}`),
    );
    return (await write) > 0;
  }

  async listGrants(userId: string, at: number): Promise<AppGrant[]> {
    const rows = await this.#db.all<GrantRow>(
      `SELECT ${grantColumns} FROM oauth_grant g WHERE g.user_id = ? AND ${connected} ORDER BY g.created_at, g.id`,
      userId,
      at,
    );
    return rows.map(toGrant);
  }

  endGrant(stamp: Stamp, userId: string, grantId: string): Promise<boolean> {
    return this.#db.write(stamp, { target: grantId, lock: grantLock(grantId) }, async (tx) => {
      const found = await tx.get<{ id: string }>(sql`SELECT id FROM oauth_grant WHERE id = ${grantId}
        AND user_id = ${userId} AND ended_at IS NULL`);
      if (found) await endGrant(tx, grantId, stamp.at);
      return found !== undefined;
    });
  }

  async touchGrants(used: ReadonlyMap<string, number>): Promise<void> {
    if (used.size === 0) return;
    await this.#db.write(null, { isolation: 'repeatable read' }, async (tx) => {
      // Update the rows in order of their ids, because the same order on all nodes prevents deadlocks.
      for (const [id, at] of [...used].sort(([a], [b]) => (a < b ? -1 : 1)))
        await tx.execute(sql`UPDATE oauth_grant SET last_used_at = ${at} WHERE id = ${id}`);
    });
  }

  async deleteExpired(time: number): Promise<void> {
    await this.#db.write(null, async (tx) => {
      await tx.execute(sql`DELETE FROM oauth_token WHERE expires_at < ${time}`);
      await tx.execute(sql`DELETE FROM oauth_code WHERE expires_at < ${time}`);
      await tx.execute(sql`DELETE FROM oauth_grant WHERE created_at < ${time} AND NOT EXISTS (SELECT 1
        FROM oauth_token t WHERE t.grant_id = oauth_grant.id)`);
      await tx.execute(sql`DELETE FROM oauth_client WHERE checked_at < ${time} AND NOT EXISTS (SELECT 1
        FROM oauth_grant g WHERE g.client_id = oauth_client.id)`);
    });
  }
}

function grantLock(grantId: string): string {
  return `oauth grant ${grantId}`;
}

async function endGrant(tx: Sql, grantId: string, at: number): Promise<void> {
  await tx.execute(sql`UPDATE oauth_grant SET ended_at = ${at} WHERE id = ${grantId}`);
  await tx.execute(sql`DELETE FROM oauth_token WHERE grant_id = ${grantId}`);
}

/** Disconnects all apps of a user, in the caller's transaction. */
export async function endGrantsOf(tx: Sql, userId: string, at: number): Promise<void> {
  await tx.execute('DELETE FROM oauth_token WHERE grant_id IN (SELECT id FROM oauth_grant WHERE user_id = ?)', userId);
  await tx.execute(sql`UPDATE oauth_grant SET ended_at = ${at} WHERE user_id = ${userId} AND ended_at IS NULL`);
}

/** Deletes all app connections of a deleted user. Only the audit log still contains them. */
export async function deleteGrantsOf(tx: Sql, userId: string): Promise<void> {
  await tx.execute('DELETE FROM oauth_token WHERE grant_id IN (SELECT id FROM oauth_grant WHERE user_id = ?)', userId);
  await tx.execute('DELETE FROM oauth_code WHERE grant_id IN (SELECT id FROM oauth_grant WHERE user_id = ?)', userId);
  await tx.execute(sql`DELETE FROM oauth_grant WHERE user_id = ${userId}`);
}

function wordsOf(text: string): string[] {
  return text === '' ? [] : text.split(' ');
}
