import { z } from 'zod';
import { integer, list, oneOf, text } from '../operation/fields.ts';
import type { ApiKey, User } from '../ports/account-store.ts';

export const userInfo = z.object({
  user_id: text("The user's id."),
  name: text('The name to sign in with.'),
  role: oneOf('owner: administers the installation; member: works in it.', ['owner', 'member']),
  state: oneOf('Only active users are let in.', ['active', 'suspended', 'deleted']),
  create_time: integer('Unix milliseconds.'),
});

export function toUserInfo(user: User): z.input<typeof userInfo> {
  return { user_id: user.id, name: user.name, role: user.role, state: user.state, create_time: user.createdAt };
}

export const keyInfo = z.object({
  key_id: text("The key's id, for revoking it."),
  client_id: text('Goes into the <prefix>-clientid header.'),
  name: text('What the key is for.'),
  modules: list('Modules the key is good for; ["*"] = all.', z.string()),
  access: oneOf('read: only operations that change nothing.', ['read', 'write']),
  create_time: integer('Unix milliseconds.'),
  expire_time: integer('Unix milliseconds; 0 = never.'),
  last_used_time: integer('Unix milliseconds, up to ten seconds late; 0 = never used.'),
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
  text('Name to sign in with: letters, digits, dot, dash, underscore.', { min: 1, max: 64 }).regex(
    /^[\p{L}\p{N}._-]+$/u,
    'may hold letters, digits, dot, dash and underscore',
  );
export const password = () => text('At least 8 characters.', { min: 8, max: 256 });
export const userId = () => text("The user's id.", { min: 1, max: 64 });
