import { z } from 'zod';
import { newId } from '../../lib/ids.ts';
import { text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { baseFields, refuseBlockedBase } from '../base-fields.ts';
import { coverToStore } from '../cover.ts';
import { writing } from '../model.ts';

export const create_knowledge_base = operation({
  name: 'create_knowledge_base',
  summary: 'Creates a knowledge base owned by the caller.\nExample: {"name":"Physics","description":"Lecture notes"}',
  effect: 'write',
  isOneWrite: true,
  input: z.object(baseFields),
  output: z.object({
    knowledge_base_id: text('Id of the new knowledge base, which is also the id of its root folder.'),
  }),
  async run(input, context) {
    refuseBlockedBase(context, input);
    const coverUrl = coverToStore(input.cover_url ?? '', context.address);
    const id = newId('kb');
    const base = {
      id,
      userId: context.caller.userId,
      name: input.name,
      description: input.description ?? '',
      coverUrl,
      questions: input.recommended_questions ?? [],
      isPersonal: false,
    };
    return writing(
      context,
      { base: id, target: id },
      () => context.wiki.bases.createBase(context.stamp, base),
      () => ({ knowledge_base_id: id }),
    );
  },
});
