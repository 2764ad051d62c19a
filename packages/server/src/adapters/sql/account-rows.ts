import type { ApiKey, User, WebSession } from '../../ports/account-store.ts';
import { rowMapper, type Row } from './row.ts';

export type UserRow = Row<User> & { password_hash: string | null };
export type KeyRow = Row<ApiKey>;
export type SessionRow = Row<WebSession>;

/** Columns of the user table in a query that joins it with another table. */
export interface JoinedUserRow {
  u_name: string;
  u_role: User['role'];
  u_state: User['state'];
  u_quota: number | null;
  u_created: number;
}

export const joinedUserColumns =
  'u.name AS u_name, u.role AS u_role, u.state AS u_state, u.quota_bytes AS u_quota, u.created_at AS u_created';

export const userColumns = 'id, name, role, state, quota_bytes, created_at';
export const toUser = rowMapper<User>()(userColumns);

export function toJoinedUser(id: string, row: JoinedUserRow): User {
  const { u_name: name, u_role: role, u_state: state, u_quota: quotaBytes, u_created: createdAt } = row;
  return { id, name, role, state, quotaBytes, createdAt };
}

export const sessionColumns = 'id, user_id, identity_id, device, created_at, expires_at, is_by_link';
export const toSession = rowMapper<WebSession>()(sessionColumns, {
  isByLink: (row: SessionRow) => row.is_by_link === 1,
});

export const toKey = rowMapper<ApiKey>()(
  'id, user_id, client_id, name, access, created_at, expires_at, last_used_at, revoked_at',
  { modules: (row: KeyRow) => row.modules.split(',') },
);
