import { z } from 'zod';
import { encodeCursor } from '../../lib/cursor.ts';
import { sha256 } from '../../lib/hash.ts';
import { cursor, integer, list, oneOf, text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import type { Found } from '../../ports/search-source.ts';
import { isEnd, nextCursor, readCursor } from '../schema.ts';

const kinds = ['knowledge', 'folder', 'note', 'sheet'] as const;

const foundInfo = z.object({
  kind: oneOf('Kind of result: an item or folder of a knowledge base, a note, or a spreadsheet.', kinds),
  id: text('Media id, folder id, note id or file id.'),
  title: text('Its title.'),
  highlight_content: text(
    'Matching passage of the text, with matches wrapped in <em>…</em>; only if the text matched.',
  ).optional(),
  update_time: integer('Unix milliseconds.'),
  container_id: text('Knowledge base or notebook that contains it, if any.').optional(),
  container_name: text('Its name.').optional(),
});

export const search_all = operation({
  name: 'search_all',
  summary:
    "Searches all knowledge bases the caller can see and the caller's notes and spreadsheets by words " +
    'in titles and text, interleaving the best matches of each. To search one knowledge base use ' +
    'search_knowledge.\nExample: {"query":"季度 budget"}',
  effect: 'read',
  input: z.object({
    query: text('Words to search for.', { min: 1, max: 1000 }),
    cursor: cursor().optional(),
    limit: integer('Maximum number of results. Default: 20.', { min: 1, max: 50 }).optional(),
  }),
  output: z.object({
    info_list: list('Search results.', foundInfo),
    totals: z
      .record(z.string(), integer('Matches.'))
      .meta({ description: 'Total number of matches per kind of source.' }),
    is_end: isEnd(),
    next_cursor: nextCursor(),
  }),
  async run(input, context) {
    const { userId } = context.caller;
    const limit = input.limit ?? 20;
    const scope = `search_all ${userId} ${sha256(input.query)}`;
    const offsets = readCursor(scope, input.cursor ?? '')?.map(Number) ?? [];
    // A key that is only for some modules finds only what these hold.
    const sources = context.searchSources.filter(
      ({ name }) => context.caller.modules.includes('*') || context.caller.modules.includes(name),
    );
    const pages = await Promise.all(
      sources.map((source, i) => source.find(userId, input.query, offsets[i] ?? 0, limit)),
    );
    const totals: Record<string, number> = {};
    sources.forEach((source, i) => (totals[source.name] = pages[i]!.total));
    const { taken, counts } = inTurn(
      pages.map((page) => page.found),
      limit,
    );
    // A page that was given out whole also passes over what was gone from it.
    const next = pages.map((page, i) => (offsets[i] ?? 0) + (counts[i] === page.found.length ? page.seen : counts[i]!));
    const isLast = pages.every((page, i) => next[i]! >= page.total || page.seen === 0);
    return {
      info_list: taken.map(toInfo),
      totals,
      is_end: isLast,
      next_cursor: isLast ? '' : encodeCursor(scope, next),
    };
  },
});

/** The best of each, then the second best of each, until there are enough. */
function inTurn(lists: readonly Found[][], limit: number): { taken: Found[]; counts: number[] } {
  const taken: Found[] = [];
  const counts = lists.map(() => 0);
  for (let round = 0; taken.length < limit; round++) {
    let any = false;
    lists.forEach((found, i) => {
      const one = found[round];
      if (!one || taken.length >= limit) return;
      taken.push(one);
      counts[i]! += 1;
      any = true;
    });
    if (!any) break;
  }
  return { taken, counts };
}

function toInfo(found: Found): z.input<typeof foundInfo> {
  return {
    kind: kinds.find((kind) => kind === found.kind) ?? 'knowledge',
    id: found.id,
    title: found.title,
    update_time: found.modifiedAt,
    ...(found.passage === undefined ? {} : { highlight_content: found.passage }),
    ...(found.containerId === undefined
      ? {}
      : { container_id: found.containerId, container_name: found.containerName ?? '' }),
  };
}
