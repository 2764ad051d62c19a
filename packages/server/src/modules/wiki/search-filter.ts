import { z } from 'zod';
import type { Context } from '../../context.ts';
import { fail } from '../../kernel/errors.ts';
import { integer, list, text } from '../../kernel/field-schemas.ts';
import { tagList } from '../../kernel/tag-fields.ts';
import type { SearchSource, SourceFilter } from '../../ports/search-source.ts';
import { requireBase, requireNode } from './permissions.ts';
import { tagFilter } from './tag-filter.ts';

export const entryKinds = ['knowledge', 'folder', 'note', 'sheet'] as const;

/** Input fields that restrict a search over several modules (knowledge bases, notes and spreadsheets). */
export const filterFields = {
  kinds: list('Only these kinds.', z.enum(entryKinds)).min(1).max(entryKinds.length).optional(),
  knowledge_base_id: text('Only in this base.', { min: 1, max: 80 }).optional(),
  author_id: text('Only by this user.', { min: 1, max: 80 }).optional(),
  changed_from: integer('Unix milliseconds.', { min: 0 }).optional(),
  changed_before: integer('Unix milliseconds.', { min: 0 }).optional(),
  tags: tagList('Only what has all these tags.'),
};

export const locationFields = {
  folder_id: text('Only in this folder.', { min: 1, max: 80 }).optional(),
  media_types: list('Only these media types.', integer('Media type.')).min(1).max(20).optional(),
};

export type FilterInput = z.output<z.ZodObject<typeof filterFields>> &
  Partial<z.output<z.ZodObject<typeof locationFields>>>;

export async function parseFilter(input: FilterInput, context: Context): Promise<SourceFilter> {
  const { kinds: only, author_id: authorId, changed_from: changedFrom, changed_before: changedBefore } = input;
  if (changedFrom !== undefined && changedBefore !== undefined && changedBefore <= changedFrom)
    throw fail('invalid_parameter', `changed_before: must be greater than changed_from (got ${changedBefore})`);
  const base =
    input.knowledge_base_id === undefined ? undefined : await requireBase(context, input.knowledge_base_id, 'view');
  const inFolder = input.folder_id === undefined ? undefined : await foldersBelow(context, input.folder_id, base?.id);
  return {
    kinds: only && entryKinds.filter((kind) => only.includes(kind)),
    containerId: base?.id ?? inFolder?.baseId,
    folderIds: inFolder?.ids,
    mediaTypes: input.media_types,
    authorId,
    changedFrom,
    changedBefore,
    ...(input.tags?.length ? await tagFilter(context, input.tags) : {}),
  };
}

const foldersAtOnce = 1000;

/**
 * Returns the ids of a folder and of all folders below it, and the id of their knowledge base. If `baseId` is given,
 * throws unless the folder is in that knowledge base.
 */
async function foldersBelow(
  context: Context,
  id: string,
  baseId: string | undefined,
): Promise<{ baseId: string; ids: ReadonlySet<string> }> {
  const { folder, base } = await requireNode(context, id, 'view', 'folder_id');
  if (!folder)
    throw fail('invalid_parameter', `folder_id: must be a folder of a knowledge base (got the item "${id}")`);
  if (baseId !== undefined && base.id !== baseId)
    throw fail('invalid_parameter', `folder_id: must be in the knowledge base "${baseId}" (got one of "${base.id}")`);
  const children = new Map<string, string[]>();
  for (let after = ''; ;) {
    const page = await context.wiki.items.foldersOfBase(base.id, after, foldersAtOnce);
    for (const one of page) children.set(one.parentId, [...(children.get(one.parentId) ?? []), one.id]);
    if (page.length < foldersAtOnce) break;
    after = page.at(-1)!.id;
  }
  const ids = new Set([id]);
  for (const one of ids) for (const child of children.get(one) ?? []) ids.add(child);
  return { baseId: base.id, ids };
}

/**
 * Returns the search sources (one or more per module) that find entries of the requested kinds. Leaves out the sources
 * of modules to which the caller's API key has no access.
 */
export function visibleSources({ caller, searchSources }: Context, { kinds }: SourceFilter): SearchSource[] {
  return searchSources.filter(
    ({ name, module = name, kinds: found }) =>
      (caller.modules.includes('*') || caller.modules.includes(module)) &&
      (!kinds || found.some((kind) => kinds.includes(kind))),
  );
}
