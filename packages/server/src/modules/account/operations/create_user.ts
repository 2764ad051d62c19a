import { newId } from '../../../lib/ids.ts';
import { fail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { createSignInToken } from '../keys-and-sessions.ts';
import { refuseWeakPassword } from '../password-rules.ts';
import { password, toUserInfo, userInfo, userName } from '../schema.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';

export const create_user = operation({
  summary:
    'Creates a member. Without a password, the user signs in with the one-time link in the response.\nExample: {"name":"ada"}',
  effect: 'write',
  secretAnswer: true,
  ownerOnly: true,
  input: { name: userName(), password: password().optional() },
  output: {
    user: userInfo.meta({ description: 'The new user.' }),
    sign_in_path: text('One-time sign-in path for the new user, valid for one day.'),
  },
  async run(input, context) {
    const { accounts, stamp } = context;
    if (await accounts.userByName(input.name))
      throw fail('name_taken', `name: ${JSON.stringify(input.name)} is already taken`);
    if (input.password !== undefined) refuseWeakPassword(input.password, input.name);
    const passwordHash = input.password === undefined ? null : await context.passwords.hash(input.password);
    const made = { id: newId('user'), name: input.name, role: 'member' as const, passwordHash };
    const user = await writeAndAnswer(
      context,
      () => accounts.createUser(stamp, made),
      (user) => user,
    );
    const token = await createSignInToken(accounts, stamp, user.id);
    return { user: toUserInfo(user), sign_in_path: `/sign-in?token=${token}` };
  },
});
