import { z } from 'zod';
import { accessChanged } from '../../operation/access.ts';
import { fail } from '../../operation/errors.ts';
import { nothing, text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { answered } from '../../operation/stored-answer.ts';

export const end_session = operation({
  name: 'end_session',
  summary: 'Signs out a browser session.',
  effect: 'destroy',
  input: z.object({ session_id: text('From list_sessions.', { min: 1, max: 64 }) }),
  output: nothing,
  async run(input, context) {
    const { accounts, caller, stamp } = context;
    const data = await answered(
      context,
      () => accounts.deleteSession(stamp, caller.userId, input.session_id),
      (isDone) => {
        if (isDone) return {};
        throw fail('not_found', `session_id: there is no session ${JSON.stringify(input.session_id)}`);
      },
    );
    accessChanged(context, { user_id: caller.userId });
    return data;
  },
});
