import { z } from 'zod';
import { text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { actingFor, createSignInToken, existingUser, refuseShortLived } from '../model.ts';
import { userId } from '../schema.ts';
import { answered } from '../../operation/stored-answer.ts';

export const create_sign_in_link = operation({
  name: 'create_sign_in_link',
  summary:
    'Creates a one-time sign-in link, valid for one day. The owner may pass any user. Refused for a key that expires.',
  effect: 'write',
  secretAnswer: true,
  input: z.object({ user_id: userId().optional() }),
  output: z.object({ sign_in_path: text("Sign-in path, relative to this server's address.") }),
  async run(input, context) {
    refuseShortLived(context, 'a sign-in link');
    const user = await existingUser(context, actingFor(context, input.user_id));
    return answered(
      context,
      () => createSignInToken(context.accounts, context.stamp, user.id),
      (token) => ({ sign_in_path: `/sign-in?token=${token}` }),
    );
  },
});
