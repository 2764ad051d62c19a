import type { Revision } from '../../../ports/sheet-store.ts';
import type { Sql } from '../database.ts';
import { sql } from '../statement.ts';
import { addNotices, deleteNotices, findMentioned, followCommented } from './notices.ts';

interface CellEntry {
  id: string;
  author: string;
  text: string;
}

interface CellThread {
  id: string;
  entries: readonly CellEntry[];
}

/**
 * Matches the names of the operations that change comment threads on cells. `Revision.tool` begins with the operation's
 * name. Revisions by other operations are not parsed for comments.
 */
const commentTools = /^(?:set_comment|delete_object|batch|revert)(?:[ :]|$)/;

/**
 * Fields of a stored spreadsheet change (mutation) that are needed to find changes of comment threads. With `list` set
 * to 'comments', `mark` is a thread that is added or replaced, and `id` is the id of a thread that is removed. Other
 * changes have other fields.
 */
interface StoredMutation {
  data?: { list?: string; mark?: CellThread; id?: string };
}

function commentMutations(mutations: string): NonNullable<StoredMutation['data']>[] {
  return (JSON.parse(mutations) as StoredMutation[]).flatMap(({ data }) => (data?.list === 'comments' ? [data] : []));
}

/**
 * Stores the inbox notices for the changes that `revisions` make to comment threads on cells. Must be called in the
 * transaction that adds the revisions to the spreadsheet's log. To save time, parses only revisions by operations that
 * match `commentTools`.
 */
export async function addCellNotices(tx: Sql, documentId: string, revisions: readonly Revision[]): Promise<void> {
  for (const revision of revisions) if (commentTools.test(revision.tool)) await addNoticesOf(tx, documentId, revision);
}

async function addNoticesOf(tx: Sql, documentId: string, revision: Revision): Promise<void> {
  const threads = commentMutations(revision.mutations);
  if (threads.length === 0) return;
  const undone = commentMutations(revision.inverse);
  const before = new Map(undone.flatMap(({ mark: thread }) => thread?.entries.map((one) => [one.id, one.text]) ?? []));
  const owner = await tx.get<{ owner_id: string }>(sql`SELECT owner_id FROM document WHERE id = ${documentId}`);
  for (const { mark: thread, id } of threads) {
    if (!thread) {
      if (id !== undefined) await deleteNotices(tx, documentId, id);
      continue;
    }
    const kept = new Set(thread.entries.map((one) => one.id));
    for (const one of undone.find((other) => other.mark?.id === thread.id)?.mark?.entries ?? [])
      if (!kept.has(one.id)) await deleteNotices(tx, documentId, thread.id, one.id);
    const resource = { kind: 'sheet', id: documentId } as const;
    for (const entry of thread.entries) {
      if (before.get(entry.id) === entry.text || entry.author !== revision.userId) continue;
      const isNew = !before.has(entry.id);
      if (!isNew)
        await tx.execute(sql`UPDATE comment_notice SET version = ${revision.version} WHERE subject_id = ${documentId}
          AND thread_id = ${thread.id} AND entry_id = ${entry.id}`);
      await followCommented(tx, resource, entry.author, revision.at);
      await addNotices(tx, {
        kind: 'sheet',
        subjectId: documentId,
        threadId: thread.id,
        entryId: entry.id,
        authorId: entry.author,
        version: revision.version,
        at: revision.at,
        mentioned: (await findMentioned(tx, entry.text)).map((user) => user.id),
        // Keep only authors who are users, because participants are notified of a reply. The author of a comment
        // imported from a file is only a name.
        others: isNew
          ? {
              participants: thread.entries.map(({ author }) => author).filter((one) => one.startsWith('user_')),
              ownerId: owner?.owner_id ?? entry.author,
            }
          : undefined,
      });
    }
  }
}

/**
 * Returns the text of a comment from the mutations (changes as JSON) of the revision that wrote it, to show it in an
 * inbox. Returns undefined if the mutations do not contain the comment.
 */
export function entryTextIn(mutations: string, entryId: string): string | undefined {
  for (const { mark: thread } of commentMutations(mutations)) {
    const entry = thread?.entries.find(({ id }) => id === entryId);
    if (entry) return entry.text;
  }
  return undefined;
}
