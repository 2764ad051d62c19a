import type { Context } from '../../context.ts';
import { fail, type Failure } from '../../kernel/errors.ts';
import { formatValue } from '../../kernel/parse-input.ts';
import type { BaseRole, Folder, Item, MemberBase, AiSession } from '../../ports/wiki-store.ts';

/**
 * Access that a call requires: reading the knowledge base, changing its content, or changing the knowledge base itself.
 */
export type RequiredAccess = 'view' | 'edit' | 'own';

const rank: Record<BaseRole, number> = { viewer: 0, editor: 1, owner: 2 };
const needed: Record<RequiredAccess, number> = { view: 0, edit: 1, own: 2 };

/** Returns whether the text has the form of an id. Texts without this form need no database lookup. */
export function isWellFormedId(id: string): boolean {
  return /^[\w-]{1,80}$/.test(id);
}

/**
 * Creates the error for an object, such as a note or folder, that does not exist, is deleted or is hidden from the
 * caller. All three cases give the same error, so that callers cannot tell them apart.
 */
export function notVisibleError(field: string, what: string, id: string): Failure {
  return fail('no_permission', `${field}: there is no ${what} ${formatValue(id)} that you may see`);
}

export async function requireBase(
  context: Context,
  id: string,
  need: RequiredAccess,
  field = 'knowledge_base_id',
): Promise<MemberBase> {
  const base = isWellFormedId(id) ? await context.wiki.bases.base(id, context.caller.userId) : undefined;
  if (!base) throw notVisibleError(field, 'knowledge base', id);
  refuseLowRole(base, need, field);
  return base;
}

function refuseLowRole(base: MemberBase, need: RequiredAccess, field: string): void {
  if (rank[base.role] >= needed[need]) return;
  const wanted = need === 'own' ? 'its owner' : 'an owner or editor of it';
  throw fail(
    'no_permission',
    `${field}: you are ${base.role === 'editor' ? 'an editor' : 'a viewer'} of the knowledge base ${formatValue(base.id)}; this requires ${wanted}`,
  );
}

/**
 * Returns the id of a folder after checking that it belongs to this knowledge base. The root folder has the id of the
 * knowledge base; undefined and '' mean the root.
 */
export async function resolveFolder(
  context: Context,
  base: MemberBase,
  id: string | undefined,
  field = 'folder_id',
): Promise<string> {
  if (id === undefined || id === '' || id === base.id) return base.id;
  await requireFolder(context, base, id, field);
  return id;
}

export async function requireFolder(
  context: Context,
  base: MemberBase,
  id: string,
  field = 'folder_id',
): Promise<Folder> {
  const folder = isWellFormedId(id) ? await context.wiki.tree.folder(id) : undefined;
  if (!folder || folder.baseId !== base.id || folder.deletedAt !== null) throw notVisibleError(field, 'folder', id);
  return folder;
}

/**
 * Returns the knowledge base of an item or folder. Throws `missing` if the item or folder does not exist or is deleted,
 * or if the caller may not see its knowledge base. Throws another error if the caller's role does not permit the access
 * `need`.
 */
async function requireBaseOf(
  { wiki, caller }: Pick<Context, 'wiki' | 'caller'>,
  node: Item | Folder | undefined,
  need: RequiredAccess,
  field: string,
  missing: Failure,
): Promise<MemberBase> {
  const base = node?.deletedAt === null ? await wiki.bases.base(node.baseId, caller.userId) : undefined;
  if (!base) throw missing;
  refuseLowRole(base, need, field);
  return base;
}

export async function requireItem(
  context: Pick<Context, 'wiki' | 'caller'>,
  id: string,
  need: RequiredAccess,
  field = 'media_id',
): Promise<{ item: Item; base: MemberBase }> {
  const item = isWellFormedId(id) ? await context.wiki.items.item(id) : undefined;
  const base = await requireBaseOf(context, item, need, field, notVisibleError(field, 'item', id));
  return { item: item!, base };
}

/**
 * Returns an item or folder by its id, with its knowledge base. Throws if the caller lacks the required access. Accepts
 * both kinds of ids, because search results return both as `media_id`.
 */
export async function requireNode(
  context: Context,
  id: string,
  need: RequiredAccess,
  field = 'media_id',
): Promise<{ item?: Item; folder?: Folder; base: MemberBase }> {
  const { tree, items } = context.wiki;
  const folder = isWellFormedId(id) ? await tree.folder(id) : undefined;
  const item = !folder && isWellFormedId(id) ? await items.item(id) : undefined;
  const missing = notVisibleError(field, 'item or folder', id);
  return { item, folder, base: await requireBaseOf(context, folder ?? item, need, field, missing) };
}

/** Throws if any id is malformed. The whole call is then refused. */
export function refuseMalformedIds(ids: readonly string[], field: string): void {
  for (const id of ids) if (!isWellFormedId(id)) throw notVisibleError(field, 'item or folder', id);
}

export async function requireOwnSession(context: Context, id: string, field = 'session_id'): Promise<AiSession> {
  const session = isWellFormedId(id) ? await context.wiki.sessions.session(id) : undefined;
  if (!session || session.userId !== context.caller.userId) throw notVisibleError(field, 'session', id);
  return session;
}

/**
 * Returns the caller's own note. Notes of others and deleted notes give the same error as unknown notes. An API key
 * without access to notes is refused, because it could otherwise read a note by adding it to a knowledge base.
 */
export async function requireOwnNote(context: Context, id: string, field: string): Promise<{ title: string }> {
  const { modules } = context.caller;
  if (!modules.includes('*') && !modules.includes('note'))
    throw fail(
      'no_permission',
      `${field}: this API key has no access to the module note (it has access to ${modules.join(', ')})`,
    );
  const note = isWellFormedId(id) ? await context.noteReader.note(id) : undefined;
  if (!note || note.userId !== context.caller.userId || note.isDeleted) throw notVisibleError(field, 'note', id);
  return note;
}
