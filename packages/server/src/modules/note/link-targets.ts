import type { Context } from '../../context.ts';
import type { NoteLink } from '../../ports/note-graph.ts';
import { accessibleNotes } from './note-access.ts';

export interface VisibleTarget {
  title: string;
  /** Knowledge base that contains the item; not set for other kinds. */
  baseId?: string;
}

/** Returns those targets of the links that exist and that the caller may see, by id. */
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

/** Returns whether the caller's API key may use a module. Links must not reveal objects of other modules. */
function isModuleAllowed({ caller }: Context, module: string): boolean {
  return caller.modules.includes('*') || caller.modules.includes(module);
}
