import type { Context } from '../../context.ts';
import { fail } from '../../kernel/errors.ts';
import { tagKey } from '../../lib/tag-key.ts';
import type { TaggedKind } from '../../ports/tag-store.ts';

/** A search by tags is refused if this number of entries (items, notes and spreadsheets) or more have the tags. */
const maxTagged = 20_000;

/**
 * Returns a search filter for entries (items, notes and spreadsheets) that have all of the tags. Throws if too many
 * entries have them.
 */
export async function tagFilter(
  context: Context,
  tags: readonly string[],
  kinds: readonly TaggedKind[] = ['item', 'note', 'sheet'],
): Promise<{ tags: string[]; taggedIds: ReadonlySet<string> }> {
  const found = await context.tags.tagged(context.caller.userId, tags, kinds, maxTagged);
  if (found.length >= maxTagged)
    throw fail('invalid_parameter', `tags: ${maxTagged} entries or more have ${JSON.stringify(tags)}; add a rarer tag`);
  return { tags: tags.map(tagKey).sort(), taggedIds: new Set(found.map(({ id }) => id)) };
}
