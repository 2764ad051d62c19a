import { flag, list } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { groupInfo, toGroupInfo } from '../groups.ts';

export const list_groups = operation({
  summary: 'Lists the groups of this installation by name, to share with them.',
  effect: 'read',
  input: {},
  output: {
    groups: list('All groups.', groupInfo.extend({ is_member: flag('Whether the caller is a member.') })),
  },
  async run(_input, { groups, caller }) {
    const [all, own] = await Promise.all([groups.groups(), groups.groupsOf(caller.userId)]);
    const mine = new Set(own.map((group) => group.id));
    return { groups: all.map((group) => ({ ...toGroupInfo(group), is_member: mine.has(group.id) })) };
  },
});
