import type { Caller, Context } from '../../context.ts';
import { mayWrite, publishAccessChange } from '../../kernel/access-changes.ts';
import { fail, type Failure } from '../../kernel/errors.ts';
import { formatValue } from '../../kernel/parse-input.ts';
import { writeAndAnswer } from '../../kernel/idempotent-answer.ts';
import {
  SharingRefused,
  type Grantee,
  type Resource,
  type ResourceKind,
  type SharingRefusal,
} from '../../ports/permission-store.ts';
import { WikiRefused } from '../../ports/wiki-store.ts';

/** Modules that work with each kind; an API key needs one of them. */
const modulesOf: Record<ResourceKind, readonly string[]> = {
  note: ['note'],
  notebook: ['note'],
  base: ['wiki'],
  sheet: ['sheet', 'manage'],
};

/** Returns whether the caller's API key or app may work with objects of the kind. */
export function mayUseKind(caller: Caller, kind: ResourceKind, effect: 'read' | 'write'): boolean {
  return modulesOf[kind].some(
    (module) =>
      (caller.modules.includes('*') || caller.modules.includes(module)) &&
      (effect === 'read' || mayWrite(caller, module)),
  );
}

export function requireKind({ caller }: Pick<Context, 'caller'>, kind: ResourceKind, effect: 'read' | 'write'): void {
  if (mayUseKind(caller, kind, effect)) return;
  const modules = modulesOf[kind].join(' or ');
  throw fail(
    'no_permission',
    `kind: this API key has no ${effect} access to the module ${modules}, which ${kind} needs`,
  );
}

/**
 * Returns the object if the caller owns it. Unknown objects and those that the caller may not see give the same error.
 */
export async function requireOwned(
  context: Context,
  { kind, id }: { kind: ResourceKind; id: string },
  effect: 'read' | 'write',
): Promise<Resource> {
  requireKind(context, kind, effect);
  const role = /^[\w-]{1,80}$/.test(id) ? await context.permissions.role(kind, id, context.caller.userId) : undefined;
  if (!role) throw notVisible(kind, id);
  if (role !== 'own')
    throw fail('no_permission', `id: only an owner of ${formatValue(id)} may do this; your role is ${role}`);
  return { kind, id };
}

function notVisible(kind: ResourceKind, id: string): Failure {
  return fail('not_found', `id: there is no ${kind} ${formatValue(id)} that you may see`);
}

interface GranteeInput {
  user_id?: string | undefined;
  user_name?: string | undefined;
  group_id?: string | undefined;
  group_name?: string | undefined;
  everyone?: boolean | undefined;
}

/** Returns whom the input names. Throws unless it names exactly one active user, one group, or everyone. */
export async function findGrantee(context: Context, input: GranteeInput): Promise<Grantee> {
  const { user_id, user_name, group_id, group_name, everyone } = input;
  const given = [user_id, user_name, group_id, group_name, everyone || undefined].filter((one) => one !== undefined);
  if (given.length !== 1)
    throw fail(
      'invalid_parameter',
      `user_id: send exactly one of user_id, user_name, group_id, group_name and everyone (got ${given.length})`,
    );
  if (everyone) return { kind: 'everyone' };
  if (user_id !== undefined || user_name !== undefined) {
    const user =
      user_id === undefined ? await context.accounts.userByName(user_name!) : await context.accounts.user(user_id);
    if (user && user.state !== 'deleted') return { kind: 'user', id: user.id };
    const field = user_id === undefined ? 'user_name' : 'user_id';
    throw fail('not_found', `${field}: there is no user ${formatValue(user_id ?? user_name)}`);
  }
  const group =
    group_id === undefined ? await context.groups.groupByName(group_name!) : await context.groups.group(group_id);
  if (group) return { kind: 'group', id: group.id };
  const field = group_id === undefined ? 'group_name' : 'group_id';
  throw fail('not_found', `${field}: there is no group ${formatValue(group_id ?? group_name)}`);
}

/** Runs a write that changes who has access, then makes open subscriptions check their access again. */
export async function writeShares<Result>(
  context: Context,
  resource: Resource,
  grantee: Grantee,
  write: () => Promise<Result>,
  answer: (result: Result) => Record<string, never>,
): Promise<Record<string, never>> {
  try {
    return await writeAndAnswer(context, write, answer);
  } catch (error) {
    if (error instanceof SharingRefused) throw toFailure(error.why, resource);
    if (error instanceof WikiRefused && error.why.reason === 'last_owner')
      throw fail('conflict', 'user_id: a knowledge base keeps at least one owner');
    throw error;
  } finally {
    context.searchFeed.wake();
    publishAccessChange(context, grantee.kind === 'user' ? { user_id: grantee.id } : { everyone: true });
  }
}

function toFailure(why: SharingRefusal, { kind, id }: Resource): Failure {
  switch (why.reason) {
    case 'no_resource':
      return notVisible(kind, id);
    case 'no_group':
      return fail('not_found', `group_id: there is no group ${formatValue(why.id)}`);
    case 'too_many_grants':
      return fail(
        'limit_exceeded',
        `id: it is shared with ${why.count} already, at most ${why.limit}; remove one first`,
      );
    default:
      return fail('conflict', `id: the share was refused (${why.reason})`);
  }
}
