import { text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { findUser } from '../user-lookup.ts';
import { writeAndNotify } from '../wiki-writes.ts';
import { requireBase } from '../permissions.ts';
import { baseId, role } from '../schema.ts';

export const set_member = operation({
  summary:
    "Shares a knowledge base with a user of this installation, or changes a member's role. Owners " +
    'only.\nExample: {"knowledge_base_id":"kb_...","user_name":"ada","role":"editor"}',
  effect: 'write',
  idempotent: true,
  input: {
    knowledge_base_id: baseId(),
    user_id: text('User id; alternatively, send user_name.', { max: 256 }).optional(),
    user_name: text('User name, as an alternative to user_id.', { max: 256 }).optional(),
    role: role(),
  },
  output: {},
  async run(input, context) {
    const base = await requireBase(context, input.knowledge_base_id, 'own');
    const user = await findUser(context, input.user_id, input.user_name);
    return writeAndNotify(context, { base: base.id, target: base.id }, () =>
      context.wiki.bases.setMember(context.stamp, base.id, user.id, input.role),
    );
  },
});
