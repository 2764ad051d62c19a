import { cursor, integer, list } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd, nextCursor, pageOf, readCursor } from '../../../kernel/paging.ts';
import { requireOwnSession } from '../permissions.ts';
import { messageInfo, sessionId, sessionInfo, toSessionInfo } from '../schema.ts';

export const get_session = operation({
  summary:
    'Returns one of the caller\'s saved AI conversations, with its messages page by page, oldest first.\nExample: {"session_id":"session_..."}',
  effect: 'read',
  input: {
    session_id: sessionId(),
    cursor: cursor().optional(),
    limit: integer('Maximum number of messages. Default: 50.', { min: 1, max: 200 }).optional(),
  },
  output: sessionInfo.extend({
    messages: list('The messages.', messageInfo),
    is_end: isEnd(),
    next_cursor: nextCursor(),
  }),
  async run(input, context) {
    const session = await requireOwnSession(context, input.session_id);
    const scope = `get_session ${session.id}`;
    const after = Number(readCursor(scope, input.cursor)?.[0] ?? 0);
    const limit = input.limit ?? 50;
    const found = await context.wiki.sessions.messages(session.id, after, limit + 1);
    const { page, is_end, next_cursor } = pageOf(found, limit, scope, ({ number }) => [number]);
    return {
      ...toSessionInfo(session),
      messages: page.map(({ role, content, at }) => ({ role: role as 'user', content, create_time: at })),
      is_end,
      next_cursor,
    };
  },
});
