import { list } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { listedPublicLink, listPublicLinks } from '../../../kernel/public-links.ts';
import { requireOwned } from '../resource-access.ts';
import { resourceFields } from '../schema.ts';

export const list_published = operation({
  summary:
    'Lists the public links of a note, notebook, knowledge base or spreadsheet with their addresses. Owners only.\n' +
    'Example: {"kind":"note","id":"note_..."}',
  effect: 'read',
  input: { ...resourceFields },
  output: { links: list('Oldest first.', listedPublicLink) },
  async run(input, context) {
    return { links: await listPublicLinks(context, await requireOwned(context, input, 'read')) };
  },
});
