import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { InboxLine } from '../../ports/inbox.ts';
import type { lineInfo } from './schema.ts';

const maxText = 300;

/**
 * Converts inbox entries to the form of the answer. Adds the names of users and the texts of comments on spreadsheet
 * cells, which are read from the store.
 */
export async function describeLines(
  { inboxStore }: Pick<Context, 'inboxStore'>,
  lines: readonly InboxLine[],
): Promise<z.input<typeof lineInfo>[]> {
  const names = await inboxStore.userNames(lines.flatMap(({ by }) => by));
  const texts = await Promise.all(
    lines.map(({ version, text, subjectId, entryId }) =>
      version === undefined ? text : inboxStore.cellComment({ subjectId: subjectId!, entryId: entryId!, version }),
    ),
  );
  return lines.map((line, index) => {
    const { id, type, isRead, at, count, kind, subjectId, title, by, threadId, entryId, keyId, keyName } = line;
    const said = texts[index];
    return {
      line_id: id,
      type,
      is_read: isRead,
      time: at,
      count,
      by: by.map((userId) => ({ user_id: userId, name: names.get(userId) ?? '' })),
      ...(kind && { kind, id: subjectId!, title: title! }),
      ...(threadId !== undefined && { comment_id: threadId, entry_id: entryId! }),
      ...(said !== undefined && { text: cut(said) }),
      ...(keyId !== undefined && { key_id: keyId, key_name: keyName ?? '', operations: line.operations ?? [] }),
    };
  });
}

function cut(text: string): string {
  const letters = [...text];
  return letters.length <= maxText ? text : `${letters.slice(0, maxText).join('')}…`;
}
