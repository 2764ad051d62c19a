import { z } from 'zod';
import { fail } from '../../operation/errors.ts';
import { nothing, oneOf, text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { fileId } from '../schema.ts';

export const share_file = operation({
  name: 'share_file',
  summary: 'Gives another user access to a spreadsheet, changes it, or takes it away.\nExample: {"file_id":"...","user_id":"...","role":"editor"}',
  effect: 'write',
  idempotent: true,
  input: z.object({
    file_id: fileId(),
    user_id: text('Who.', { min: 1, max: 64 }),
    role: oneOf('viewer reads, editor also writes, none ends the access.', ['viewer', 'editor', 'none']),
  }),
  output: nothing,
  async run(input, context) {
    const { document } = await context.documents.access(context, input.file_id, 'owner');
    if (input.user_id === document.ownerId) throw fail('invalid_parameter', 'user_id: the owner\'s own access cannot be changed');
    const user = await context.accounts.user(input.user_id);
    if (user?.state !== 'active') throw fail('no_such_object', `user_id: there is no user ${JSON.stringify(input.user_id)}`);
    await context.sheets.share(context.stamp, document.id, user.id, input.role === 'none' ? undefined : input.role);
    return {};
  },
});
