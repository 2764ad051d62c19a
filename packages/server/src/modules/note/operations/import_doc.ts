import { newId } from '../../../lib/ids.ts';
import { withListedLimits } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { cleanTitle, buildPreview } from '../parse-markdown.ts';
import { chooseNotebook } from '../notebook-folders.ts';
import { idsAndVersion, noteLimits, writeAndNotify } from '../note-writes.ts';
import { contentFormat, folderId, markdown, noteIds, plainString, title } from '../schema.ts';

export const import_doc = operation({
  summary:
    'Creates a note from Markdown and returns its id. To add to an existing note use append_doc.\n' +
    'Example: {"content_format":1,"content":"# Shopping\\n\\n- milk","folder_name":"Home"}',
  effect: 'write',
  isOneWrite: true,
  input: {
    content_format: contentFormat(),
    content: withListedLimits(
      markdown('The Markdown, up to 1 MiB. Its first heading, or else its first line, becomes the title.'),
    ),
    folder_id: folderId('Target notebook; none if omitted.').optional(),
    folder_name: plainString(
      'Name of the target notebook, created if missing; with folder_id it must be its name.',
    ).optional(),
    title: title('Title; taken from the content if omitted.').optional(),
  },
  output: noteIds,
  async run(input, context) {
    const given = cleanTitle(input.title ?? '');
    const notebook = await chooseNotebook(context, input.folder_id, input.folder_name);
    const head = await context.markdown.parseHead(input.content, context.caller.userId);
    const preview = buildPreview(head, given === '' ? undefined : given);
    const id = newId('note');
    const { userId } = context.caller;
    const made = { id, userId, notebook, preview, isTitled: given !== '', markdown: input.content };
    return writeAndNotify(
      context,
      id,
      () => context.notes.create(context.stamp, made, noteLimits(context)),
      idsAndVersion(context),
      { stranger: 'not_author' },
    );
  },
});
