import { z } from 'zod';
import { cursor, integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd, nextCursor } from '../../../kernel/paging.ts';
import { pageKnowledgeBases } from '../knowledge-base-page.ts';
import { ensurePersonalBase } from '../wiki-writes.ts';

export const get_addable_knowledge_base_list = operation({
  summary:
    'Lists the knowledge bases to which the caller may add items, own ones first.\nExample: ' +
    '{"cursor":"","limit":50}',
  effect: 'read',
  input: { cursor: cursor(), limit: integer('Maximum number of results.', { min: 1, max: 50 }) },
  output: {
    addable_knowledge_base_list: list(
      'The knowledge bases.',
      z.object({ id: text("The knowledge base's id."), name: text('Its name.') }),
    ),
    next_cursor: nextCursor(),
    is_end: isEnd(),
  },
  async run(input, context) {
    const { userId } = context.caller;
    await ensurePersonalBase(context, userId);
    const bases = (await context.wiki.bases.basesOf(userId)).filter((base) => base.role !== 'viewer');
    const { page, next_cursor, is_end } = pageKnowledgeBases(
      bases,
      `get_addable_knowledge_base_list ${userId}`,
      input.cursor,
      input.limit,
    );
    return { addable_knowledge_base_list: page.map(({ id, name }) => ({ id, name })), next_cursor, is_end };
  },
});
