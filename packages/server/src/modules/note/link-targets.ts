import type { Context } from '../../context.ts';
import type { NoteLink } from '../../ports/note-graph.ts';
import { accessibleNotes } from './note-access.ts';

export interface VisibleTarget {
  title: string;
  /** Knowledge base that holds an item. */
  baseId?: string;
}

/** Returns by id those targets of the links that exist and that the caller may see. */
export async function visibleTargets(
  context: Context,
  links: readonly NoteLink[],
): Promise<Map<string, VisibleTarget>> {
  const idsOf = (kind: NoteLink['kind']): string[] =>
    [...new Set(links.filter((link) => link.kind === kind).map((link) => link.targetId))].filter((id) => id !== '');
  const { userId } = context.caller;
  const found = new Map<string, VisibleTarget>();
  for (const { id, title } of (await accessibleNotes(context, idsOf('note'), 'read')).values())
    found.set(id, { title });
  const sheetIds = idsOf('sheet');
  if (sheetIds.length > 0 && isModuleAllowed(context, 'sheet'))
    for (const { document, role } of await context.sheets.findAll(sheetIds, userId))
      if (role !== undefined && document.deletedAt === null) found.set(document.id, { title: document.title });
  const itemIds = idsOf('item');
  if (itemIds.length > 0 && isModuleAllowed(context, 'wiki')) {
    const bases = new Set((await context.wiki.bases.basesOf(userId)).map((base) => base.id));
    for (const item of await context.wiki.items.items(itemIds))
      if (item.deletedAt === null && bases.has(item.baseId))
        found.set(item.id, { title: item.title, baseId: item.baseId });
  }
  return found;
}

/**
 * Returns whether the caller's key gives access to a module. A link must not reveal objects of a module that the key
 * cannot use.
 */
function isModuleAllowed({ caller }: Context, module: string): boolean {
  return caller.modules.includes('*') || caller.modules.includes(module);
}
