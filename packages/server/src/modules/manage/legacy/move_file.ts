import { z } from 'zod';
import { invalid } from '../../sheet/errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { formatValue } from '../../../kernel/parse-input.ts';
import { operation } from '../../../kernel/operation.ts';
import { legacyAnswer, legacyFields } from '../legacy-schema.ts';
import { fileId } from '../schema.ts';

export const move_file = operation({
  name: 'move_file',
  summary: 'Moves a spreadsheet to the root, where every spreadsheet is.',
  deprecated: 'spreadsheets have no folders; share and search them instead.',
  effect: 'write',
  idempotent: true,
  input: z.object({ file_id: fileId(), target_folder_id: text('Must be "/", the root.', { min: 1, max: 128 }) }),
  output: z.object(legacyFields),
  async run({ file_id, target_folder_id: target }, context) {
    await context.documents.access(context, file_id, 'editor');
    if (target !== '/')
      throw invalid(`target_folder_id: spreadsheets have no folders but the root, "/" (got ${formatValue(target)})`);
    return legacyAnswer(context);
  },
});
