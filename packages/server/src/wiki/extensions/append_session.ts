import { z } from 'zod';
import { operation } from '../../operation/operation.ts';
import { limitsOf, writing } from '../model.ts';
import { ownSession } from '../permissions.ts';
import { messages, sessionId, sessionInfo, toSessionInfo } from '../session-fields.ts';

export const append_session = operation({
  name: 'append_session',
  summary:
    "Appends messages to one of the caller's saved AI conversations.\nExample: " +
    '{"session_id":"session_...","messages":[{"role":"assistant","content":"Day one: ..."}]}',
  effect: 'write',
  input: z.object({ session_id: sessionId(), messages: messages(1) }),
  output: sessionInfo,
  async run(input, context) {
    const { id } = await ownSession(context, input.session_id);
    const { userId } = context.caller;
    return writing(
      context,
      undefined,
      () => context.wiki.sessions.appendSession(context.stamp, userId, id, input.messages, limitsOf(context)),
      toSessionInfo,
    );
  },
});
