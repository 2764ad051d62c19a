import { operation } from '../../../kernel/operation.ts';
import { writeAndNotify } from '../wiki-writes.ts';
import { requireOwnSession } from '../permissions.ts';
import { sessionId } from '../schema.ts';

export const delete_session = operation({
  summary:
    "Permanently deletes one of the caller's saved AI conversations. Knowledge base items created from " +
    'it keep their title but lose their text.\nExample: {"session_id":"session_..."}',
  effect: 'destroy',
  input: { session_id: sessionId() },
  output: {},
  async run(input, context) {
    const { id } = await requireOwnSession(context, input.session_id);
    return writeAndNotify(context, undefined, () =>
      context.wiki.sessions.deleteSession(context.stamp, context.caller.userId, id),
    );
  },
});
