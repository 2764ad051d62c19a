import { publishAccessChange } from '../../../kernel/access-changes.ts';
import { fail } from '../../../kernel/errors.ts';
import { integer, oneOf } from '../../../kernel/field-schemas.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';
import { operation } from '../../../kernel/operation.ts';
import { requireUser } from '../keys-and-sessions.ts';
import { userId } from '../schema.ts';

export const update_user = operation({
  summary:
    'Changes the role or the storage quota of a user; what is absent stays. There is always an active owner.\n' +
    'Example: {"user_id":"user_...","role":"owner"}',
  effect: 'write',
  idempotent: true,
  ownerOnly: true,
  input: {
    user_id: userId(),
    role: oneOf('Role: "owner" administers the installation too.', ['owner', 'member']).optional(),
    quota_bytes: integer("Bytes the user may store; -1 for the installation's default.", {
      min: -1,
      max: Number.MAX_SAFE_INTEGER,
    }).optional(),
  },
  output: {},
  async run({ user_id, role, quota_bytes: quota }, context) {
    const user = await requireUser(context, user_id);
    if (role === 'owner' && user.state !== 'active')
      throw fail('invalid_parameter', 'role: a suspended user cannot become an owner');
    const change = {
      ...(role === undefined ? {} : { role }),
      ...(quota === undefined ? {} : { quotaBytes: quota === -1 ? null : quota }),
    };
    const data = await writeAndAnswer(
      context,
      () => context.accounts.changeUser(context.stamp, user.id, change),
      (isDone) => {
        if (isDone) return {};
        throw fail('no_permission', 'role: the last active owner cannot become a member');
      },
    );
    publishAccessChange(context, { user_id: user.id });
    return data;
  },
});
