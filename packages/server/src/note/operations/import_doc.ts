import { z } from 'zod';
import { newId } from '../../lib/ids.ts';
import { listed } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { cleanTitle, previewOf } from '../content.ts';
import { choose } from '../folders.ts';
import { limitsOf, writing } from '../model.ts';
import { contentFormat, folderId, markdown, noteIds, plainString, title } from '../schema.ts';

export const import_doc = operation({
  name: 'import_doc',
  summary:
    'Creates a note from Markdown and returns its id. To add to an existing note use append_doc.\n' +
    'Example: {"content_format":1,"content":"# Shopping\\n\\n- milk","folder_name":"Home"}',
  effect: 'write',
  isOneWrite: true,
  input: z.object({
    content_format: contentFormat(),
    content: listed(
      markdown('The Markdown, up to 1 MiB. Its first heading, or else its first line, becomes the title.'),
    ),
    folder_id: folderId('Target notebook; none if omitted.').optional(),
    folder_name: plainString(
      "Name of the target notebook, which is created if it does not exist. If folder_id is also sent, it must be that notebook's name.",
    ).optional(),
    title: title('Title; taken from the content if omitted.').optional(),
  }),
  output: z.object(noteIds),
  async run(input, context) {
    const given = cleanTitle(input.title ?? '');
    const notebook = await choose(context, input.folder_id, input.folder_name);
    const head = await context.markdown.head(input.content, context.caller.userId);
    const face = previewOf(head, given === '' ? undefined : given);
    const id = newId('note');
    const { userId } = context.caller;
    const made = { id, userId, notebook, face, isTitled: given !== '', markdown: input.content };
    return writing(
      context,
      { target: id, stranger: 'not_author' },
      () => context.notes.create(context.stamp, made, limitsOf(context)),
      (note) => {
        context.reply.version = note.version;
        return { note_id: id, doc_id: id };
      },
    );
  },
});
