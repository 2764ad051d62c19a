import { z } from 'zod';
import { fail } from '../../operation/errors.ts';
import { text } from '../../operation/fields.ts';
import { show } from '../../operation/parse.ts';
import { operation } from '../../operation/operation.ts';
import { olderAnswer, olderFields } from '../older-shapes.ts';
import { fileId } from '../schema.ts';

export const move_file = operation({
  name: 'move_file',
  summary: 'Moves a spreadsheet to the root, where every spreadsheet is.',
  deprecated: 'spreadsheets have no folders; share and search them instead.',
  effect: 'write',
  idempotent: true,
  input: z.object({ file_id: fileId(), target_folder_id: text('Must be "/", the root.', { min: 1, max: 128 }) }),
  output: z.object(olderFields),
  async run({ file_id, target_folder_id: target }, context) {
    await context.documents.access(context, file_id, 'editor');
    if (target !== '/')
      throw fail(
        'invalid_parameter',
        `target_folder_id: spreadsheets have no folders but the root, "/" (got ${show(target)})`,
      );
    return olderAnswer(context);
  },
});
