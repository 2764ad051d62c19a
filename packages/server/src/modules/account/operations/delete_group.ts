import { publishAccessChange } from '../../../kernel/access-changes.ts';
import { operation } from '../../../kernel/operation.ts';
import { groupId, noGroup, writeGroup } from '../groups.ts';

export const delete_group = operation({
  summary: 'Deletes a group. What was shared with it is no longer shared with its members by it.',
  effect: 'destroy',
  ownerOnly: true,
  input: { group_id: groupId() },
  output: {},
  async run({ group_id: id }, context) {
    const data = await writeGroup(
      context,
      () => context.groups.deleteGroup(context.stamp, id),
      (isDone): Record<string, never> => {
        if (isDone) return {};
        throw noGroup(id);
      },
    );
    context.searchFeed.wake();
    publishAccessChange(context, { everyone: true });
    return data;
  },
});
