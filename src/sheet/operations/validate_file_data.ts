import { z } from 'zod';
import { fail } from '../../operation/errors.ts';
import { flag, integer, oneOf, text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { fileFields, fileIdOf } from '../schema.ts';

export const validate_file_data = operation({
  name: 'validate_file_data',
  summary:
    'For troubleshooting: rebuilds a document from its log, stage by stage, compares with what is served, and names what fails first.',
  effect: 'read',
  input: z.object({
    ...fileFields,
    version: integer('Which version; the newest when omitted.', { min: 0 }).optional(),
    is_latest: flag('The newest version, whatever version says.').optional(),
  }),
  output: z.object({
    is_valid: flag('Whether all is well.'),
    checked_version: integer('The version that was checked.'),
    ret_code: integer('0 when valid.'),
    stage: oneOf('Where it failed; empty when valid.', [
      '',
      'RebuildWorkbook.workbook_cmds',
      'RebuildWorkbook.revisions',
      'RebuildSheet',
      'RebuildSheetWithTrim',
      'ApplyNewRevisions',
    ]),
    failed_mutation_type: integer('Number of the mutation that failed; 0 when none did.'),
    err_msg: text('What went wrong; empty when valid.'),
  }),
  async run(input, context) {
    const { document } = await context.documents.access(context, fileIdOf(input), 'viewer');
    const version = input.is_latest || input.version === undefined ? document.version : input.version;
    if (version > document.version)
      throw fail('no_such_object', `version: the newest is ${document.version} (got ${version})`);
    return context.documents.validate(document, version);
  },
});
