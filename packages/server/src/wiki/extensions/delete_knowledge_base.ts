import { z } from 'zod';
import { accessChanged } from '../../operation/access.ts';
import { nothing } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { writing } from '../model.ts';
import { baseTopic } from '../news.ts';
import { baseFor } from '../permissions.ts';
import { baseId } from '../schema.ts';

export const delete_knowledge_base = operation({
  name: 'delete_knowledge_base',
  summary:
    'Permanently deletes a knowledge base and everything in it. Owners only. To delete single items, ' +
    'which can be undone, use delete_knowledge.\nExample: {"knowledge_base_id":"kb_..."}',
  effect: 'destroy',
  input: z.object({ knowledge_base_id: baseId() }),
  output: nothing,
  async run(input, context) {
    const base = await baseFor(context, input.knowledge_base_id, 'own');
    const data = await writing(
      context,
      { base: base.id, target: base.id },
      () => context.wiki.bases.deleteBase(context.stamp, base.id),
      () => ({}),
    );
    accessChanged(context, { topic: baseTopic(base.id) });
    return data;
  },
});
