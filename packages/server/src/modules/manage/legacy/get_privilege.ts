import { z } from 'zod';
import { integer, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { legacyAnswer, legacyFields } from '../legacy-schema.ts';
import { legacySharingPolicy } from '../legacy-sharing-policy.ts';
import { fileId } from '../schema.ts';

export const get_privilege = operation({
  name: 'get_privilege',
  summary: 'Returns who can open a spreadsheet, as one number.',
  deprecated: 'use query_file_info, which names the users with access.',
  effect: 'read',
  input: z.object({ file_id: fileId() }),
  output: z.object({
    file_id: text("The document's id."),
    policy: integer(
      'Who has access: 0 its owner only, 1 the users it was shared with, 2 all users of this installation may read, 3 all may edit.',
    ),
    ...legacyFields,
  }),
  async run({ file_id }, context) {
    const { document } = await context.documents.access(context, file_id, 'viewer');
    return { file_id: document.id, policy: await legacySharingPolicy(context, document), ...legacyAnswer(context) };
  },
});
