import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { fail } from '../../../kernel/errors.ts';
import { cursor, flag, integer, list, oneOf, pointInTime, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { tagList } from '../../../kernel/tag-fields.ts';
import { userNames } from '../../../kernel/user-names.ts';
import { changedKinds } from '../../../ports/change-log.ts';
import { pagePath, readVisibleChanges, type Change } from '../changes/visible-changes.ts';
import { decodePosition, encodePosition } from '../changes/position-cursor.ts';

const dayMs = 86_400_000;
const maxTagged = 20_000;

export const list_changes = operation({
  summary:
    'Lists what changed in notes, knowledge bases and spreadsheets, oldest first: titles, people, reasons, links. Poll it ' +
    'with next_cursor, or subscribe to the resource sheaf://changes.\n' +
    'Example: {"since":"2026-05-01T08:00:00Z","by":"me"}',
  effect: 'read',
  anyKey: true,
  input: {
    since: pointInTime('ISO time. Default, without a cursor: 24 hours ago.').optional(),
    before: pointInTime('ISO time.').optional(),
    kinds: list('Only these kinds.', z.enum(changedKinds)).min(1).max(changedKinds.length).optional(),
    in: text('Only in this base, folder or notebook (id).', { min: 1, max: 80 }).optional(),
    tags: tagList('Only what has all these tags.'),
    by: oneOf('Only by the caller, by this key or app, or by others.', ['me', 'app', 'others']).optional(),
    cursor: cursor().optional(),
    limit: integer('Maximum number of results. Default: 50.', { min: 1, max: 200 }).optional(),
  },
  output: {
    changes: list(
      'Oldest first. Repeated writes of one user and operation to one object are one entry.',
      z.object({
        kind: oneOf('Kind of the object.', changedKinds),
        id: text('Its id.'),
        title: text('Its title now; empty if it is deleted and the caller may not edit its base.'),
        url: text('Address of its page.'),
        in: text('Id of its base or notebook; absent if none.').optional(),
        deleted: flag('True if it is in the trash; otherwise absent.').optional(),
        operation: text('What was done, e.g. note.edit_note.'),
        count: integer('Number of writes.'),
        by: text('User name; empty if the account was deleted.'),
        user_id: text('User id.'),
        reason: text('Why, as the caller said; absent if it did not.').optional(),
        time: text('Time of the last write, ISO.'),
        at: integer('The same in Unix milliseconds.'),
      }),
    ),
    next_cursor: text('Continues here, also later: never empty.'),
    is_end: flag('Whether these are all changes so far.'),
  },
  async run(input, context) {
    const { since, before, cursor: from } = input;
    const start = from ? undefined : (since ?? context.clock.now() - dayMs);
    const position = from ? decodePosition(from) : await context.changeLog.positionAt(start!);
    const { changes, next, isEnd } = await readVisibleChanges(
      context,
      context.caller,
      position,
      {
        kinds: input.kinds,
        ids: input.tags?.length ? await taggedIds(context, input.tags) : undefined,
        containerId: input.in,
        since: since ?? start,
        before,
        by: input.by,
      },
      input.limit ?? 50,
    );
    return {
      changes: await withNames(context, changes),
      next_cursor: encodePosition(next),
      is_end: isEnd,
    };
  },
});

async function taggedIds({ tags, caller }: Context, wanted: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await tags.tagged(caller.userId, wanted, ['item', 'note', 'sheet'], maxTagged);
  if (found.length >= maxTagged)
    throw fail(
      'invalid_parameter',
      `tags: ${maxTagged} entries or more have ${JSON.stringify(wanted)}; add a rarer tag`,
    );
  return new Set(found.map(({ id }) => id));
}

async function withNames({ accounts, publicUrl }: Context, changes: readonly Change[]) {
  const names = await userNames(
    accounts,
    changes.map(({ userId }) => userId),
  );
  return changes.map(({ object, userId, operation: done, at, count, reason }) => ({
    kind: object.kind,
    id: object.id,
    title: object.title,
    url: publicUrl.url + pagePath(object),
    ...(object.containerId === '' ? {} : { in: object.containerId }),
    ...(object.isDeleted ? { deleted: true } : {}),
    operation: done,
    count,
    by: names.get(userId) ?? '',
    user_id: userId,
    ...(reason === '' ? {} : { reason }),
    time: new Date(at).toISOString(),
    at,
  }));
}
