import { z } from 'zod';
import { accessChanged } from '../../operation/access.ts';
import { nothing } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { writing } from '../model.ts';
import { baseFor, isId, unknown } from '../permissions.ts';
import { baseId, mediaId } from '../schema.ts';

export const remove_member = operation({
  name: 'remove_member',
  summary:
    'Removes a member from a knowledge base. Owners can remove anyone; any member can remove themselves. ' +
    'Items the member added are kept.\nExample: {"knowledge_base_id":"kb_...","user_id":"user_..."}',
  effect: 'destroy',
  input: z.object({ knowledge_base_id: baseId(), user_id: mediaId('The member to remove.') }),
  output: nothing,
  async run(input, context) {
    const leaves = input.user_id === context.caller.userId;
    const base = await baseFor(context, input.knowledge_base_id, leaves ? 'view' : 'own');
    if (!isId(input.user_id)) throw unknown('user_id', 'member', input.user_id);
    const data = await writing(
      context,
      { base: base.id, target: base.id },
      () => context.wiki.bases.removeMember(context.stamp, base.id, input.user_id),
      (isRemoved) => {
        if (!isRemoved) throw unknown('user_id', 'member', input.user_id);
        return {};
      },
    );
    accessChanged(context, { user_id: input.user_id });
    return data;
  },
});
