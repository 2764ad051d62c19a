import { publishAccessChange } from '../../../kernel/access-changes.ts';
import { operation } from '../../../kernel/operation.ts';
import { writeAndNotify } from '../wiki-writes.ts';
import { baseTopic } from '../events.ts';
import { requireBase } from '../permissions.ts';
import { baseId } from '../schema.ts';

export const delete_knowledge_base = operation({
  summary:
    'Permanently deletes a knowledge base and everything in it. Owners only. To delete single items, ' +
    'which can be undone, use delete_knowledge.\nExample: {"knowledge_base_id":"kb_..."}',
  effect: 'destroy',
  input: { knowledge_base_id: baseId() },
  output: {},
  async run(input, context) {
    const base = await requireBase(context, input.knowledge_base_id, 'own');
    const data = await writeAndNotify(context, { base: base.id, target: base.id }, () =>
      context.wiki.bases.deleteBase(context.stamp, base.id),
    );
    publishAccessChange(context, { topic: baseTopic(base.id) });
    return data;
  },
});
