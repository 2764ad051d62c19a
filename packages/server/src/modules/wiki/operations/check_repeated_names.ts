import { z } from 'zod';
import { flag, integerEnum, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { mediaTypes } from '../media-types.ts';
import { requireBase, resolveFolder } from '../permissions.ts';
import { baseId, folderId } from '../schema.ts';

const fileTypes = mediaTypes.filter((type) => type.addedBy === 'file').map((type) => type.number);

export const check_repeated_names = operation({
  summary:
    'Checks for up to 2,000 file names whether a folder already contains a file of that name.\nExample: ' +
    '{"params":[{"name":"report.pdf","media_type":1}],"knowledge_base_id":"kb_..."}',
  effect: 'read',
  input: {
    params: list(
      'The names.',
      z.object({
        name: text('File name, as it would appear as the title.', { max: 1024 }),
        media_type: integerEnum('Media type; must be a file type.', fileTypes),
      }),
      { min: 1, max: 2000 },
    ),
    knowledge_base_id: baseId(),
    folder_id: folderId().optional(),
  },
  output: {
    results: list(
      'One entry per name, in order.',
      z.object({ name: text('The name as sent.'), is_repeated: flag('Whether a file of that name exists there.') }),
    ),
  },
  async run({ params, ...input }, context) {
    const base = await requireBase(context, input.knowledge_base_id, 'view');
    const folder = await resolveFolder(context, base, input.folder_id);
    const taken = await context.wiki.items.takenTitles(
      folder,
      params.map(({ name }) => name),
    );
    return { results: params.map(({ name }) => ({ name, is_repeated: taken.has(name) })) };
  },
});
