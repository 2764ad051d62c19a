import { z } from 'zod';
import { text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { actingFor, createSignInToken, existingUser, refuseShortLived } from '../model.ts';
import { userId } from '../schema.ts';

export const create_sign_in_link = operation({
  name: 'create_sign_in_link',
  summary:
    'Makes a link that signs the caller in to the page once, within a day; the owner may make one for ' +
    'anybody. Not with a key that runs out: the session would outlive it.',
  effect: 'write',
  secretAnswer: true,
  input: z.object({ user_id: userId().optional() }),
  output: z.object({ sign_in_path: text("Open it below this server's address.") }),
  async run(input, context) {
    refuseShortLived(context, 'a sign-in link');
    const user = await existingUser(context, actingFor(context, input.user_id));
    return { sign_in_path: `/sign-in?token=${await createSignInToken(context.accounts, context.stamp, user.id)}` };
  },
});
