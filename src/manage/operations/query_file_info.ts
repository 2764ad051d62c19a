import { z } from 'zod';
import { list, oneOf, text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { fileId, fileInfo, toFileInfo } from '../schema.ts';

export const query_file_info = operation({
  name: 'query_file_info',
  summary: "Returns a spreadsheet's title, version, timestamps, the caller's role, and who has access.",
  effect: 'read',
  input: z.object({ file_id: fileId() }),
  output: z.object({
    file: fileInfo.meta({ description: 'The document.' }),
    members: list(
      'Users with access.',
      z.object({
        user_id: text('Who.'),
        name: text('User name; empty if the account was deleted.'),
        role: oneOf('Role of the user.', ['owner', 'editor', 'viewer']),
      }),
    ),
  }),
  async run(input, context) {
    const { document, role } = await context.documents.access(context, input.file_id, 'viewer');
    const members = await context.sheets.members(document.id);
    const named = await Promise.all(
      members.map(async (member) => ({
        user_id: member.userId,
        name: (await context.accounts.user(member.userId))?.name ?? '',
        role: member.role,
      })),
    );
    return { file: toFileInfo(document, role, context.address.url), members: named };
  },
});
