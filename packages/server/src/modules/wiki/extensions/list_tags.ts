import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { cursor, integer, list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd, nextCursor, pageOf, readCursor } from '../../../kernel/paging.ts';
import { tagKey } from '../../../lib/tag-key.ts';
import type { TaggedKind, TaggedObject } from '../../../ports/tag-store.ts';

const kinds = ['knowledge', 'note', 'sheet'] as const;
type Kind = (typeof kinds)[number];

/**
 * For each kind of entry in the answer: its name in the store, and the module that an API key needs in order to see
 * such entries.
 */
const sources: Record<Kind, { kind: TaggedKind; module: string }> = {
  knowledge: { kind: 'item', module: 'wiki' },
  note: { kind: 'note', module: 'note' },
  sheet: { kind: 'sheet', module: 'sheet' },
};

/** Maximum number of tagged entries that are listed. */
const maxTagged = 5000;

export const list_tags = operation({
  summary:
    'Lists the tags of items, notes and spreadsheets, the most used first; with tag, lists what has it. ' +
    'search_all takes tags too.\nExample: {"tag":"review"}',
  effect: 'read',
  input: {
    tag: text('Tag whose entries to list.', { min: 1, max: 100 }).optional(),
    kinds: list('Only these kinds.', z.enum(kinds), { min: 1, max: kinds.length }).optional(),
    cursor: cursor().optional(),
    limit: integer('Maximum number of results. Default: 100.', { min: 1, max: 500 }).optional(),
  },
  output: {
    tags: list(
      'The tags; empty with tag.',
      z.object({
        tag: text('The tag.'),
        items: integer('Number of items.'),
        notes: integer('Number of notes.'),
        sheets: integer('Number of spreadsheets.'),
      }),
    ),
    entries: list(
      'What has the tag; only with tag.',
      z.object({
        kind: oneOf('Item of a knowledge base, note or spreadsheet.', kinds),
        id: text('Media id, note id or file id.'),
        title: text('Its title.'),
        update_time: integer('Unix milliseconds.'),
      }),
    ).optional(),
    next_cursor: nextCursor(),
    is_end: isEnd(),
  },
  async run(input, context) {
    const { modules, userId } = context.caller;
    const allowed = kinds.filter(
      (kind) =>
        (input.kinds?.includes(kind) ?? true) && (modules.includes('*') || modules.includes(sources[kind].module)),
    );
    const limit = input.limit ?? 100;
    const scope = `list_tags ${userId} ${allowed.join(' ')} ${input.tag === undefined ? '' : tagKey(input.tag)}`;
    const start = Number(readCursor(scope, input.cursor ?? '')?.[0] ?? 0);
    const stored = allowed.map((kind) => sources[kind].kind);
    const place = (_: unknown): number[] => [start + limit];
    if (input.tag !== undefined) {
      const found = await context.tags.tagged(userId, [input.tag], stored, maxTagged);
      const { page, ...paging } = pageOf(found.slice(start, start + limit + 1), limit, scope, place);
      return { tags: [], entries: await entriesOf(context, page), ...paging };
    }
    const counted = await context.tags.counts(userId, stored);
    const total = ({ counts }: (typeof counted)[number]): number => counts.note + counts.item + counts.sheet;
    counted.sort((one, other) => total(other) - total(one) || (one.tag < other.tag ? -1 : 1));
    const { page, ...paging } = pageOf(counted.slice(start, start + limit + 1), limit, scope, place);
    return {
      tags: page.map(({ tag, counts }) => ({ tag, items: counts.item, notes: counts.note, sheets: counts.sheet })),
      ...paging,
    };
  },
});

/** Adds titles and times to the tagged objects. Objects that were deleted in the meantime are left out. */
async function entriesOf(context: Context, found: readonly TaggedObject[]) {
  const idsOf = (kind: TaggedKind): string[] => found.filter((one) => one.kind === kind).map(({ id }) => id);
  const shown = new Map<string, { kind: Kind; title: string; modifiedAt: number }>();
  for (const { id, title, modifiedAt } of await context.wiki.items.items(idsOf('item')))
    shown.set(id, { kind: 'knowledge', title, modifiedAt });
  for (const { id, title, modifiedAt } of await context.notes.notes(idsOf('note')))
    shown.set(id, { kind: 'note', title, modifiedAt });
  for (const { id, title, modifiedAt } of await context.sheets.byIds(idsOf('sheet')))
    shown.set(id, { kind: 'sheet', title, modifiedAt });
  return found.flatMap(({ id }) => {
    const one = shown.get(id);
    return one ? [{ kind: one.kind, id, title: one.title, update_time: one.modifiedAt }] : [];
  });
}
