import { list } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { resolveActingUser } from '../keys-and-sessions.ts';
import { keyInfo, toKeyInfo, userId } from '../schema.ts';

export const list_keys = operation({
  summary: "Lists the caller's API keys. The owner may list any user's.",
  effect: 'read',
  input: { user_id: userId().optional() },
  output: { keys: list('API keys, oldest first, including revoked ones.', keyInfo) },
  async run(input, context) {
    return { keys: (await context.accounts.listKeys(resolveActingUser(context, input.user_id))).map(toKeyInfo) };
  },
});
