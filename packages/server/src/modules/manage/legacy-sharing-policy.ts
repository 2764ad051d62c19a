import type { Context } from '../../context.ts';
import type { StoredDocument } from '../../ports/sheet-store.ts';

/**
 * Returns who can open a spreadsheet, as the number that older clients expect: 0 only the owner, 1 some users, 2
 * everyone may read, 3 everyone may edit.
 */
export async function legacySharingPolicy(context: Context, { id, ownerId }: StoredDocument): Promise<number> {
  const members = new Map((await context.sheets.members(id)).map((member) => [member.userId, member.role]));
  members.delete(ownerId);
  const shared = (await context.permissions.grants('sheet', id)).filter(({ grantee }) => grantee.kind !== 'user');
  const forAll = shared.find(({ grantee }) => grantee.kind === 'everyone');
  if (forAll) return forAll.role === 'write' ? 3 : 2;
  if (members.size === 0) return shared.length === 0 ? 0 : 1;
  const roles = (await otherActiveUsers(context, ownerId)).map((userId) => members.get(userId));
  if (roles.length === 0 || roles.includes(undefined)) return 1;
  return roles.every((role) => role === 'editor') ? 3 : 2;
}

export async function otherActiveUsers(context: Context, ownerId: string): Promise<string[]> {
  const users = await context.accounts.listUsers();
  return users.filter((user) => user.state === 'active' && user.id !== ownerId).map((user) => user.id);
}
