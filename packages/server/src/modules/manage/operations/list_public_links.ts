import { z } from 'zod';
import { list } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { publicLink, toPublicLink } from '../public-links.ts';
import { fileId } from '../schema.ts';

export const list_public_links = operation({
  name: 'list_public_links',
  summary: "Lists a document's public links, without their addresses.",
  effect: 'read',
  input: z.object({ file_id: fileId() }),
  output: z.object({ links: list('Oldest first.', publicLink) }),
  async run(input, context) {
    const { document } = await context.documents.access(context, input.file_id, 'owner');
    const links = await context.publicLinks.list(document.id, context.clock.now());
    return { links: links.map(toPublicLink) };
  },
});
