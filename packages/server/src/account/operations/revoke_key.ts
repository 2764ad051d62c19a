import { z } from 'zod';
import { accessChanged } from '../../operation/access.ts';
import { fail } from '../../operation/errors.ts';
import { nothing, text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { actingFor } from '../model.ts';
import { userId } from '../schema.ts';
import { answered } from '../../operation/stored-answer.ts';

export const revoke_key = operation({
  name: 'revoke_key',
  summary: 'Revokes an API key at once.',
  effect: 'destroy',
  input: z.object({ key_id: text("The key's id.", { min: 1, max: 64 }), user_id: userId().optional() }),
  output: nothing,
  async run(input, context) {
    const owner = actingFor(context, input.user_id);
    const data = await answered(
      context,
      () => context.accounts.revokeKey(context.stamp, owner, input.key_id),
      (isDone) => {
        if (isDone) return {};
        throw fail('not_found', `key_id: there is no active key ${JSON.stringify(input.key_id)}`);
      },
    );
    accessChanged(context, { user_id: owner });
    return data;
  },
});
