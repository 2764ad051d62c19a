import { z } from 'zod';
import { text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { wikiLimits, writeAndNotify } from '../wiki-writes.ts';
import { resolveTransfer, transferFields } from '../transfer.ts';

export const copy_knowledge = operation({
  summary:
    'Copies items and folders with their contents to a folder of any knowledge base, all or none. ' +
    "Files count against the caller's storage.\nExample: " +
    '{"knowledge_base_id":"kb_...","media_ids":["media_..."],"target_knowledge_base_id":"kb_..."}',
  effect: 'write',
  input: transferFields,
  output: {
    media_ids: z
      .record(z.string(), text('The copy.'))
      .meta({ description: 'Ids of the copies, keyed by the ids that were sent.' }),
  },
  async run(input, context) {
    const transfer = await resolveTransfer(context, input, 'view');
    return writeAndNotify(
      context,
      { base: transfer.toBaseId, target: (made) => made.values().next().value ?? '' },
      () => context.wiki.tree.copy(context.stamp, transfer, wikiLimits(context)),
      (made) => {
        const copies = Object.create(null) as Record<string, string>;
        for (const [from, to] of made) copies[from] = to;
        return { media_ids: copies };
      },
    );
  },
});
