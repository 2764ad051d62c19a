import { text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { resolveActingUser, createSignInToken, requireUser, refuseExpiringKey } from '../keys-and-sessions.ts';
import { userId } from '../schema.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';

export const create_sign_in_link = operation({
  summary:
    'Creates a one-time sign-in link, valid for one day. The owner may pass any user. Refused for a key that expires.',
  effect: 'write',
  secretAnswer: true,
  input: { user_id: userId().optional() },
  output: { sign_in_path: text("Sign-in path, relative to this server's address.") },
  async run(input, context) {
    refuseExpiringKey(context, 'a sign-in link');
    const user = await requireUser(context, resolveActingUser(context, input.user_id));
    return writeAndAnswer(
      context,
      () => createSignInToken(context.accounts, context.stamp, user.id),
      (token) => ({ sign_in_path: `/sign-in?token=${token}` }),
    );
  },
});
