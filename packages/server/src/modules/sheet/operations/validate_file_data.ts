import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { flag, integer, oneOf, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { fileFields, parseFileId } from '../schema.ts';

export const validate_file_data = operation({
  name: 'validate_file_data',
  summary: 'Rebuilds a document from its log, compares it with the served state, and reports the first failure.',
  effect: 'read',
  input: z.object({
    ...fileFields,
    version: integer('Version; the latest if omitted.', { min: 0 }).optional(),
    is_latest: flag('The latest version, regardless of version.').optional(),
  }),
  output: z.object({
    is_valid: flag('Whether the document is valid.'),
    checked_version: integer('The version that was checked.'),
    ret_code: integer('Error code; 0 if valid.'),
    stage: oneOf('Step that failed; empty if valid.', [
      '',
      'RebuildWorkbook.workbook_cmds',
      'RebuildWorkbook.revisions',
      'RebuildSheet',
      'RebuildSheetWithTrim',
      'ApplyNewRevisions',
    ]),
    failed_mutation_type: integer('Number of the mutation that failed; 0 if none did.'),
    err_msg: text('Description of the failure; empty if valid.'),
  }),
  async run(input, context) {
    const { document } = await context.documents.access(context, parseFileId(input), 'viewer');
    const version = input.is_latest || input.version === undefined ? document.version : input.version;
    if (version > document.version)
      throw fail('no_such_object', `version: the latest version is ${document.version} (got ${version})`);
    return context.documents.validate(document, version);
  },
});
