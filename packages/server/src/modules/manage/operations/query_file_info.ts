import { z } from 'zod';
import { flag, integer, list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { fileId, fileInfo, toFileInfo, toFileRole } from '../schema.ts';

export const query_file_info = operation({
  name: 'query_file_info',
  summary: "Returns title, version, times, the caller's role and who has access.",
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
    type: oneOf('Kind of file, for older clients as all that follows.', ['sheet']),
    status: text('Always "normal".'),
    create_time: integer('Unix seconds.'),
    create_name: text("The owner's name."),
    last_modify_time: integer('Unix seconds.'),
    last_modify_name: text('Name of who changed it last.'),
    owner_name: text("The owner's name."),
    space_id: text('Always empty.'),
    is_folder: flag('Always false.'),
  }),
  async run(input, context) {
    const { document, role } = await context.documents.access(context, input.file_id, 'viewer');
    const members = await context.sheets.members(document.id);
    const nameOf = async (id: string): Promise<string> => (await context.accounts.user(id))?.name ?? '';
    const named = await Promise.all(
      members.map(async (member) => ({
        user_id: member.userId,
        name: await nameOf(member.userId),
        role: toFileRole(member.role),
      })),
    );
    const [latest] = await context.sheets.history(document.id, document.version + 1, 1);
    const ownerName = await nameOf(document.ownerId);
    return {
      file: toFileInfo(document, role, context.publicUrl.url),
      members: named,
      type: 'sheet' as const,
      status: 'normal',
      create_time: Math.floor(document.createdAt / 1000),
      create_name: ownerName,
      last_modify_time: Math.floor(document.modifiedAt / 1000),
      last_modify_name: latest ? await nameOf(latest.userId) : ownerName,
      owner_name: ownerName,
      space_id: '',
      is_folder: false,
    };
  },
});
