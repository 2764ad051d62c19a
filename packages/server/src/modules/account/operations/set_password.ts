import { publishAccessChange } from '../../../kernel/access-changes.ts';
import { operation } from '../../../kernel/operation.ts';
import { resolveActingUser, requireUser, refuseExpiringKey } from '../keys-and-sessions.ts';
import { refuseWeakPassword } from '../password-rules.ts';
import { fail } from '../../../kernel/errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import type { Context } from '../../../context.ts';
import type { User } from '../../../ports/account-store.ts';
import { password, userId } from '../schema.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';

export const set_password = operation({
  summary:
    "Sets the caller's password; ends all other sessions and connected apps, not API keys. The owner may set any " +
    "user's. A browser session says the old one too, unless it began with a one-time link. Refused for a key that expires.",
  effect: 'write',
  idempotent: true,
  input: {
    password: password(),
    old_password: text('The password so far.', { max: 256 }).optional(),
    user_id: userId().optional(),
  },
  output: {},
  async run(input, context) {
    refuseExpiringKey(context, 'a password');
    const user = await requireUser(context, resolveActingUser(context, input.user_id));
    refuseWeakPassword(input.password, user.name);
    await requireOldPassword(context, user, input.old_password);
    const hash = await context.passwords.hash(input.password);
    const data = await writeAndAnswer(
      context,
      // setPassword also ends the user's other sessions and disconnects the user's apps, because someone else may know
      // the old password.
      () => context.accounts.setPassword(context.stamp, user.id, hash, context.caller.keyId),
    );
    publishAccessChange(context, { user_id: user.id });
    return data;
  },
});

/**
 * Throws if a browser session changes the user's own password without the correct old password, because someone else
 * may be using the browser. The old password is not needed in a session that began with a one-time sign-in link,
 * because the user may have forgotten it.
 */
async function requireOldPassword(context: Context, user: User, old: string | undefined): Promise<void> {
  const { accounts, caller, passwords, oldPasswords } = context;
  if (caller.via !== 'session' || caller.userId !== user.id) return;
  const passwordHash = (await accounts.userByName(user.name))?.passwordHash;
  if (passwordHash === undefined || passwordHash === null) return;
  const sessions = await accounts.listSessions(user.id);
  if (sessions.find(({ id }) => id === caller.keyId)?.isByLink) return;
  if (old === undefined) throw fail('invalid_parameter', 'old_password: is required to replace a password');
  const wait = oldPasswords.secondsToWait(user.id);
  if (wait > 0)
    throw fail('rate_limited', `old_password: was wrong too often; try again in ${wait} s`, { retryAfter: wait });
  if (await passwords.verify(passwordHash, old)) return;
  oldPasswords.take(user.id);
  throw fail('invalid_parameter', 'old_password: is not the current password');
}
