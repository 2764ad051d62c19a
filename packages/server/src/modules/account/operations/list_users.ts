import { list } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { toUserInfo, userInfo } from '../schema.ts';

export const list_users = operation({
  summary: 'Lists all users, oldest first.',
  effect: 'read',
  ownerOnly: true,
  input: {},
  output: { users: list('All users, including suspended and deleted ones.', userInfo) },
  async run(_input, { accounts }) {
    return { users: (await accounts.listUsers()).map(toUserInfo) };
  },
});
