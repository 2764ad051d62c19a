import { z } from 'zod';
import { integer, list, oneOf, text } from '../../kernel/field-schemas.ts';
import type { ApiKey, User } from '../../ports/account-store.ts';

export const userInfo = z.object({
  user_id: text("The user's id."),
  name: text('Sign-in name.'),
  role: oneOf('Role: "owner" administers the installation, "member" works in it.', ['owner', 'member']),
  state: oneOf('Account status; only active users can sign in or call.', ['active', 'suspended', 'deleted']),
  create_time: integer('Unix milliseconds.'),
});

export function toUserInfo(user: User): z.input<typeof userInfo> {
  return { user_id: user.id, name: user.name, role: user.role, state: user.state, create_time: user.createdAt };
}

export const keyInfo = z.object({
  key_id: text('Key id; pass it to revoke_key.'),
  client_id: text('Client id; send it in the <prefix>-clientid header.'),
  name: text('Purpose of the key.'),
  modules: list('Modules the key may call; ["*"] means all.', z.string()),
  access: oneOf('Access level; "read" allows only operations that change nothing.', ['read', 'write']),
  create_time: integer('Unix milliseconds.'),
  expire_time: integer('Expiry time in Unix milliseconds; 0 means never.'),
  last_used_time: integer('Time of last use in Unix milliseconds, up to ten seconds late; 0 means never used.'),
  revoked: z.boolean().meta({ description: 'Whether the key was revoked.' }),
});

export function toKeyInfo(key: ApiKey): z.input<typeof keyInfo> {
  return {
    key_id: key.id,
    client_id: key.clientId,
    name: key.name,
    modules: key.modules,
    access: key.access,
    create_time: key.createdAt,
    expire_time: key.expiresAt ?? 0,
    last_used_time: key.lastUsedAt ?? 0,
    revoked: key.revokedAt !== null,
  };
}

export const userName = () =>
  text('Sign-in name: letters, digits, dots, dashes and underscores.', { min: 1, max: 64 }).regex(
    /^[\p{L}\p{N}._-]+$/u,
    'may contain only letters, digits, dots, dashes and underscores',
  );
export const password = () =>
  text('At least 8 characters; not a frequent password and not the user name.', { min: 8, max: 256 });
export const userId = () => text('User id.', { min: 1, max: 64 });
