import type { Context } from '../../context.ts';
import { publishAccessChange } from '../../kernel/access-changes.ts';
import { fail, type Failure } from '../../kernel/errors.ts';
import { publishInboxChange } from '../../kernel/inbox-events.ts';
import { formatValue } from '../../kernel/parse-input.ts';
import { notVisible, requireVisible } from '../../kernel/resource-kinds.ts';
import { writeAndAnswer } from '../../kernel/idempotent-answer.ts';
import {
  SharingRefused,
  type Grantee,
  type Resource,
  type ResourceKind,
  type SharingRefusal,
} from '../../ports/permission-store.ts';
import { WikiRefused } from '../../ports/wiki-store.ts';

/**
 * Returns the object (such as a note, spreadsheet or knowledge base) if the caller owns it. Unknown objects and objects
 * that the caller may not see give the same error. `effect` is the access that the caller's API key needs.
 */
export async function requireOwned(
  context: Context,
  { kind, id }: { kind: ResourceKind; id: string },
  effect: 'read' | 'write',
): Promise<Resource> {
  const role = await requireVisible(context, { kind, id }, effect);
  if (role !== 'own')
    throw fail('no_permission', `id: only an owner of ${formatValue(id)} may do this; your role is ${role}`);
  return { kind, id };
}

interface GranteeInput {
  user_id?: string | undefined;
  user_name?: string | undefined;
  group_id?: string | undefined;
  group_name?: string | undefined;
  everyone?: boolean | undefined;
}

/**
 * Returns the grantee that the input names: the user, group or everyone with whom an object is shared. Throws unless
 * the input names exactly one, which must exist.
 */
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

/**
 * Runs a write that changes with whom an object is shared. Afterwards, even if the write failed, makes open
 * subscriptions check their access again.
 */
export async function writeShares<Result, Answer extends Record<string, unknown>>(
  context: Context,
  resource: Resource,
  grantee: Grantee,
  write: () => Promise<Result>,
  answer: (result: Result) => Answer,
): Promise<Answer> {
  try {
    return await writeAndAnswer(context, write, answer);
  } catch (error) {
    if (error instanceof SharingRefused) throw toFailure(error.why, resource);
    if (error instanceof WikiRefused && error.why.reason === 'last_owner')
      throw fail('conflict', 'user_id: a knowledge base keeps at least one owner');
    throw error;
  } finally {
    context.searchFeed.wake();
    publishInboxChange(context, grantee.kind === 'user' ? [grantee.id] : []);
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
