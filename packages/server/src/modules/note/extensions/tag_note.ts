import { operation } from '../../../kernel/operation.ts';
import { parseTagChange, tagChangeFields, tagsAfter, toTagFailure, toTagInfos } from '../../../kernel/tag-fields.ts';
import { requireNote } from '../note-access.ts';
import { writeAndNotify } from '../note-writes.ts';
import { noteIdFields, noteIds } from '../schema.ts';

export const tag_note = operation({
  summary:
    'Adds and removes tags of a note. A #word in the text is a tag too; wiki.list_tags lists all.\n' +
    'Example: {"note_id":"note_...","add":["review"]}',
  effect: 'write',
  idempotent: true,
  input: { ...noteIdFields, ...tagChangeFields },
  output: { ...noteIds, tags: tagsAfter() },
  aliases: { doc_id: 'note_id' },
  async run({ note_id: id, add, remove }, context) {
    const change = parseTagChange({ add, remove });
    const note = await requireNote(context, id, 'write');
    const object = { kind: 'note' as const, id, ownerId: note.userId };
    return writeAndNotify(
      context,
      id,
      () => context.tags.change(context.stamp, object, change),
      (tags) => ({ note_id: id, doc_id: id, tags: toTagInfos(tags) }),
      { author: note.userId },
    ).catch((error: unknown) => {
      throw toTagFailure(error);
    });
  },
});
