import { z } from 'zod';
import { newId } from '../../../lib/ids.ts';
import { mayWrite } from '../../../kernel/access-changes.ts';
import { flag, integer, oneOf, text } from '../../../kernel/field-schemas.ts';
import { fail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { expandUriTemplate } from '../../../kernel/mcp-resource.ts';
import { withQuotaFailures } from '../../sheet/document-storage.ts';
import { fileResource } from '../mcp-resource.ts';
import { fileId, fileTypes } from '../schema.ts';

const linkSeconds = 60 * 60;
const maxInline = 256 * 1024;

export const export_file = operation({
  name: 'export_file',
  summary:
    'Exports a spreadsheet as .xlsx, or one sub-sheet as .csv: base64 in content up to 256 KiB, else a link valid for ' +
    'one hour, which requires write access and counts as storage until its file is deleted.\nExample: ' +
    '{"file_id":"...","format":"xlsx"}',
  effect: 'read',
  isLong: true,
  input: z.object({
    file_id: fileId(),
    format: oneOf('"csv": values of one sub-sheet. Default: xlsx.', ['xlsx', 'csv']).optional(),
    sheet_id: text('Sub-sheet to export as csv; the first if omitted.', { min: 1, max: 64 }).optional(),
    safe: flag('For csv: an apostrophe before text that a program would run. Default: true.').optional(),
    as_link: flag('Whether to always return a link; over MCP, false returns content.').optional(),
  }),
  output: z.object({
    file_name: text('Suggested file name.'),
    file_size: integer('Bytes.'),
    task_id: text('For export_progress, which older clients call.'),
    content: text('The file as base64, if it is small enough.').optional(),
    url: text('Download address, if the file is not in content.').optional(),
    expired_time: integer('Expiry time of the link in Unix seconds.').optional(),
  }),
  async run({ format = 'xlsx', ...input }, context) {
    const { document } = await context.documents.access(context, input.file_id, 'viewer');
    const bytes = await context.documents.export(context, document, {
      format,
      ...(input.sheet_id === undefined ? {} : { sheetId: input.sheet_id }),
      safe: input.safe ?? true,
    });
    const name = `${document.title.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_').slice(0, 200)}.${format}`;
    const file = { file_name: name, file_size: bytes.length, task_id: document.id };
    if (bytes.length <= maxInline && input.as_link !== true) {
      if (format === 'xlsx' && input.as_link === undefined)
        context.reply.link = {
          uri: expandUriTemplate(fileResource.template, { id: document.id }),
          name,
          mimeType: fileTypes.xlsx,
          field: 'content',
        };
      return { ...file, content: Buffer.from(bytes).toString('base64') };
    }
    if (!mayWrite(context.caller, 'manage'))
      throw fail(
        'no_permission',
        `${input.as_link ? 'as_link' : 'file_id'}: this API key is read-only, and a file of ${bytes.length} ` +
          `bytes has to be stored behind a link; export at most ${maxInline} bytes, or use a key with write ` +
          'access',
      );
    const key = `exports/${newId('export')}.${format}`;
    const now = context.clock.now();
    // Before storing the file, charge it to the quota and schedule its deletion. If the call then fails, no file is
    // left behind.
    const keeping = {
      field: 'file_id',
      quotaBytes: context.config.SHEAF_QUOTA_BYTES,
      expiresAt: now + 2 * linkSeconds * 1000,
      stamp: context.stamp,
      target: document.id,
    };
    await withQuotaFailures(() => context.blobAccounting.charge(context.caller.userId, key, bytes.length, keeping));
    await context.blobs.put(key, bytes, bytes.length);
    const url = context.signedUrls.sign(key, {
      fileName: name,
      contentType: fileTypes[format],
      seconds: linkSeconds,
    });
    context.reply.link = { uri: url, name, mimeType: fileTypes[format] };
    return { ...file, url, expired_time: Math.floor(now / 1000) + linkSeconds };
  },
});
