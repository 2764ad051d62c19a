import { z } from 'zod';
import { cursor, flag, integer, list } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd, nextCursor, pageOf, readCursor } from '../../../kernel/paging.ts';
import { mayUseKind } from '../../../kernel/resource-kinds.ts';
import { lineTypes } from '../../../ports/inbox.ts';
import { resourceKinds } from '../../../ports/permission-store.ts';
import { describeLines } from '../describe-lines.ts';
import { lineInfo } from '../schema.ts';

export const list_inbox = operation({
  summary:
    'Lists what concerns the caller, newest first: mentions, replies and comments, what was shared, what changed in what ' +
    'is followed, and what API keys and connected apps did. 30 days.\n' +
    'Example: {"unread_only":true,"limit":20}',
  effect: 'read',
  input: {
    types: list('Only lines of these types.', z.enum(lineTypes)).min(1).max(lineTypes.length).optional(),
    unread_only: flag('Only unread lines.').optional(),
    cursor: cursor().optional(),
    limit: integer('Maximum number of lines. Default: 30.', { min: 1, max: 100 }).optional(),
  },
  output: {
    lines: list('The lines.', lineInfo),
    unread: integer('Number of all unread lines.'),
    next_cursor: nextCursor(),
    is_end: isEnd(),
  },
  async run({ types, unread_only: isUnreadOnly = false, cursor: from, limit = 30 }, context) {
    const { caller } = context;
    const kinds = resourceKinds.filter((kind) => mayUseKind(caller, kind, 'read'));
    const all = await context.inbox.lines(caller.userId, kinds);
    const scope = `list_inbox ${caller.userId}`;
    const [at, id] = readCursor(scope, from, 'a previous page') ?? [];
    const isAfter = (line: { at: number; id: string }): boolean =>
      typeof at !== 'number' || line.at < at || (line.at === at && line.id > String(id));
    const wanted = all.filter(
      (line) => isAfter(line) && (types?.includes(line.type) ?? true) && !(isUnreadOnly && line.isRead),
    );
    const { page, ...paging } = pageOf(wanted, limit, scope, (last) => [last.at, last.id]);
    return {
      lines: await describeLines(context, page),
      unread: all.filter((line) => !line.isRead).length,
      ...paging,
    };
  },
});
