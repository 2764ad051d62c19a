import { z } from 'zod';
import { integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { requireBase } from '../permissions.ts';
import { baseId, role } from '../schema.ts';

const member = z.object({
  user_id: text('The member.'),
  name: text("The member's name."),
  role: role(),
  add_time: integer('Unix milliseconds.'),
});

export const list_members = operation({
  summary: 'Lists the members of a knowledge base and their roles.\nExample: {"knowledge_base_id":"kb_..."}',
  effect: 'read',
  input: { knowledge_base_id: baseId() },
  output: { members: list('Members, in the order they joined.', member) },
  async run(input, context) {
    const base = await requireBase(context, input.knowledge_base_id, 'view');
    const members = await context.wiki.bases.members(base.id);
    return {
      members: members.map(({ userId, userName, role: has, addedAt }) => ({
        user_id: userId,
        name: userName,
        role: has,
        add_time: addedAt,
      })),
    };
  },
});
