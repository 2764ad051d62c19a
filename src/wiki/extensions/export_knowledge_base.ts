import { z } from 'zod';
import { newId } from '../../lib/ids.ts';
import { fail } from '../../operation/errors.ts';
import { integer, text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { exportBase } from '../export.ts';
import { baseFor } from '../permissions.ts';
import { baseId } from '../schema.ts';

const linkSeconds = 60 * 60;

export const export_knowledge_base = operation({
  name: 'export_knowledge_base',
  summary: 'Packs a knowledge base into a zip archive and gives a link to it, good for an hour: files as they came, notes, pages and sessions as Markdown, folders as folders.\nExample: {"knowledge_base_id":"kb_..."}',
  effect: 'read',
  input: z.object({ knowledge_base_id: baseId() }),
  output: z.object({
    url: text('Where to get the archive.'),
    file_size: integer('Bytes of the archive.'),
    file_number: integer('Files in it.'),
    expired_time: integer('When the link ends, in Unix seconds.'),
  }),
  async run(input, context) {
    const base = await baseFor(context, input.knowledge_base_id, 'view');
    const key = `exports/${newId('export')}.zip`;
    const now = context.clock.now();
    // Noted first, so that whatever happens the archive does not stay.
    await context.wiki.uploads.discard(key, now + 2 * linkSeconds * 1000);
    const { size, files } = await exportBase(context, base, key, context.signal).catch((error: unknown) => {
      if (context.signal.aborted) throw fail('cancelled', 'the call ended before the archive was written');
      throw error;
    });
    const url = context.links.signedLink(key, { fileName: `${base.name}.zip`, contentType: 'application/zip', seconds: linkSeconds });
    return { url, file_size: size, file_number: files, expired_time: Math.floor(now / 1000) + linkSeconds };
  },
});
