import { z } from 'zod';
import { integer, text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { archiveKey } from '../../ports/archives.ts';
import { baseFor } from '../permissions.ts';
import { baseId } from '../schema.ts';

const linkSeconds = 60 * 60;

export const export_knowledge_base = operation({
  name: 'export_knowledge_base',
  summary:
    'Gives a link, good for an hour, to a knowledge base as a zip archive: files as they came, notes, ' +
    'pages and sessions as Markdown, folders as folders. The archive is made while it is downloaded, ' +
    'from what is there at that moment.\nExample: {"knowledge_base_id":"kb_..."}',
  effect: 'read',
  input: z.object({ knowledge_base_id: baseId() }),
  output: z.object({
    url: text('Where to download the archive.'),
    item_number: integer('Items in the knowledge base now, in all folders.'),
    expired_time: integer('When the link ends, in Unix seconds. A download that has begun by then goes on.'),
  }),
  async run(input, context) {
    const base = await baseFor(context, input.knowledge_base_id, 'view');
    const url = context.links.signedLink(archiveKey(context.caller.userId, base.id), {
      fileName: `${base.name}.zip`,
      contentType: 'application/zip',
      seconds: linkSeconds,
    });
    return { url, item_number: base.itemCount, expired_time: Math.floor(context.clock.now() / 1000) + linkSeconds };
  },
});
