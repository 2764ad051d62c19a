import type { Context } from '../context.ts';
import { fail, type Failure } from '../operation/errors.ts';
import { show } from '../operation/parse.ts';
import type { BaseRole, Folder, Item, MemberBase, Session } from '../ports/wiki-store.ts';

/** The access a call requires: read the base, change its content, or change the base itself. */
export type Need = 'view' | 'edit' | 'own';

const rank: Record<BaseRole, number> = { viewer: 0, editor: 1, owner: 2 };
const needed: Record<Need, number> = { view: 0, edit: 1, own: 2 };

/** True if the text can be one of our ids; others need no database lookup. */
export function isId(id: string): boolean {
  return /^[\w-]{1,80}$/.test(id);
}

/** The same error for foreign, deleted and nonexistent objects. */
export function unknown(field: string, what: string, id: string): Failure {
  return fail('no_permission', `${field}: there is no ${what} ${show(id)} that you may see`);
}

export async function baseFor(
  context: Context,
  id: string,
  need: Need,
  field = 'knowledge_base_id',
): Promise<MemberBase> {
  const base = isId(id) ? await context.wiki.bases.base(id, context.caller.userId) : undefined;
  if (!base) throw unknown(field, 'knowledge base', id);
  refuseLowRole(base, need, field);
  return base;
}

function refuseLowRole(base: MemberBase, need: Need, field: string): void {
  if (rank[base.role] >= needed[need]) return;
  const wanted = need === 'own' ? 'its owner' : 'an owner or editor of it';
  throw fail(
    'no_permission',
    `${field}: you are ${base.role === 'editor' ? 'an editor' : 'a viewer'} of the knowledge base ${show(base.id)}; this requires ${wanted}`,
  );
}

/** Resolves a folder of this base; undefined, '' and the base's id mean the root. */
export async function folderIn(
  context: Context,
  base: MemberBase,
  id: string | undefined,
  field = 'folder_id',
): Promise<string> {
  if (id === undefined || id === '' || id === base.id) return base.id;
  await knownFolder(context, base, id, field);
  return id;
}

export async function knownFolder(
  context: Context,
  base: MemberBase,
  id: string,
  field = 'folder_id',
): Promise<Folder> {
  const folder = isId(id) ? await context.wiki.tree.folder(id) : undefined;
  if (!folder || folder.baseId !== base.id || folder.deletedAt !== null) throw unknown(field, 'folder', id);
  return folder;
}

export async function itemFor(
  context: Pick<Context, 'wiki' | 'caller'>,
  id: string,
  need: Need,
  field = 'media_id',
): Promise<{ item: Item; base: MemberBase }> {
  const item = isId(id) ? await context.wiki.items.item(id) : undefined;
  const base =
    item && item.deletedAt === null ? await context.wiki.bases.base(item.baseId, context.caller.userId) : undefined;
  if (!item || !base) throw unknown(field, 'item', id);
  refuseLowRole(base, need, field);
  return { item, base };
}

/** Finds an item or folder, because search results return both as media_id. */
export async function nodeFor(
  context: Context,
  id: string,
  need: Need,
  field = 'media_id',
): Promise<{ item?: Item; folder?: Folder; base: MemberBase }> {
  const folder = isId(id) ? await context.wiki.tree.folder(id) : undefined;
  if (!folder) {
    const item = isId(id) ? await context.wiki.items.item(id) : undefined;
    if (!item) throw unknown(field, 'item or folder', id);
    const base =
      item.deletedAt === null ? await context.wiki.bases.base(item.baseId, context.caller.userId) : undefined;
    if (!base) throw unknown(field, 'item or folder', id);
    refuseLowRole(base, need, field);
    return { item, base };
  }
  const base =
    folder.deletedAt === null ? await context.wiki.bases.base(folder.baseId, context.caller.userId) : undefined;
  if (!base) throw unknown(field, 'item or folder', id);
  refuseLowRole(base, need, field);
  return { folder, base };
}

/** Refuses the whole call if an id is malformed. */
export function refuseForeignIds(ids: readonly string[], field: string): void {
  for (const id of ids) if (!isId(id)) throw unknown(field, 'item or folder', id);
}

export async function ownSession(context: Context, id: string, field = 'session_id'): Promise<Session> {
  const session = isId(id) ? await context.wiki.sessions.session(id) : undefined;
  if (!session || session.userId !== context.caller.userId) throw unknown(field, 'session', id);
  return session;
}

/**
 * The caller's own note; other users' notes and deleted ones give the same error as unknown ones. The key needs access
 * to notes, because adding a note to a base makes it readable there.
 */
export async function ownNote(context: Context, id: string, field: string): Promise<{ title: string }> {
  const { modules } = context.caller;
  if (!modules.includes('*') && !modules.includes('note'))
    throw fail(
      'no_permission',
      `${field}: this API key has no access to the module note (it has access to ${modules.join(', ')})`,
    );
  const note = isId(id) ? await context.noteReader.note(id) : undefined;
  if (!note || note.userId !== context.caller.userId || note.isDeleted) throw unknown(field, 'note', id);
  return note;
}
