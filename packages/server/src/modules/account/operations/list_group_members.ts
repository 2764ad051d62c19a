import { z } from 'zod';
import { integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { groupId, noGroup } from '../groups.ts';

export const list_group_members = operation({
  summary: 'Lists the members of a group by name.',
  effect: 'read',
  ownerOnly: true,
  input: { group_id: groupId() },
  output: {
    members: list(
      'All members.',
      z.object({ user_id: text('Who.'), name: text('Sign-in name.'), add_time: integer('Unix milliseconds.') }),
    ),
  },
  async run({ group_id: id }, { groups }) {
    if (!(await groups.group(id))) throw noGroup(id);
    const members = await groups.members(id);
    return { members: members.map(({ userId, name, addedAt }) => ({ user_id: userId, name, add_time: addedAt })) };
  },
});
