import { z } from 'zod';
import { overLimit } from '../../sheet/errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { createPublicLink, expireTime, publicLink } from '../../../kernel/public-links.ts';
import { fileId } from '../schema.ts';

export const create_public_link = operation({
  name: 'create_public_link',
  summary: 'Creates an address where anyone can view the document without signing in.',
  effect: 'write',
  secretAnswer: true,
  input: z.object({ file_id: fileId(), expire_time: expireTime() }),
  output: z.object({ link: publicLink.meta({ description: 'The link.' }), url: text('Its address.') }),
  async run(input, context) {
    const { document } = await context.documents.access(context, input.file_id, 'owner');
    const of = { kind: 'sheet' as const, id: document.id };
    return createPublicLink(context, of, 'file_id: the document', input.expire_time, overLimit);
  },
});
