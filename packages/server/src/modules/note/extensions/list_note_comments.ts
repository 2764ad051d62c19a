import { z } from 'zod';
import { flag, integer, list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { accessRoles } from '../../../ports/permission-store.ts';
import { requireNote } from '../note-access.ts';
import { boundedText } from '../note-edits.ts';
import { noteIdFields, version } from '../schema.ts';

const person = (description: string) =>
  z.object({ user_id: text('User id.'), name: text('Name.') }).meta({ description });

const thread = z.object({
  comment_id: text('Id of the thread.'),
  quote: text('Text that it is about; empty for the whole note.'),
  before: text('What is around the quote, for finding it: before, without spaces and marks.'),
  after: text('And after.'),
  position: integer('Where in the text it was, in millionths.'),
  heading: text('Heading above it when it began.'),
  place: oneOf('"found", "changed" (the quoted text was edited), "gone" (the text is no more) or "note".', [
    'found',
    'changed',
    'gone',
    'note',
  ]),
  line: integer('Line where it is now; absent if gone.').optional(),
  resolved: flag('Whether it is resolved.'),
  entries: list(
    'What was said.',
    z.object({
      entry_id: text('Its id.'),
      author: person('Who said it.'),
      time: integer('Unix milliseconds.'),
      edited: flag('Whether it was edited.'),
      text: text('The text.'),
      may_edit: flag('Whether the caller may edit it.'),
      may_delete: flag('Whether the caller may delete it.'),
    }),
  ),
});

export const list_note_comments = operation({
  summary:
    'Lists the comments on a note with their places in the text as it is now. A comment whose text is gone stays.\n' +
    'Example: {"note_id":"note_...","include_resolved":false}',
  effect: 'read',
  input: {
    ...noteIdFields,
    include_resolved: flag('false leaves resolved threads out. Default: true.').optional(),
  },
  output: {
    version: version(),
    role: oneOf("The caller's role; comment and above may comment.", accessRoles),
    comments: list('Threads, oldest first.', thread),
  },
  aliases: { doc_id: 'note_id' },
  async run({ note_id: id, include_resolved: isAll = true }, context) {
    const note = await requireNote(context, id, 'read');
    const stored = await context.comments.threads(id);
    const threads = stored.filter(({ resolvedAt }) => isAll || resolvedAt === null);
    const quoted = threads.filter(({ anchor }) => anchor.quote !== '');
    const markdown = quoted.length === 0 ? '' : ((await context.notes.markdown(id, note.version)) ?? '');
    const anchors = quoted.map(({ anchor: { quote, before, after, at } }) => ({ quote, before, after, at }));
    const located =
      quoted.length === 0
        ? []
        : await boundedText(() => context.noteText.locateQuotes(context.caller.userId, markdown, anchors));
    const places = new Map(quoted.map((one, index) => [one.id, located[index] ?? undefined]));
    const names = await context.inboxStore.userNames(
      threads.flatMap(({ entries }) => entries.map((one) => one.userId)),
    );
    const { userId } = context.caller;
    const mayComment = note.role !== 'read';
    return {
      version: note.version,
      role: note.role,
      comments: threads.map(({ id: threadId, anchor, resolvedAt, entries }) => {
        const place = places.get(threadId);
        const state = place ? (place.isChanged ? 'changed' : 'found') : anchor.quote === '' ? 'note' : 'gone';
        return {
          comment_id: threadId,
          quote: anchor.quote,
          before: anchor.before,
          after: anchor.after,
          position: anchor.at,
          heading: anchor.heading,
          place: state as 'found',
          ...(place && { line: place.line }),
          resolved: resolvedAt !== null,
          entries: entries.map((entry) => ({
            entry_id: entry.id,
            author: { user_id: entry.userId, name: names.get(entry.userId) ?? '' },
            time: entry.createdAt,
            edited: entry.editedAt !== null,
            text: entry.text,
            may_edit: mayComment && entry.userId === userId,
            may_delete: mayComment && (entry.userId === userId || note.userId === userId),
          })),
        };
      }),
    };
  },
});
