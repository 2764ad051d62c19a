import type { Services } from '../../context.ts';
import type { Item } from '../../ports/wiki-store.ts';

/**
 * Returns the items with the states to report to clients. An item whose text is not in the search index yet is reported
 * as `parsing`.
 */
export async function withReportedStates({ wiki }: Pick<Services, 'wiki'>, items: readonly Item[]): Promise<Item[]> {
  const ready = items.filter((item) => item.state === 'ready').map((item) => item.id);
  const early = ready.length === 0 ? new Set<string>() : await wiki.texts.notYetIndexed(ready);
  return items.map((item) => (early.has(item.id) ? { ...item, state: 'parsing' } : item));
}
