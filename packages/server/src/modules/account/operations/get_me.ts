import { z } from 'zod';
import { list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { profileFields, toProfileInfo } from '../profiles.ts';

export const get_me = operation({
  summary: "Returns the calling user, the client id and the key's permissions.",
  effect: 'read',
  anyKey: true,
  input: {},
  output: {
    user_id: text("The caller's user id."),
    name: text("The caller's name."),
    role: oneOf('Role in this installation: owner or member.', ['owner', 'member']),
    client_id: text('Client id of the key; empty for a browser session.'),
    scopes: z
      .object({
        modules: list('Modules the key may call; ["*"] means all.', z.string()),
        access: oneOf('Permissions of the key.', ['read', 'write']),
      })
      .meta({ description: 'Permissions of the key.' }),
    profile: z
      .object(profileFields)
      .meta({ description: 'What the user says about themselves; only in a browser session.' })
      .optional(),
  },
  async run(_input, { caller, profiles }) {
    return {
      user_id: caller.userId,
      name: caller.userName,
      role: caller.role,
      client_id: caller.clientId,
      scopes: { modules: [...caller.modules], access: caller.access },
      ...(caller.via === 'session' ? { profile: toProfileInfo(await profiles.profile(caller.userId)) } : {}),
    };
  },
});
