import type { Context } from '../../context.ts';
import { hashSecret, newId, newSecret } from '../../lib/ids.ts';
import { publishAccessChange } from '../../kernel/access-changes.ts';
import { fail } from '../../kernel/errors.ts';
import { writeAndAnswer } from '../../kernel/idempotent-answer.ts';
import { operation, type Effect } from '../../kernel/operation.ts';
import type { AccountStore, ApiKey, User, UserState } from '../../ports/account-store.ts';
import type { Stamp } from '../../ports/audit-stamp.ts';
import { userId as userIdField } from './schema.ts';

const day = 24 * 60 * 60 * 1000;
const sessionMs = 30 * day;
const linkMs = day;

export interface NewKey {
  key: ApiKey;
  /** Secret of the new key. Only its hash is stored, so it cannot be read again later. */
  secret: string;
}

export async function createKey(
  accounts: AccountStore,
  stamp: Stamp,
  options: { userId: string; name: string; modules?: string[]; access?: ApiKey['access']; expiresAt?: number | null },
): Promise<NewKey> {
  const secret = newSecret('sk');
  const key = await accounts.createKey(
    stamp,
    {
      id: newId('key'),
      userId: options.userId,
      clientId: newId('client'),
      name: options.name,
      modules: options.modules ?? ['*'],
      access: options.access ?? 'write',
      expiresAt: options.expiresAt ?? null,
    },
    hashSecret(secret),
  );
  return { key, secret };
}

/** Creates a one-time sign-in token that is valid for a day. */
export async function createSignInToken(accounts: AccountStore, stamp: Stamp, userId: string): Promise<string> {
  const token = newSecret('in');
  await accounts.createSignInToken(stamp, userId, hashSecret(token), stamp.at + linkMs);
  return token;
}

export async function createSession(
  accounts: AccountStore,
  stamp: Stamp,
  userId: string,
  device: string,
  {
    identityId = '',
    lastsMs = sessionMs,
    isByLink = false,
  }: { identityId?: string; lastsMs?: number; isByLink?: boolean } = {},
): Promise<{ id: string; token: string; expiresAt: number }> {
  const token = newSecret('ss');
  const id = newId('session');
  const expiresAt = stamp.at + lastsMs;
  const session = { id, userId, identityId, device, createdAt: stamp.at, expiresAt, isByLink };
  await accounts.createSession(stamp, session, hashSecret(token));
  return { id, token, expiresAt };
}

export async function requireUser(context: Context, id: string): Promise<User> {
  const user = await context.accounts.user(id);
  if (!user || user.state === 'deleted') throw fail('not_found', `user_id: there is no user ${JSON.stringify(id)}`);
  return user;
}

/**
 * Returns the time at which the caller's API key or app access expires; null if it never expires. Also null for browser
 * sessions: they expire too, but their users can sign in again.
 */
export function keyExpiry({ caller }: Context): number | null {
  return caller.via === 'key' || caller.via === 'app' ? (caller.expiresAt ?? null) : null;
}

/**
 * Throws if the caller's API key has an expiry time, because the key must not create something that stays valid longer,
 * such as a password. `what` names that thing in the error message.
 */
export function refuseExpiringKey(context: Context, what: string): void {
  const own = keyExpiry(context);
  if (own !== null)
    throw fail(
      'no_permission',
      `this API key expires at ${own} and cannot create ${what}, which would outlive it; use a key that does not expire, or the browser`,
    );
}

/**
 * Returns the id of the user to whom the call applies. Members may act only for themselves; the owner of the
 * installation may act for any user.
 */
export function resolveActingUser(context: Context, userId: string | undefined): string {
  const id = userId ?? context.caller.userId;
  if (id !== context.caller.userId && context.caller.role !== 'owner')
    throw fail('no_permission', 'user_id: only the owner of this installation may act for another user');
  return id;
}

/** Defines an operation with which the owner of the installation sets the state of a user. */
export function userStateOperation(summary: string, effect: Effect, state: UserState) {
  return operation({
    summary,
    effect,
    idempotent: true,
    ownerOnly: true,
    input: { user_id: userIdField() },
    output: {},
    run: (input, context) => changeUserState(context, input.user_id, state),
  });
}

async function changeUserState(context: Context, userId: string, state: UserState): Promise<Record<string, never>> {
  const user = await requireUser(context, userId);
  if (user.role === 'owner') throw fail('no_permission', 'user_id: the owner cannot be suspended or deleted');
  const data = await writeAndAnswer(
    context,
    () => context.accounts.setUserState(context.stamp, user.id, state),
    () => ({}),
  );
  publishAccessChange(context, { user_id: user.id });
  return data;
}
