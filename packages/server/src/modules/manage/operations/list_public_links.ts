import { z } from 'zod';
import { list } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { listedPublicLink, listPublicLinks } from '../../../kernel/public-links.ts';
import { fileId } from '../schema.ts';

export const list_public_links = operation({
  name: 'list_public_links',
  summary: "Lists a document's public links with their addresses.",
  effect: 'read',
  input: z.object({ file_id: fileId() }),
  output: z.object({ links: list('Oldest first.', listedPublicLink) }),
  async run(input, context) {
    const { document } = await context.documents.access(context, input.file_id, 'owner');
    return { links: await listPublicLinks(context, { kind: 'sheet', id: document.id }) };
  },
});
