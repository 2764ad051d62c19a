import { flag } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { coverUrlToStore } from '../cover-url.ts';
import { writeAndNotify } from '../wiki-writes.ts';
import { requireBase } from '../permissions.ts';
import { baseId, baseFields, refuseBlockedWords } from '../schema.ts';

export const update_knowledge_base = operation({
  summary:
    'Renames a knowledge base, or changes its description, cover or recommended questions; fields that are ' +
    'not sent are unchanged. Owners only.\nExample: {"knowledge_base_id":"kb_...","name":"Physics II"}',
  effect: 'write',
  idempotent: true,
  input: {
    ...baseFields,
    knowledge_base_id: baseId(),
    name: baseFields.name.optional(),
    search_by_meaning: flag('Whether its items may be sent to the embedding endpoint. Default: true.').optional(),
  },
  output: {},
  async run(input, context) {
    const base = await requireBase(context, input.knowledge_base_id, 'own');
    refuseBlockedWords(context, input);
    const { name, description, recommended_questions: questions, search_by_meaning: byMeaning } = input;
    const coverUrl = input.cover_url === undefined ? undefined : coverUrlToStore(input.cover_url, context.publicUrl);
    return writeAndNotify(context, { base: base.id, target: base.id }, () =>
      context.wiki.bases.updateBase(context.stamp, base.id, { name, description, coverUrl, questions, byMeaning }),
    );
  },
});
