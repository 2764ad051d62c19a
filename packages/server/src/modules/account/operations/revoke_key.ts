import { publishAccessChange } from '../../../kernel/access-changes.ts';
import { fail } from '../../../kernel/errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { resolveActingUser } from '../keys-and-sessions.ts';
import { userId } from '../schema.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';

export const revoke_key = operation({
  summary: 'Revokes an API key at once.',
  effect: 'destroy',
  input: { key_id: text("The key's id.", { min: 1, max: 64 }), user_id: userId().optional() },
  output: {},
  async run(input, context) {
    const owner = resolveActingUser(context, input.user_id);
    const data = await writeAndAnswer(
      context,
      () => context.accounts.revokeKey(context.stamp, owner, input.key_id),
      (isDone) => {
        if (isDone) return {};
        throw fail('not_found', `key_id: there is no active key ${JSON.stringify(input.key_id)}`);
      },
    );
    publishAccessChange(context, { user_id: owner });
    return data;
  },
});
