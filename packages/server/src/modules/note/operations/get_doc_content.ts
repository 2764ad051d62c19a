import { fail } from '../../../kernel/errors.ts';
import { integerEnum, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { requireOwnNote } from '../note-writes.ts';
import { noteIdFields, noteIds } from '../schema.ts';

export const get_doc_content = operation({
  summary:
    "Returns the text of one of the caller's notes, plain or as JSON blocks. For Markdown or an earlier " +
    'version use export_note.\nExample: {"note_id":"note_...","target_content_format":0}',
  effect: 'read',
  input: {
    ...noteIdFields,
    target_content_format: integerEnum(
      '0 plain text (recommended), 2 a JSON array of blocks. 1 (Markdown) is refused; use export_note.',
      [0, 1, 2],
    ),
  },
  output: { content: text('The text in the requested format; JSON is serialized to a string.'), ...noteIds },
  aliases: { doc_id: 'note_id' },
  async run({ note_id: id, target_content_format: format }, context) {
    if (format === 1)
      throw fail(
        'invalid_parameter',
        'target_content_format: must be 0 (plain text) or 2 (JSON) (got 1); use export_note for Markdown',
      );
    const { notes, caller } = context;
    const stored = await notes.note(id);
    if (stored && stored.userId !== caller.userId && (await context.sharedNotes.sharedWith(id, caller.userId))) {
      throw fail(
        'shared_note',
        'note_id: the note is in a knowledge base shared with you; read it with wiki.get_knowledge_content',
      );
    }
    const note = await requireOwnNote(context, id, 'not_author');
    const { text: plain, blocks } = await context.markdown.parse((await notes.markdown(id)) ?? '', caller.userId);
    context.reply.version = note.version;
    return { content: format === 0 ? plain : blocks, note_id: id, doc_id: id };
  },
});
