import { z } from 'zod';
import { nothing } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { writing } from '../model.ts';
import { ownSession } from '../permissions.ts';
import { sessionId } from '../session-fields.ts';

export const delete_session = operation({
  name: 'delete_session',
  summary:
    "Permanently deletes one of the caller's saved AI conversations. Knowledge base items created from " +
    'it keep their title but lose their text.\nExample: {"session_id":"session_..."}',
  effect: 'destroy',
  input: z.object({ session_id: sessionId() }),
  output: nothing,
  async run(input, context) {
    const { id } = await ownSession(context, input.session_id);
    return writing(
      context,
      undefined,
      () => context.wiki.sessions.deleteSession(context.stamp, context.caller.userId, id),
      () => ({}),
    );
  },
});
