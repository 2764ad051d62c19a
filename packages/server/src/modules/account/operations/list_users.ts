import { z } from 'zod';
import { list, emptyObject } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { toUserInfo, userInfo } from '../schema.ts';

export const list_users = operation({
  name: 'list_users',
  summary: 'Lists all users, oldest first.',
  effect: 'read',
  ownerOnly: true,
  input: emptyObject,
  output: z.object({ users: list('All users, including suspended and deleted ones.', userInfo) }),
  async run(_input, { accounts }) {
    return { users: (await accounts.listUsers()).map(toUserInfo) };
  },
});
