import { cursor, integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd, nextCursor, pageOf, readCursor } from '../../../kernel/paging.ts';
import { readableApp } from '../memory/owner-app.ts';
import { memoryInfo, toMemoryInfo } from '../memory/schema.ts';

export const list_memories = operation({
  summary:
    'Lists what agents noted by remember, newest first: an app and an API key see their own, a person who is signed in ' +
    'sees those of all apps.',
  effect: 'read',
  input: {
    cursor: cursor().optional(),
    limit: integer('Maximum number of results. Default: 50.', { min: 1, max: 200 }).optional(),
  },
  output: {
    memories: list(
      'Entries, newest first.',
      memoryInfo.extend({ app: text('Name of the app or key that noted it; empty if it had none.') }),
    ),
    next_cursor: nextCursor(),
    is_end: isEnd(),
  },
  async run({ cursor: from, limit = 50 }, { memories, caller }) {
    const scope = `list_memories ${caller.userId}`;
    const [before] = readCursor(scope, from, 'a previous page') ?? [];
    const found = await memories.list(caller.userId, {
      appId: readableApp(caller),
      before: typeof before === 'string' ? before : undefined,
      limit: limit + 1,
    });
    const { page, is_end, next_cursor } = pageOf(found, limit, scope, ({ id }) => [id]);
    return { memories: page.map((one) => ({ ...toMemoryInfo(one), app: one.appName })), next_cursor, is_end };
  },
});
