import { z } from 'zod';
import { cursor, integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd, nextCursor, pageOf, readCursor } from '../../../kernel/paging.ts';
import { mayUseKind } from '../../../kernel/resource-kinds.ts';
import { resourceKinds } from '../../../ports/permission-store.ts';
import { sharedInfo } from '../schema.ts';

export const list_shared_with_me = operation({
  summary:
    'Lists what others share with the caller, directly, by a group or with everyone, last modified first.\n' +
    'Example: {"kinds":["note"],"limit":20}',
  effect: 'read',
  input: {
    kinds: list('Only these kinds.', z.enum(resourceKinds)).min(1).max(resourceKinds.length).optional(),
    folder_id: text('Only the notes in this notebook.', { min: 1, max: 256 }).optional(),
    cursor: cursor().optional(),
    limit: integer('Maximum number of results. Default: 50.', { min: 1, max: 100 }).optional(),
  },
  output: { shared: list('What is shared.', sharedInfo), next_cursor: nextCursor(), is_end: isEnd() },
  async run({ kinds: only, folder_id: notebookId, cursor: from, limit = 50 }, context) {
    const { userId } = context.caller;
    const kinds = resourceKinds.filter(
      (kind) =>
        (only?.includes(kind) ?? true) &&
        (notebookId === undefined || kind === 'note') &&
        mayUseKind(context.caller, kind, 'read'),
    );
    const scope = `list_shared_with_me ${userId} ${kinds.join(',')} ${notebookId ?? ''}`;
    const [value, id] = readCursor(scope, from, 'a previous page') ?? [];
    const after = typeof value === 'number' && typeof id === 'string' ? { value, id } : undefined;
    const found =
      kinds.length === 0
        ? []
        : await context.permissions.sharedWith(userId, { kinds, notebookId, after, limit: limit + 1 });
    const { page, is_end, next_cursor } = pageOf(found, limit, scope, (last) => [last.modifiedAt, last.id]);
    const owners = [...new Set(page.map((one) => one.ownerId))];
    const users = await Promise.all(owners.map((owner) => context.accounts.user(owner)));
    const names = new Map(users.flatMap((user) => (user ? [[user.id, user.name]] : [])));
    return {
      shared: page.map(({ kind, id: found, title, role, ownerId, modifiedAt }) => ({
        kind,
        id: found,
        title,
        role,
        owner_id: ownerId,
        owner_name: names.get(ownerId) ?? '',
        modify_time: modifiedAt,
      })),
      next_cursor,
      is_end,
    };
  },
});
