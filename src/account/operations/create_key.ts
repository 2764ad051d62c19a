import { z } from 'zod';
import { fail } from '../../operation/errors.ts';
import { integer, list, oneOf, text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { actingFor, createKey, existingUser, keyExpiry } from '../model.ts';
import { keyInfo, toKeyInfo, userId as user } from '../schema.ts';

/** Modules do not know each other, so the names stand here; a test compares them with the registry. */
export const moduleNames = ['wiki', 'note', 'sheet', 'manage', 'account'] as const;

export const create_key = operation({
  name: 'create_key',
  summary:
    'Makes an API key. The answer is the only time its secret is shown.\nExample, a key that only reads ' +
    'notes: {"name":"reader","modules":["note"],"access":"read"}',
  effect: 'write',
  secretAnswer: true,
  input: z.object({
    name: text('What the key is for.', { min: 1, max: 100 }),
    modules: list(
      'Modules it is good for; all when omitted. With account it can make further keys, also for other modules.',
      oneOf('Module name.', moduleNames),
      { min: 1, max: 10 },
    ).optional(),
    access: oneOf('read: only operations that change nothing. Default write.', ['read', 'write']).optional(),
    expire_time: integer(
      'Unix milliseconds; never when omitted or 0. With a key that runs out itself: at the latest, and by default, when that one does.',
      { min: 0 },
    ).optional(),
    user_id: user().optional(),
  }),
  output: z.object({
    key: keyInfo.meta({ description: 'The new key.' }),
    api_key: text('The secret: goes into the <prefix>-apikey header.'),
  }),
  async run(input, context) {
    const userId = actingFor(context, input.user_id);
    if (userId !== context.caller.userId) await existingUser(context, userId);
    const own = keyExpiry(context);
    // What a key makes ends with it at the latest: it would be of no use that it ends otherwise.
    const expiresAt = input.expire_time ? input.expire_time : own;
    if (own !== null && expiresAt !== null && expiresAt > own)
      throw fail(
        'no_permission',
        `expire_time: this API key runs out at ${own}, and cannot make one that lasts longer (got ${expiresAt})`,
      );
    if (expiresAt !== null && expiresAt <= context.clock.now())
      throw fail('invalid_parameter', `expire_time: must lie in the future (got ${expiresAt})`);
    const { key, secret } = await createKey(context.accounts, context.stamp, {
      userId,
      name: input.name,
      modules: input.modules,
      access: input.access,
      expiresAt,
    });
    return { key: toKeyInfo(key), api_key: secret };
  },
});
