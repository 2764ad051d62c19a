import { list } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { requireOwned } from '../resource-access.ts';
import { resourceFields, shareInfo, toShareInfo } from '../schema.ts';

export const list_shares = operation({
  summary:
    'Lists whom a note, notebook, knowledge base or spreadsheet is shared with. Owners only.\n' +
    'Example: {"kind":"note","id":"note_..."}',
  effect: 'read',
  input: { ...resourceFields },
  output: { shares: list('Users, then groups, then everyone.', shareInfo) },
  async run(input, context) {
    const { kind, id } = await requireOwned(context, input, 'read');
    return { shares: (await context.permissions.grants(kind, id)).map(toShareInfo) };
  },
});
