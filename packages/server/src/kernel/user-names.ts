import type { AccountStore } from '../ports/account-store.ts';

/** Returns the names of users by id. Each account is read only once; ids without an account are left out. */
export async function userNames(
  accounts: Pick<AccountStore, 'user'>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const users = await Promise.all([...new Set(ids)].map((id) => accounts.user(id)));
  return new Map(users.flatMap((user) => (user ? [[user.id, user.name]] : [])));
}
