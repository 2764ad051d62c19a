import { z } from 'zod';
import { list, oneOf, text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { fileId, fileInfo, toFileInfo } from '../schema.ts';

export const query_file_info = operation({
  name: 'query_file_info',
  summary: 'Tells about one spreadsheet: title, role, version, times, and who has access.',
  effect: 'read',
  input: z.object({ file_id: fileId() }),
  output: z.object({
    file: fileInfo.meta({ description: 'The document.' }),
    members: list('Who has access.', z.object({ user_id: text('Who.'), role: oneOf('As what.', ['owner', 'editor', 'viewer']) })),
  }),
  async run(input, context) {
    const { document, role } = await context.documents.access(context, input.file_id, 'viewer');
    const members = await context.sheets.members(document.id);
    return { file: toFileInfo(document, role, context.address.url), members: members.map((member) => ({ user_id: member.userId, role: member.role })) };
  },
});
