import { z } from 'zod';
import { titleSortKey } from '../../../lib/sort-key.ts';
import type { Context } from '../../../context.ts';
import { fail } from '../../../kernel/errors.ts';
import { integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import type { Note } from '../../../ports/note-store.ts';
import { changeNotesWithRetry, maxChangedNotes, type NotesPlan } from '../change-notes-with-retry.ts';
import { accessibleNotes, requireNote } from '../note-access.ts';
import { boundedText } from '../note-edits.ts';
import { cleanTitle, maxTitleLength } from '../parse-markdown.ts';
import { idsAndVersion, writeAndNotify } from '../note-writes.ts';
import { noteIdFields, noteIds, plainString } from '../schema.ts';

export const rename_note = operation({
  summary:
    "Sets a note's title, which then no longer follows the text, and changes [[links]] to it in your notes.\n" +
    'Example: {"note_id":"note_...","title":"Plans"}',
  effect: 'write',
  idempotent: true,
  input: {
    ...noteIdFields,
    title: plainString('The new title.', { min: 1, max: maxTitleLength }),
  },
  output: {
    ...noteIds,
    links_changed: integer('Number of notes whose links were changed; absent if none link to it.').optional(),
    links_unchanged: integer('Number of notes that link to it by the old title and could not be changed.').optional(),
    unchanged_notes: list(
      'Those of them that the caller may read; at most 100.',
      z.object({
        note_id: text("The note's id."),
        title: text('Its title.'),
        author_name: text('Name of its author.'),
      }),
    ).optional(),
    change_id: text('For undo_note_change; only with links_changed.').optional(),
  },
  aliases: { doc_id: 'note_id' },
  async run({ note_id: id, title }, context) {
    const clean = cleanTitle(title);
    if (clean === '') throw fail('invalid_parameter', `title: must not be empty (got ${JSON.stringify(title)})`);
    let unchanged: UnchangedNotes = { count: 0, notes: [] };
    const plan = async (): Promise<NotesPlan> => {
      const planned = await planRename(context, id, clean);
      unchanged = planned.unchanged;
      return planned;
    };
    const first = await plan();
    if (first.texts.length === 0 && unchanged.count === 0)
      return writeAndNotify(
        context,
        id,
        () => context.notes.rename(context.stamp, first.userId, id, clean, titleSortKey(clean)),
        idsAndVersion(context),
      );
    return changeNotesWithRetry(context, first, plan, ({ changeId, notes }) => ({
      ...idsAndVersion(context)(notes.get(id)!),
      links_changed: notes.size - (first.texts.some((text) => text.id === id) ? 0 : 1),
      ...(unchanged.count > 0 ? { links_unchanged: unchanged.count } : {}),
      ...(unchanged.notes.length > 0 ? { unchanged_notes: unchanged.notes } : {}),
      change_id: changeId,
    }));
  },
});

/**
 * Returns the changes that rename a note and replace its title in the notes that link to it. Notes that the caller may
 * not write are left out of the changes and returned in `unchanged`.
 */
async function planRename(
  context: Context,
  id: string,
  title: string,
): Promise<NotesPlan & { unchanged: UnchangedNotes }> {
  const note = await requireNote(context, id, 'write');
  const renames = [{ id, title, titleKey: titleSortKey(title), isTitled: true }];
  const keys = title === note.title ? new Map<string, string[]>() : await linkingTitles(context, note);
  const writable = await accessibleNotes(context, [...keys.keys()].slice(0, maxChangedNotes), 'write');
  const texts: NotesPlan['texts'] = [];
  for (const linking of writable.values()) {
    const markdown = (await context.notes.markdown(linking.id, linking.version)) ?? '';
    const { text: changed, count } = await boundedText(() =>
      context.noteText.relink(context.caller.userId, markdown, keys.get(linking.id)!, { id, title }),
    );
    if (count > 0) texts.push({ id: linking.id, baseVersion: linking.version, markdown: changed });
  }
  const others = [...keys.keys()].filter((linking) => !writable.has(linking));
  return { userId: note.userId, target: id, texts, renames, unchanged: await describeUnchanged(context, others) };
}

interface UnchangedNotes {
  count: number;
  notes: { note_id: string; title: string; author_name: string }[];
}

/**
 * Describes the notes whose links a rename did not update. Returns how many there are, and the titles and authors of
 * those, at most 100, that the caller may read. Other titles must not be revealed.
 */
async function describeUnchanged(context: Context, ids: readonly string[]): Promise<UnchangedNotes> {
  const readable = [...(await accessibleNotes(context, ids.slice(0, maxNamedNotes), 'read')).values()];
  const authors = [...new Set(readable.map((note) => note.userId))];
  const users = await Promise.all(authors.map((author) => context.accounts.user(author)));
  const names = new Map(users.flatMap((user) => (user ? [[user.id, user.name]] : [])));
  return {
    count: ids.length,
    notes: readable.map((note) => ({
      note_id: note.id,
      title: note.title,
      author_name: names.get(note.userId) ?? '',
    })),
  };
}

const maxNamedNotes = 100;

/**
 * Number of links read from the database at a time. This is not a number of notes: if a note links to several headings
 * of another note, each link is a separate row.
 */
const readAtOnce = 2000;

/** Returns the normalized titles (title keys) by which other notes link to this note, by the id of the linking note. */
async function linkingTitles(context: Context, { id, userId }: Note): Promise<Map<string, string[]>> {
  const keys = new Map<string, string[]>();
  for (let after: { noteId: string; number: number } | undefined; ;) {
    const links = await context.noteGraph.linksTo(userId, id, after, readAtOnce);
    for (const { noteId, titleKey } of links)
      if (titleKey !== '') keys.set(noteId, [...(keys.get(noteId) ?? []), titleKey]);
    if (links.length < readAtOnce) return keys;
    after = links.at(-1)!;
  }
}
