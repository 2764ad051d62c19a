import { z } from 'zod';
import { newId } from '../../lib/ids.ts';
import { operation } from '../../operation/operation.ts';
import { cleanTitle, faceOf } from '../content.ts';
import { choose } from '../folders.ts';
import { limitsOf, writing } from '../model.ts';
import { contentFormat, folderId, markdown, noteIds, plainString, title } from '../schema.ts';

export const import_doc = operation({
  name: 'import_doc',
  summary:
    'Makes a new note from Markdown and gives its id. To add to an existing note use append_doc.\n' +
    'Example: {"content_format":1,"content":"# Shopping\\n\\n- milk","folder_name":"Home"}',
  effect: 'write',
  input: z.object({
    content_format: contentFormat(),
    content: markdown('The Markdown, up to 1 MiB. Its first heading, else its first line, becomes the title.'),
    folder_id: folderId('Notebook to put it in; none when omitted.').optional(),
    folder_name: plainString(
      "Notebook by name, made when missing; with folder_id it must be that one's name.",
    ).optional(),
    title: title('Title, when it should not come from the content.').optional(),
  }),
  output: z.object(noteIds),
  async run(input, context) {
    const given = cleanTitle(input.title ?? '');
    const notebook = await choose(context, input.folder_id, input.folder_name);
    const head = await context.markdown.head(input.content, context.caller.userId);
    const face = faceOf(head, given === '' ? undefined : given);
    const note = await writing(context, 'not_author', () =>
      context.notes.create(
        context.stamp,
        {
          id: newId('note'),
          userId: context.caller.userId,
          notebook,
          face,
          isTitled: given !== '',
          markdown: input.content,
        },
        limitsOf(context),
      ),
    );
    context.reply.version = note.version;
    return { note_id: note.id, doc_id: note.id };
  },
});
