import { fail } from '../../../kernel/errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { createPublicLink, expireTime, publicLink } from '../../../kernel/public-links.ts';
import { requireOwned } from '../resource-access.ts';
import { resourceFields } from '../schema.ts';

export const publish = operation({
  summary:
    'Creates a public link: an address where anyone can read the note, notebook, knowledge base or spreadsheet without ' +
    'signing in, and nothing else. A notebook shows what is in it at the time. Owners only.\n' +
    'Example: {"kind":"note","id":"note_..."}',
  effect: 'write',
  secretAnswer: true,
  input: { ...resourceFields, expire_time: expireTime() },
  output: { link: publicLink.meta({ description: 'The link.' }), url: text('Its address.') },
  async run(input, context) {
    const resource = await requireOwned(context, input, 'write');
    return createPublicLink(context, resource, 'id: it', input.expire_time, (message) =>
      fail('limit_exceeded', message),
    );
  },
});
