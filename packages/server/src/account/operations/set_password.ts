import { z } from 'zod';
import { accessChanged } from '../../operation/access.ts';
import { nothing } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { actingFor, existingUser, refuseShortLived } from '../model.ts';
import { password, userId } from '../schema.ts';
import { answered } from '../../operation/stored-answer.ts';

export const set_password = operation({
  name: 'set_password',
  summary:
    "Sets the caller's password; ends all other sessions and connected apps, not API keys. The owner may set any " +
    "user's. Refused for a key that expires.",
  effect: 'write',
  idempotent: true,
  input: z.object({ password: password(), user_id: userId().optional() }),
  output: nothing,
  async run(input, context) {
    refuseShortLived(context, 'a password');
    const user = await existingUser(context, actingFor(context, input.user_id));
    const hash = await context.passwords.hash(input.password);
    const data = await answered(
      context,
      // Also ends the user's other sessions, since the old password may be known to someone else.
      () => context.accounts.setPassword(context.stamp, user.id, hash, context.caller.keyId),
      () => ({}),
    );
    accessChanged(context, { user_id: user.id });
    return data;
  },
});
