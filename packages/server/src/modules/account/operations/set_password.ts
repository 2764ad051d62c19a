import { publishAccessChange } from '../../../kernel/access-changes.ts';
import { operation } from '../../../kernel/operation.ts';
import { resolveActingUser, requireUser, refuseExpiringKey } from '../keys-and-sessions.ts';
import { refuseWeakPassword } from '../password-rules.ts';
import { password, userId } from '../schema.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';

export const set_password = operation({
  summary:
    "Sets the caller's password; ends all other sessions and connected apps, not API keys. The owner may set any " +
    "user's. Refused for a key that expires.",
  effect: 'write',
  idempotent: true,
  input: { password: password(), user_id: userId().optional() },
  output: {},
  async run(input, context) {
    refuseExpiringKey(context, 'a password');
    const user = await requireUser(context, resolveActingUser(context, input.user_id));
    refuseWeakPassword(input.password, user.name);
    const hash = await context.passwords.hash(input.password);
    const data = await writeAndAnswer(
      context,
      // This also ends the user's other sessions, since someone else may know the old password.
      () => context.accounts.setPassword(context.stamp, user.id, hash, context.caller.keyId),
    );
    publishAccessChange(context, { user_id: user.id });
    return data;
  },
});
