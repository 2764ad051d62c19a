import { z } from 'zod';
import { newId } from '../../lib/ids.ts';
import { flag, integer, oneOf, text } from '../../operation/fields.ts';
import { fail } from '../../operation/errors.ts';
import { operation } from '../../operation/operation.ts';
import { fitting } from '../../sheet/storage.ts';
import { fileId } from '../schema.ts';

const linkSeconds = 60 * 60;
const mostInline = 256 * 1024;
const contentTypes = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
} as const;

export const export_file = operation({
  name: 'export_file',
  summary:
    'Gives a spreadsheet as an .xlsx file, or one sub-sheet as .csv: as base64 in content up to 256 KiB, ' +
    'otherwise as a link good for an hour. A link leads to a file kept for it: that takes a key that may ' +
    "write, and counts against the caller's storage until the file is deleted. For a few cells use " +
    'sheet_get_cell_data.\nExample: {"file_id":"...","format":"xlsx"}',
  effect: 'read',
  input: z.object({
    file_id: fileId(),
    format: oneOf('xlsx holds everything, csv the values of one sub-sheet.', ['xlsx', 'csv']),
    sheet_id: text('Which sub-sheet a csv is made of; the first when omitted.', { min: 1, max: 64 }).optional(),
    safe: flag(
      'Csv only, true when omitted: texts that a program would run as formulas get an apostrophe in front. False gives them as they are.',
    ).optional(),
    as_link: flag('Give a link whatever the size.').optional(),
  }),
  output: z.object({
    file_name: text('A name to save it by.'),
    file_size: integer('Bytes.'),
    content: text('The file as base64, when it is small.').optional(),
    url: text('Where to get the file, when it is not.').optional(),
    expired_time: integer('When the link ends, in Unix seconds.').optional(),
  }),
  async run(input, context) {
    const { document } = await context.documents.access(context, input.file_id, 'viewer');
    const bytes = await context.documents.export(context, document, {
      format: input.format,
      ...(input.sheet_id === undefined ? {} : { sheetId: input.sheet_id }),
      safe: input.safe ?? true,
    });
    const name = `${document.title.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_').slice(0, 200)}.${input.format}`;
    if (bytes.length <= mostInline && input.as_link !== true)
      return { file_name: name, file_size: bytes.length, content: Buffer.from(bytes).toString('base64') };
    if (context.caller.access !== 'write')
      throw fail(
        'no_permission',
        `${input.as_link ? 'as_link' : 'file_id'}: this API key may only read, and the file (${bytes.length} ` +
          `bytes) would be kept for a link; ask for at most ${mostInline} bytes, or with a key that may write`,
      );
    const key = `exports/${newId('export')}.${input.format}`;
    const now = context.clock.now();
    context.stamp.target ??= document.id;
    // Counted and noted as garbage first, so that whatever happens the file does not stay.
    const keeping = {
      field: 'file_id',
      quotaBytes: context.config.SHEAF_QUOTA_BYTES,
      until: now + 2 * linkSeconds * 1000,
      stamp: context.stamp,
    };
    await fitting(() => context.kept.keep(context.caller.userId, key, bytes.length, keeping));
    await context.blobs.put(key, bytes, bytes.length);
    const url = context.links.signedLink(key, {
      fileName: name,
      contentType: contentTypes[input.format],
      seconds: linkSeconds,
    });
    return { file_name: name, file_size: bytes.length, url, expired_time: Math.floor(now / 1000) + linkSeconds };
  },
});
