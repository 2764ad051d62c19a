import { operation } from '../../../kernel/operation.ts';
import { wikiLimits, writeAndNotify } from '../wiki-writes.ts';
import { requireOwnSession } from '../permissions.ts';
import { messages, sessionId, sessionInfo, toSessionInfo } from '../schema.ts';

export const append_session = operation({
  summary:
    "Appends messages to one of the caller's saved AI conversations.\nExample: " +
    '{"session_id":"session_...","messages":[{"role":"assistant","content":"Day one: ..."}]}',
  effect: 'write',
  input: { session_id: sessionId(), messages: messages(1) },
  output: sessionInfo,
  async run(input, context) {
    const { id } = await requireOwnSession(context, input.session_id);
    const { userId } = context.caller;
    return writeAndNotify(
      context,
      undefined,
      () => context.wiki.sessions.appendSession(context.stamp, userId, id, input.messages, wikiLimits(context)),
      toSessionInfo,
    );
  },
});
