import type { Context } from '../../context.ts';
import { fail } from '../../kernel/errors.ts';
import { tagKey } from '../../lib/tag-key.ts';
import type { TaggedKind } from '../../ports/tag-store.ts';

/** Maximum number of tagged entries to which a search can be limited. */
const maxTagged = 20_000;

/** Returns a search filter for entries that have all of the tags. */
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
