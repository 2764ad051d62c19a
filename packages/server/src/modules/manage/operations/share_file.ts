import { z } from 'zod';
import { publishAccessChange } from '../../../kernel/access-changes.ts';
import { fail } from '../../../kernel/errors.ts';
import { invalid } from '../../sheet/errors.ts';
import { oneOf, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { fileId } from '../schema.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';

export const share_file = operation({
  name: 'share_file',
  summary:
    'Grants, changes or revokes another user\'s access to a spreadsheet.\nExample: {"file_id":"...","user_id":"...","role":"editor"}',
  effect: 'write',
  idempotent: true,
  input: z.object({
    file_id: fileId(),
    user_id: text('User to share with; or send user_name.', { min: 1, max: 64 }).optional(),
    user_name: text('Instead of user_id.', { min: 1, max: 256 }).optional(),
    role: oneOf('"viewer" reads, "editor" also writes, "none" revokes access.', ['viewer', 'editor', 'none']),
  }),
  output: z.object({
    file_id: text('The spreadsheet.'),
    user_id: text('The user.'),
    role: oneOf('Their access now.', ['viewer', 'editor', 'none']),
  }),
  async run(input, context) {
    const { document } = await context.documents.access(context, input.file_id, 'owner');
    const [field, given] = input.user_id === undefined ? ['user_name', input.user_name] : ['user_id', input.user_id];
    if (given === undefined) throw invalid('user_id: is required unless user_name is sent');
    const user =
      input.user_id === undefined ? await context.accounts.userByName(given) : await context.accounts.user(given);
    if (user?.id === document.ownerId) throw invalid(`${field}: the owner's own access cannot be changed`);
    if (user?.state !== 'active') throw fail('no_such_object', `${field}: there is no user ${JSON.stringify(given)}`);
    const role = input.role === 'none' ? undefined : input.role;
    const data = await writeAndAnswer(
      context,
      () => context.sheets.share(context.stamp, document.id, user.id, role),
      () => ({ file_id: document.id, user_id: user.id, role: input.role }),
    );
    publishAccessChange(context, { user_id: user.id });
    return data;
  },
});
