import { buffer } from 'node:stream/consumers';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { fail } from '../../../kernel/errors.ts';
import { invalid, overLimit } from '../../sheet/errors.ts';
import { integer, list, oneOf, aliasField, text } from '../../../kernel/field-schemas.ts';
import { formatValue, parseBySchema, withOwnNames } from '../../../kernel/parse-input.ts';
import { operation } from '../../../kernel/operation.ts';
import type { ImportedDocument } from '../../../ports/spreadsheet-service.ts';
import { decodeBase64Content } from '../../sheet/objects/images.ts';
import { itemBytes } from '../item-bytes.ts';
import { requireOwnUpload, detectFormat, titleFromFileName } from '../imported-file.ts';
import { fileUrl, title } from '../schema.ts';

const maxInline = 8 * 2 ** 20;

const fields = z.object({
  title: title(),
  content: text('The file as base64, up to 8 MiB.', { min: 1 }).optional(),
  file_key: text('From pre_import, instead of content.', { min: 1, max: 200 }).optional(),
  media_id: text('A workbook of a knowledge base.', { min: 1, max: 80 }).optional(),
  table: integer('With media_id of any document: its table, starting at 1.', { min: 1, max: 10_000 }).optional(),
  format: oneOf('File format; detected if omitted.', ['xlsx', 'xls', 'xlsb', 'ods', 'csv'])
    .meta({ 'x-unlisted': true })
    .optional(),
  value_mode: oneOf('For csv: "typed" also reads dates, percentages and currencies. Default: raw.', [
    'raw',
    'typed',
  ]).optional(),
  file_name: aliasField(text('File name; the title, if none is sent.', { max: 255 }).optional()),
  file_base64: aliasField(text('Another name of content.').optional()),
  file_size: aliasField(integer('Size of the file in bytes; checked if sent.', { min: 0 }).optional()),
  file_md5: aliasField(text('MD5 of the file in hexadecimal; checked if sent.', { max: 32 }).optional()),
});
const aliases = { file_base64: 'content', file_name: 'title' };

export const import_file = operation({
  name: 'import_file',
  summary:
    'Creates a spreadsheet from an .xlsx, .xls, .xlsb, .ods or .csv file: content, a file_key of pre_import, ' +
    'or a media_id of a knowledge base. What is not shown of an .xlsx is kept for export.\nExample: ' +
    '{"title":"Sales","content":"bmFtZSxwcmljZQpwZWFyLDMK"}',
  effect: 'write',
  isLong: true,
  input: fields,
  parse: (raw) => {
    const read = parseBySchema(fields, withOwnNames(aliases, raw));
    return typeof raw['title'] === 'string' ? read : { ...read, title: titleFromFileName(read.title) };
  },
  output: z.object({
    file_id: text("The new document's id."),
    task_id: text('For import_progress, which older clients call.'),
    title: text('Its title.'),
    url: text('Address of the spreadsheet in the browser.'),
    sheets: list('Its sub-sheets in order.', z.object({ sheet_id: text('Id.'), name: text('Name.') })),
    warnings: list('What could not be imported.', text('Description of one part that was not imported.')),
  }),
  run(input, context) {
    return importSpreadsheet(input, context, ({ id, sheets, warnings }) => ({
      file_id: id,
      task_id: id,
      title: input.title,
      url: fileUrl(context.publicUrl.url, id),
      sheets: sheets.map((one) => ({ sheet_id: one.id, name: one.name })),
      warnings,
    }));
  },
});

/**
 * Imports a file as a new spreadsheet of the caller. `answer` creates the operation's answer from the imported
 * document.
 */
export async function importSpreadsheet<Answer extends object>(
  input: z.output<typeof fields>,
  context: Context,
  answer: (made: ImportedDocument) => Answer,
): Promise<Answer> {
  const bytes = await bytesOf(input, context);
  checkDeclared(input, bytes);
  if (input.table !== undefined && input.media_id === undefined) throw invalid('table: is for media_id only');
  const format = detectFormat(bytes, input.format);
  if (input.value_mode !== undefined && format !== 'csv')
    throw invalid(`value_mode: is for csv files only (the file is ${format})`);
  const file = { format, bytes, typed: input.value_mode === 'typed' };
  const data = await context.documents.import(context, input.title, file, answer);
  if (input.file_key) {
    await context.blobs.delete(input.file_key);
    await context.blobAccounting.release(input.file_key);
  }
  return data;
}

function checkDeclared(
  { file_size: size, file_md5: md5 }: { file_size?: number; file_md5?: string },
  bytes: Uint8Array,
): void {
  if (size !== undefined && size !== bytes.length)
    throw invalid(`file_size: must be the size of the file, ${bytes.length} (got ${size})`);
  if (md5 === undefined || md5 === '') return;
  const actual = createHash('md5').update(bytes).digest('hex');
  if (md5.toLowerCase() !== actual)
    throw invalid(`file_md5: must be the MD5 of the file, ${actual} (got ${formatValue(md5)})`);
}

async function bytesOf(
  input: Pick<z.output<typeof fields>, 'content' | 'file_key' | 'media_id' | 'table'>,
  context: Context,
): Promise<Uint8Array> {
  if ([input.content, input.file_key, input.media_id].filter((one) => one !== undefined).length !== 1)
    throw invalid(
      input.media_id === undefined
        ? 'content: send exactly one of content and file_key'
        : 'media_id: send exactly one of content, file_key and media_id',
    );
  if (input.media_id !== undefined) return itemBytes(context, input.media_id, input.table);
  if (input.content !== undefined) {
    const bytes = await decodeBase64Content(input.content);
    if (bytes.length > maxInline)
      throw overLimit(
        `content: must be at most ${maxInline} bytes (got ${bytes.length}); upload larger files with pre_import`,
      );
    return bytes;
  }
  const key = requireOwnUpload(input.file_key ?? '', context.caller.userId);
  const stream = await context.blobs.get(key);
  if (!stream) throw fail('no_such_object', 'file_key: nothing was uploaded there; PUT the file to upload_url first');
  return buffer(stream);
}
