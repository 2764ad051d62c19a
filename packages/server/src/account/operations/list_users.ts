import { z } from 'zod';
import { list, nothing } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { toUserInfo, userInfo } from '../schema.ts';

export const list_users = operation({
  name: 'list_users',
  summary: 'Lists all users, oldest first.',
  effect: 'read',
  ownerOnly: true,
  input: nothing,
  output: z.object({ users: list('All users, including suspended and deleted ones.', userInfo) }),
  async run(_input, { accounts }) {
    return { users: (await accounts.listUsers()).map(toUserInfo) };
  },
});
