import { publishAccessChange } from '../../../kernel/access-changes.ts';
import { operation } from '../../../kernel/operation.ts';
import { writeAndNotify } from '../wiki-writes.ts';
import { requireBase, isWellFormedId, notVisibleError } from '../permissions.ts';
import { baseId, mediaId } from '../schema.ts';

export const remove_member = operation({
  summary:
    'Removes a member from a knowledge base. Owners can remove anyone; any member can remove themselves. ' +
    'Items the member added are kept.\nExample: {"knowledge_base_id":"kb_...","user_id":"user_..."}',
  effect: 'destroy',
  input: { knowledge_base_id: baseId(), user_id: mediaId('The member to remove.') },
  output: {},
  async run(input, context) {
    const leaves = input.user_id === context.caller.userId;
    const base = await requireBase(context, input.knowledge_base_id, leaves ? 'view' : 'own');
    if (!isWellFormedId(input.user_id)) throw notVisibleError('user_id', 'member', input.user_id);
    const data = await writeAndNotify(
      context,
      { base: base.id, target: base.id },
      () => context.wiki.bases.removeMember(context.stamp, base.id, input.user_id),
      (isRemoved) => {
        if (!isRemoved) throw notVisibleError('user_id', 'member', input.user_id);
        return {};
      },
    );
    publishAccessChange(context, { user_id: input.user_id });
    return data;
  },
});
