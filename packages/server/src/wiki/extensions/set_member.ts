import { z } from 'zod';
import { nothing, text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { userBy } from '../members.ts';
import { writing } from '../model.ts';
import { baseFor } from '../permissions.ts';
import { baseId, role } from '../schema.ts';

export const set_member = operation({
  name: 'set_member',
  summary:
    "Shares a knowledge base with a user of this installation, or changes a member's role. Owners " +
    'only.\nExample: {"knowledge_base_id":"kb_...","user_name":"ada","role":"editor"}',
  effect: 'write',
  idempotent: true,
  input: z.object({
    knowledge_base_id: baseId(),
    user_id: text('User id; alternatively, send user_name.', { max: 256 }).optional(),
    user_name: text('User name, as an alternative to user_id.', { max: 256 }).optional(),
    role: role(),
  }),
  output: nothing,
  async run(input, context) {
    const base = await baseFor(context, input.knowledge_base_id, 'own');
    const user = await userBy(context, input.user_id, input.user_name);
    return writing(
      context,
      { base: base.id, target: base.id },
      () => context.wiki.bases.setMember(context.stamp, base.id, user.id, input.role),
      () => ({}),
    );
  },
});
