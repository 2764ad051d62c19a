import { fail } from '../../../kernel/errors.ts';
import { integer, list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { resolveActingUser, createKey, requireUser, keyExpiry } from '../keys-and-sessions.ts';
import { keyInfo, toKeyInfo, userId as user } from '../schema.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';

/**
 * Names of the modules, repeated in this file because modules do not import each other. A test compares them with the
 * module registry.
 */
export const moduleNames = ['wiki', 'note', 'sheet', 'manage', 'account', 'sharing', 'inbox'] as const;

export const create_key = operation({
  summary:
    'Creates an API key. Its secret is shown only here.\n' +
    'Example: {"name":"reader","modules":["note"],"access":"read"}',
  effect: 'write',
  secretAnswer: true,
  input: {
    name: text('Purpose of the key.', { min: 1, max: 100 }),
    modules: list(
      'Modules the key may call; all if omitted. With "account" it can create keys for any module.',
      oneOf('Module name.', moduleNames),
      { min: 1, max: 10 },
    ).optional(),
    access: oneOf('"read" allows only operations that change nothing. Default: "write".', ['read', 'write']).optional(),
    expire_time: integer(
      'Unix milliseconds; 0 or omitted: never. The latest, and the default, is when the calling key expires.',
      { min: 0 },
    ).optional(),
    user_id: user().optional(),
  },
  output: {
    key: keyInfo.meta({ description: 'The new key.' }),
    api_key: text("The key's secret; send it in the <prefix>-apikey header."),
  },
  async run(input, context) {
    const userId = resolveActingUser(context, input.user_id);
    if (userId !== context.caller.userId) await requireUser(context, userId);
    const own = keyExpiry(context);
    // A key must not expire later than the key that creates it; otherwise a caller could evade the expiry.
    const expiresAt = input.expire_time ? input.expire_time : own;
    if (own !== null && expiresAt !== null && expiresAt > own)
      throw fail(
        'no_permission',
        `expire_time: this API key expires at ${own} and cannot create a key that outlives it (got ${expiresAt})`,
      );
    if (expiresAt !== null && expiresAt <= context.clock.now())
      throw fail('invalid_parameter', `expire_time: must be in the future (got ${expiresAt})`);
    const { name, modules, access } = input;
    return writeAndAnswer(
      context,
      () => createKey(context.accounts, context.stamp, { userId, name, modules, access, expiresAt }),
      ({ key, secret }) => ({ key: toKeyInfo(key), api_key: secret }),
    );
  },
});
