import { z } from 'zod';
import { flag, nothing } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { baseFields, refuseBlockedBase } from '../base-fields.ts';
import { coverToStore } from '../cover.ts';
import { writing } from '../model.ts';
import { baseFor } from '../permissions.ts';
import { baseId } from '../schema.ts';

export const update_knowledge_base = operation({
  name: 'update_knowledge_base',
  summary:
    'Changes the name, description, cover or recommended questions of a knowledge base; fields that are ' +
    'not sent are unchanged. Owners only.\nExample: {"knowledge_base_id":"kb_...","name":"Physics II"}',
  effect: 'write',
  idempotent: true,
  input: z.object({
    ...baseFields,
    knowledge_base_id: baseId(),
    name: baseFields.name.optional(),
    search_by_meaning: flag('Whether its items may be sent to the embedding endpoint. Default: true.').optional(),
  }),
  output: nothing,
  async run(input, context) {
    const base = await baseFor(context, input.knowledge_base_id, 'own');
    refuseBlockedBase(context, input);
    const { name, description, recommended_questions: questions, search_by_meaning: byMeaning } = input;
    const coverUrl = input.cover_url === undefined ? undefined : coverToStore(input.cover_url, context.address);
    return writing(
      context,
      { base: base.id, target: base.id },
      () =>
        context.wiki.bases.updateBase(context.stamp, base.id, { name, description, coverUrl, questions, byMeaning }),
      () => ({}),
    );
  },
});
