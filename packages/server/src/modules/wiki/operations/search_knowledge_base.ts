import { z } from 'zod';
import { sha256 } from '../../../lib/hash.ts';
import type { PublicUrl } from '../../../lib/public-url.ts';
import { cursor, integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd, nextCursor } from '../../../kernel/paging.ts';
import { addWordlessNotice } from '../../../kernel/search-fields.ts';
import type { MemberBase } from '../../../ports/wiki-store.ts';
import { pageKnowledgeBases } from '../knowledge-base-page.ts';
import { createNameRanker } from '../knowledge-base-ranking.ts';
import { coverUrlOf } from '../cover-url.ts';
import { ensurePersonalBase } from '../wiki-writes.ts';
import { role } from '../schema.ts';

const info = z.object({
  id: text("The knowledge base's id."),
  name: text('Its name.'),
  cover_url: text('Address of the cover picture; one generated from the name if none was set.'),
  kb_id: text('The same as id.'),
  kb_name: text('The same as name.'),
  description: text('Description.'),
  content_count: integer('Number of items, across all folders.'),
  member_count: integer('Number of members.'),
  role_type: role(),
});

export const search_knowledge_base = operation({
  summary:
    'Finds visible knowledge bases by name, exact ones first, then by words of name and description; without ' +
    'words it lists all, own ones first.\nExample: {"query":"","cursor":"","limit":20}',
  effect: 'read',
  input: {
    query: text('Words to search for; empty lists everything.', { max: 1000 }),
    cursor: cursor(),
    limit: integer('Maximum number of results.', { min: 1, max: 20 }),
  },
  output: { info_list: list('The knowledge bases.', info), is_end: isEnd(), next_cursor: nextCursor() },
  async run(input, context) {
    const { userId } = context.caller;
    await ensurePersonalBase(context, userId);
    const rankOf = createNameRanker(input.query);
    const bases = (await context.wiki.bases.basesOf(userId)).filter((base) => Number.isFinite(rankOf(base)));
    // Add the notice about a query without words only if nothing was found: a query of symbols is valid, because the
    // name of a knowledge base may consist of the same symbols.
    if (bases.length === 0) addWordlessNotice(context, 'query', input.query);
    const { page, is_end, next_cursor } = pageKnowledgeBases(
      bases,
      `search_knowledge_base ${userId} ${sha256(input.query)}`,
      input.cursor,
      input.limit,
      rankOf,
    );
    return { info_list: page.map((base) => toInfo(base, context.publicUrl)), is_end, next_cursor };
  },
});

function toInfo(base: MemberBase, address: PublicUrl): z.input<typeof info> {
  return {
    id: base.id,
    name: base.name,
    cover_url: coverUrlOf(base, address),
    kb_id: base.id,
    kb_name: base.name,
    description: base.description,
    content_count: base.itemCount,
    member_count: base.memberCount,
    role_type: base.role,
  };
}
