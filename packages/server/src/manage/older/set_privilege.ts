import { z } from 'zod';
import { accessChanged } from '../../operation/access.ts';
import { integerEnum } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { olderAnswer, olderFields } from '../older-shapes.ts';
import { otherUsers } from '../privilege.ts';
import { fileId } from '../schema.ts';
import { answered } from '../../operation/stored-answer.ts';

export const set_privilege = operation({
  name: 'set_privilege',
  summary:
    'Shares a spreadsheet with every user of this installation, all in one role. Users created later are not among them.',
  deprecated: 'use share_file.',
  effect: 'write',
  idempotent: true,
  input: z.object({
    file_id: fileId(),
    policy: integerEnum('What all users may do: 2 read, 3 edit.', [2, 3]),
  }),
  output: z.object(olderFields),
  async run({ file_id, policy }, context) {
    const { document } = await context.documents.access(context, file_id, 'owner');
    const users = await otherUsers(context, document.ownerId);
    const data = await answered(
      context,
      () => context.sheets.shareAll(context.stamp, document.id, users, policy === 2 ? 'viewer' : 'editor'),
      () => olderAnswer(context),
    );
    for (const user_id of users) accessChanged(context, { user_id });
    return data;
  },
});
