import { z } from 'zod';
import { list, nothing, oneOf, text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';

export const get_me = operation({
  name: 'get_me',
  summary:
    'Tells who the caller is: user, client id and what the key may do.\nCall it first to check that a key works.',
  effect: 'read',
  anyKey: true,
  input: nothing,
  output: z.object({
    user_id: text("The caller's user id."),
    name: text("The caller's name."),
    role: oneOf('owner or member of this installation.', ['owner', 'member']),
    client_id: text('The client id of the key; empty for a session of the page.'),
    scopes: z
      .object({
        modules: list('Modules the key is good for; ["*"] = all.', z.string()),
        access: oneOf('What the key may do.', ['read', 'write']),
      })
      .meta({ description: 'What the key may do.' }),
  }),
  async run(_input, { caller }) {
    return {
      user_id: caller.userId,
      name: caller.userName,
      role: caller.role,
      client_id: caller.clientId,
      scopes: { modules: [...caller.modules], access: caller.access },
    };
  },
});
