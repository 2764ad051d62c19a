import type { Context } from '../../context.ts';
import { fail } from '../../kernel/errors.ts';
import type { User } from '../../ports/account-store.ts';
import { isWellFormedId, notVisibleError } from './permissions.ts';

/** Returns a user by id or name. A closed account gives the same error as an unknown account. */
export async function findUser(context: Context, id: string | undefined, name: string | undefined): Promise<User> {
  if ((id ?? '') === '' && (name ?? '') === '')
    throw fail('invalid_parameter', 'user_id: is required unless user_name is sent');
  const user = id
    ? isWellFormedId(id)
      ? await context.accounts.user(id)
      : undefined
    : isName(name!)
      ? await context.accounts.userByName(name!)
      : undefined;
  if (!user || user.state === 'deleted') throw notVisibleError(id ? 'user_id' : 'user_name', 'user', (id || name)!);
  return user;
}

function isName(name: string): boolean {
  return !/[\p{Cc}\p{Surrogate}]/u.test(name);
}
