import type { ApiKey, Role, User, UserState, WebSession } from '../../ports/account-store.ts';

export interface UserRow {
  id: string;
  name: string;
  role: string;
  state: string;
  quota_bytes: number | null;
  created_at: number;
  password_hash: string | null;
}

export interface KeyRow {
  id: string;
  user_id: string;
  client_id: string;
  name: string;
  modules: string;
  access: string;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
}

export interface SessionRow {
  id: string;
  user_id: string;
  identity_id: string;
  device: string;
  created_at: number;
  expires_at: number;
}

/** Columns of the user in a join with a table of the user's data. */
export interface JoinedUserRow {
  u_name: string;
  u_role: string;
  u_state: string;
  u_quota: number | null;
  u_created: number;
}

export const joinedUserColumns =
  'u.name AS u_name, u.role AS u_role, u.state AS u_state, u.quota_bytes AS u_quota, u.created_at AS u_created';

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    name: row.name,
    role: row.role as Role,
    state: row.state as UserState,
    quotaBytes: row.quota_bytes,
    createdAt: row.created_at,
  };
}

export function toJoinedUser(id: string, row: JoinedUserRow): User {
  return {
    id,
    name: row.u_name,
    role: row.u_role as Role,
    state: row.u_state as UserState,
    quotaBytes: row.u_quota,
    createdAt: row.u_created,
  };
}

export function toSession(row: SessionRow): WebSession {
  return {
    id: row.id,
    userId: row.user_id,
    identityId: row.identity_id,
    device: row.device,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

export function toKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    userId: row.user_id,
    clientId: row.client_id,
    name: row.name,
    modules: row.modules.split(','),
    access: row.access as ApiKey['access'],
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  };
}
