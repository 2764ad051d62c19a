import { z } from 'zod';
import type { Context } from '../../context.ts';
import { publishAccessChange } from '../../kernel/access-changes.ts';
import { fail, type Failure } from '../../kernel/errors.ts';
import { integer, list, text } from '../../kernel/field-schemas.ts';
import { writeAndAnswer } from '../../kernel/idempotent-answer.ts';
import { operation } from '../../kernel/operation.ts';
import { formatValue } from '../../kernel/parse-input.ts';
import { SharingRefused, type Group, type SharingRefusal } from '../../ports/permission-store.ts';
import { userId } from './schema.ts';

export const groupInfo = z.object({
  group_id: text("The group's id."),
  name: text('Its name.'),
  member_count: integer('Number of members.'),
  claim: text('Value of the groups claim by which single sign-on decides the members; empty: chosen by hand.'),
  create_time: integer('Unix milliseconds.'),
});

export function toGroupInfo(group: Group): z.input<typeof groupInfo> {
  const { id, name, memberCount, claim, createdAt } = group;
  return { group_id: id, name, member_count: memberCount, claim, create_time: createdAt };
}

export const groupId = () => text('The group.', { min: 1, max: 80 });

/** Runs a write to groups. Converts a SharingRefused error of the store to an error for the caller. */
export async function writeGroup<Result, Answer extends Record<string, unknown>>(
  context: Context,
  write: () => Promise<Result>,
  answer: (result: Result) => Answer,
): Promise<Answer> {
  try {
    return await writeAndAnswer(context, write, answer);
  } catch (error) {
    if (error instanceof SharingRefused) throw toFailure(error.why);
    throw error;
  }
}

/** Defines an operation with which the owner of the installation adds users to a group or removes users from it. */
export function groupMembersOperation(summary: string, change: 'addMembers' | 'removeMembers') {
  return operation({
    summary,
    effect: 'write',
    idempotent: true,
    ownerOnly: true,
    input: { group_id: groupId(), user_ids: list('The users.', userId(), { min: 1, max: 500 }) },
    output: { changed: integer('Number of users whose membership changed.') },
    async run(input, context) {
      const ids = [...new Set(input.user_ids)];
      for (const id of ids) {
        const user = await context.accounts.user(id);
        if (change === 'addMembers' && (!user || user.state === 'deleted'))
          throw fail('not_found', `user_ids: there is no user ${formatValue(id)}`);
      }
      const data = await writeGroup(
        context,
        () => context.groups[change](context.stamp, input.group_id, ids),
        (changed) => ({ changed }),
      );
      for (const user_id of ids) publishAccessChange(context, { user_id });
      return data;
    },
  });
}

export function noGroup(id: string): Failure {
  return fail('not_found', `group_id: there is no group ${formatValue(id)}`);
}

function toFailure(why: SharingRefusal): Failure {
  switch (why.reason) {
    case 'no_resource':
    case 'no_group':
      return noGroup(why.id);
    case 'group_exists':
      return fail('name_taken', `name: there is a group ${formatValue(why.name)} already`);
    case 'claim_bound':
      return fail('name_taken', `claim: a group is bound to ${formatValue(why.claim)} already`);
    case 'provider_group':
      return fail('no_permission', 'group_id: single sign-on decides the members of this group');
    default:
      return fail('limit_exceeded', `group_id: there are ${why.count} already, at most ${why.limit}`);
  }
}
