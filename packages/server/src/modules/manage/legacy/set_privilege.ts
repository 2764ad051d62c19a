import { z } from 'zod';
import { publishAccessChange } from '../../../kernel/access-changes.ts';
import { integerEnum } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { legacyAnswer, legacyFields } from '../legacy-schema.ts';
import { otherActiveUsers } from '../legacy-sharing-policy.ts';
import { fileId } from '../schema.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';

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
  output: z.object(legacyFields),
  async run({ file_id, policy }, context) {
    const { document } = await context.documents.access(context, file_id, 'owner');
    const users = await otherActiveUsers(context, document.ownerId);
    const data = await writeAndAnswer(
      context,
      () => context.sheets.shareAll(context.stamp, document.id, users, policy === 2 ? 'viewer' : 'editor'),
      () => legacyAnswer(context),
    );
    for (const user_id of users) publishAccessChange(context, { user_id });
    return data;
  },
});
