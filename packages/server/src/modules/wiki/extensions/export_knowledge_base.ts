import { integer, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { archiveKey } from '../../../ports/zip-archive-generator.ts';
import { requireBase } from '../permissions.ts';
import { baseId } from '../schema.ts';

const linkSeconds = 60 * 60;

export const export_knowledge_base = operation({
  summary:
    'Returns a link, valid for one hour, to a zip archive of a knowledge base: original files; notes, pages and ' +
    'sessions as Markdown.\nExample: ' +
    '{"knowledge_base_id":"kb_..."}',
  effect: 'read',
  input: { knowledge_base_id: baseId() },
  output: {
    url: text('Download address of the archive.'),
    item_number: integer('Current number of items in the knowledge base, across all folders.'),
    expired_time: integer('Expiry time of the link in Unix seconds. A download already in progress continues.'),
  },
  async run(input, context) {
    const base = await requireBase(context, input.knowledge_base_id, 'view');
    const url = context.signedUrls.sign(archiveKey(context.caller.userId, base.id), {
      fileName: `${base.name}.zip`,
      contentType: 'application/zip',
      seconds: linkSeconds,
    });
    return { url, item_number: base.itemCount, expired_time: Math.floor(context.clock.now() / 1000) + linkSeconds };
  },
});
