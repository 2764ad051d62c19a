import { z } from 'zod';
import { newId } from '../../../lib/ids.ts';
import { integer, aliasField, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import {
  maxUploadBytes,
  sizedUploadSeconds,
  uploadKey,
  uploadSeconds,
  uploadType,
  withUploadSize,
} from '../../../ports/import-uploads.ts';

export const pre_import = operation({
  name: 'pre_import',
  summary:
    'Returns an address to PUT one file of up to 64 MiB to; then call import_file (workbooks) or wiki.upload_knowledge ' +
    '(any file) with the file_key. Both take up to 8 MiB directly.\nExample: ' +
    '{"file_name":"sales.xlsx"}',
  effect: 'write',
  input: z.object({
    file_name: text('File name; used only in the log.', { max: 255 }).optional(),
    file_size: integer('Bytes of the file. The address then takes exactly as many, within 15 minutes.', {
      min: 0,
      max: maxUploadBytes,
    }).optional(),
    file_md5: aliasField(text('Not used here; import_file checks it.', { max: 32 }).optional()),
  }),
  output: z.object({
    upload_url: text(
      "Upload address: PUT the file's bytes here with a content-length header, before expired_time. No other headers are needed.",
    ),
    file_key: text('Key of the upload; pass it to import_file or upload_knowledge.'),
    max_size: integer('Maximum size in bytes.'),
    expired_time: integer('Expiry time of the address in Unix seconds.'),
  }),
  async run(input, context) {
    const isSized = input.file_size !== undefined && input.file_size > 0;
    const seconds = isSized ? sizedUploadSeconds : uploadSeconds;
    const id = newId('import');
    const key = uploadKey(context.caller.userId, isSized ? withUploadSize(id, input.file_size!) : id);
    const now = context.clock.now();
    // Schedule the deletion of the uploaded file before the upload begins, so that an abandoned upload is deleted too.
    await context.wiki.uploads.discard(key, now + 24 * uploadSeconds * 1000);
    const url = context.signedUrls.sign(key, {
      fileName: input.file_name ?? 'import',
      contentType: uploadType,
      seconds,
    });
    return {
      upload_url: url,
      file_key: key,
      max_size: isSized ? input.file_size! : maxUploadBytes,
      expired_time: Math.floor(now / 1000) + seconds,
    };
  },
});
