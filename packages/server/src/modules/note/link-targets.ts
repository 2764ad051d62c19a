import type { Context } from '../../context.ts';
import type { NoteLink } from '../../ports/note-graph.ts';
import { accessibleNotes } from './note-access.ts';

export interface VisibleTarget {
  title: string;
  /** Id of the knowledge base that contains the target; not set if the target is a note or a spreadsheet. */
  baseId?: string;
}

/**
 * Returns the notes, spreadsheets and knowledge base items to which the links lead, by id. Leaves out targets that do
 * not exist or that the caller may not see.
 */
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
 * Returns whether the caller may use a module, such as `sheet`. An API key can be limited to some modules, and its
 * caller must not learn through links about documents of other modules.
 */
function isModuleAllowed({ caller }: Context, module: string): boolean {
  return caller.modules.includes('*') || caller.modules.includes(module);
}
