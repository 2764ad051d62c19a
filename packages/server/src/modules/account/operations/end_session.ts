import { publishAccessChange } from '../../../kernel/access-changes.ts';
import { fail } from '../../../kernel/errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';

export const end_session = operation({
  summary: 'Signs out a browser session.',
  effect: 'destroy',
  input: { session_id: text('From list_sessions.', { min: 1, max: 64 }) },
  output: {},
  async run(input, context) {
    const { accounts, caller, stamp } = context;
    const data = await writeAndAnswer(
      context,
      () => accounts.deleteSession(stamp, caller.userId, input.session_id),
      (isDone) => {
        if (isDone) return {};
        throw fail('not_found', `session_id: there is no session ${JSON.stringify(input.session_id)}`);
      },
    );
    publishAccessChange(context, { user_id: caller.userId });
    return data;
  },
});
