import { text } from '../../../kernel/field-schemas.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';
import { operation } from '../../../kernel/operation.ts';
import { parseTagChange, tagChangeFields, tagsAfter, toTagFailure, toTagInfos } from '../../../kernel/tag-fields.ts';
import { fileId } from '../schema.ts';

export const tag_file = operation({
  summary:
    'Adds and removes tags of a spreadsheet, seen by everyone who may see it; wiki.list_tags lists all.\n' +
    'Example: {"file_id":"doc_...","add":["review"]}',
  effect: 'write',
  idempotent: true,
  input: { file_id: fileId(), ...tagChangeFields },
  output: { file_id: text("The document's id."), tags: tagsAfter() },
  async run(input, context) {
    const change = parseTagChange(input);
    const { document } = await context.documents.access(context, input.file_id, 'editor');
    const object = { kind: 'sheet' as const, id: document.id, ownerId: document.ownerId };
    return writeAndAnswer(
      context,
      () => context.tags.change(context.stamp, object, change),
      (tags) => ({ file_id: document.id, tags: toTagInfos(tags) }),
    ).catch((error: unknown) => {
      throw toTagFailure(error);
    });
  },
});
