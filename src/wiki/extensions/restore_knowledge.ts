import { z } from 'zod';
import { integer } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { writing } from '../model.ts';
import { baseFor, refuseForeignIds } from '../permissions.ts';
import { baseId, nodeIds } from '../schema.ts';

export const restore_knowledge = operation({
  name: 'restore_knowledge',
  summary:
    'Brings back what delete_knowledge deleted, within 30 days: a folder with all that went along, into ' +
    'its old place, or into the root when that is gone.\nExample: ' +
    '{"knowledge_base_id":"kb_...","media_ids":["media_..."]}',
  effect: 'write',
  input: z.object({ knowledge_base_id: baseId(), media_ids: nodeIds() }),
  output: z.object({ restored: integer('How many items and folders came back, those inside folders included.') }),
  async run(input, context) {
    const base = await baseFor(context, input.knowledge_base_id, 'edit');
    refuseForeignIds(input.media_ids, 'media_ids');
    return {
      restored: await writing(context, base.id, () =>
        context.wiki.tree.restore(context.stamp, base.id, input.media_ids),
      ),
    };
  },
});
